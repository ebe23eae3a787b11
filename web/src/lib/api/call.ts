import {
  addressOf,
  type EndpointDefinition,
  type InputOf,
  type RefusalBody,
  type ReplyOf,
  refresh,
  resultNameOf,
} from '@orchestrate/shared';
import { now } from '#adapters/clock.ts';
import { logQuietly } from '#adapters/log.ts';
import { DEFAULT_TEXT, NO_ANSWER_TEXT, UNREACHABLE_TEXT, UNSURE_TEXT } from '../notices/result-text.ts';
import { toast } from '../notices/toaster.ts';
import { labToken } from '../session/browser-state.ts';
import { currentSession, endSession, reloadSession, renewTokens, setKeptOut } from '../session/session.ts';
import { learnPortalTime } from '../time/portal-time.ts';
import { apiBaseOf } from './api-bases.ts';
import { ApiRefusal } from './api-refusal.ts';
import { NoAnswer, timedFetch } from './timed-fetch.ts';

/** The parts of a request before they are typed by an entry; a body may also be a form with files. */
interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The version of the edited thing as it was read: if it has another one by now, the call is refused (412). */
  ifMatch?: string | undefined;
}

/** A reply, with the version of its subject where that has one. */
export type Replied<E extends EndpointDefinition> = ReplyOf<E> & { etag?: string };

/** Tokens are renewed a little early, so that they don't expire in transit. */
const EARLY_MS = 5_000;

function needsToken(entry: EndpointDefinition): boolean {
  return entry.access.who === 'signed-in' || entry.access.who === 'permission' || entry.access.who === 'member';
}

const isWrite = ({ method }: EndpointDefinition) => method !== 'GET';

async function send(
  entry: EndpointDefinition,
  input: RequestParts,
  token: string | undefined,
  { signal, ifMatch }: CallOptions = {},
): Promise<Response> {
  const { body } = input;
  const isForm = body instanceof FormData;
  const headers = new Headers({ accept: 'application/json' });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (ifMatch) headers.set('if-match', ifMatch);
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json');
  try {
    // From the root of the portal.
    const response = await timedFetch(`${apiBaseOf(entry.area)}${addressOf(entry, input)}`, {
      method: entry.method,
      headers,
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
    learnPortalTime(response.headers);
    return response;
  } catch (failure) {
    signal?.throwIfAborted();
    if (!(failure instanceof NoAnswer)) throw new ApiRefusal(0, { message: UNREACHABLE_TEXT });
    throw new ApiRefusal(0, { message: needsToken(entry) && isWrite(entry) ? UNSURE_TEXT : NO_ANSWER_TEXT });
  }
}

/** The answer's JSON with its version, where it has one; empty where it isn't JSON. */
export async function readBody(response: Response): Promise<Partial<RefusalBody> & { etag?: string }> {
  try {
    const body: unknown = await response.json();
    const etag = response.headers.get('etag');
    return Object.assign({}, body, etag ? { etag } : undefined);
  } catch {
    return {};
  }
}

function refusalOf(response: Response, body: Partial<RefusalBody>): ApiRefusal {
  return new ApiRefusal(response.status, { ...body, message: body.message || DEFAULT_TEXT });
}

/** If the organisation blocks this address, the private area closes. With `issues` the refusal is about a form. */
function keptOut(refusal: ApiRefusal): ApiRefusal {
  if (refusal.resultName === 'IP_NOT_VALID' && refusal.issues.length === 0) setKeptOut(true);
  return refusal;
}

/** Calls that find an expired token share one renewal; tabs take turns with a lock of the browser. */
let renewal: Promise<string | undefined> | undefined;

function renewOnce(staleToken: string): Promise<string | undefined> {
  renewal ??= inTurn(() => renew(staleToken)).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  // Missing over plain HTTP from another machine; there the server's 10 s grace for replays helps.
  return 'locks' in navigator ? navigator.locks.request('orchestrate.refresh', work) : work();
}

async function renew(staleToken: string): Promise<string | undefined> {
  const session = reloadSession();
  if (!session) return undefined;
  if (session.token !== staleToken) return session.token;
  const response = await send(refresh, { body: { refreshToken: session.refreshToken } }, undefined);
  if (response.status >= 500 || response.status === 429 || response.status === 403) {
    throw keptOut(refusalOf(response, await readBody(response)));
  }
  if (!response.ok) return undefined;
  const tokens = (await response.json()) as ReplyOf<typeof refresh>;
  renewTokens({ token: tokens.token, refreshToken: tokens.refreshToken });
  return tokens.token;
}

/** A valid token, renewed when needed; undefined when signed out or when the session has ended. */
export async function liveToken(): Promise<string | undefined> {
  const session = currentSession();
  if (!session) return undefined;
  return session.tokenEndsAt - EARLY_MS > now() ? session.token : await renewOnce(session.token);
}

/** Sends with a valid token, and once more with a new one if it was refused after all. */
async function sendSignedIn(
  entry: EndpointDefinition,
  input: RequestParts,
  options: CallOptions = {},
): Promise<Response> {
  const token = await liveToken();
  const response = await send(entry, input, token, options);
  if (response.status !== 401 || !token) return response;
  const renewed = await renewOnce(token);
  return renewed ? send(entry, input, renewed, options) : response;
}

/** From another machine the lab needs its own token; all other public calls need none. */
const publicToken = ({ access }: EndpointDefinition) => (access.who === 'lab' ? labToken() : undefined);

/** Sends with the token that the entry asks for. */
export const sendAs = (entry: EndpointDefinition, input: RequestParts, options: CallOptions = {}): Promise<Response> =>
  needsToken(entry) ? sendSignedIn(entry, input, options) : send(entry, input, publicToken(entry), options);

/** What was refused, once the session knows: a 401 that a renewed token does not cure signs out. */
export function refusedBy(entry: EndpointDefinition, response: Response, body: Partial<RefusalBody>): ApiRefusal {
  const refusal = refusalOf(response, body);
  if (!needsToken(entry)) return refusal;
  // The sign-in page says that the session has ended.
  if (refusal.status === 401) endSession(currentSession() !== null);
  return keptOut(refusal);
}

const unansweredListeners = new Set<() => void>();

function reportUnanswered(): void {
  for (const listener of unansweredListeners) listener();
}

/** Calls the listener after each write that got no answer: the server may have made the change or not. */
export function onUnansweredWrite(listener: () => void): () => void {
  unansweredListeners.add(listener);
  return () => unansweredListeners.delete(listener);
}

/**
 * Calls an endpoint as its contract entry declares it, and returns the entry's reply, also where the entry counts the
 * result code as success. Everything else is thrown as `ApiRefusal`.
 */
export async function call<E extends EndpointDefinition>(
  entry: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<Replied<E>> {
  const response = await sendAs(entry, input, options).catch((failure: unknown) => {
    if (isWrite(entry) && failure instanceof ApiRefusal && failure.status === 0) reportUnanswered();
    throw failure;
  });
  const body = await readBody(response);
  const name = resultNameOf(body.resultCode ?? 7);
  const isNews = name !== undefined && (name === 'SUCCESS' || entry.news?.includes(name));
  if (response.ok && isNews) return body as ReplyOf<E>;

  const refusal = refusedBy(entry, response, body);
  if (refusal.resultName === 'ID_DOESNOT_EXIST') toast.error(refusal.message);
  else if (refusal.status !== 401)
    logQuietly(`${entry.method} ${entry.path} was refused with ${refusal.resultCode}.`, refusal.requestId);
  throw refusal;
}
