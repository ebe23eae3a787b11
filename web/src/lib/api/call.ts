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
import { currentSession, endSession, reloadSession, renewTokens, setAddressBlocked } from '../session/session.ts';
import { learnPortalTime } from '../time/portal-time.ts';
import { apiBaseOf } from './api-bases.ts';
import { ApiRefusal } from './api-refusal.ts';
import { NoAnswer, timedFetch } from './timed-fetch.ts';

/** The untyped parts of a request; the body can also be a form with files. */
interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Version of the edited item when it was loaded; the call is refused with 412 if it has changed since. */
  ifMatch?: string | undefined;
}

/** A reply, with the version of its subject if it is versioned. */
export type Replied<E extends EndpointDefinition> = ReplyOf<E> & { etag?: string };

/** Renews tokens early, so that they don't expire in transit. */
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
    // Relative to the root of the portal.
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

/** Reads a response's JSON and version; returns an empty object if it isn't JSON. */
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

/** Closes the private area if the organisation blocks this IP address. With `issues`, the refusal is about a form. */
function noteBlockedAddress(refusal: ApiRefusal): ApiRefusal {
  if (refusal.resultName === 'IP_NOT_VALID' && refusal.issues.length === 0) setAddressBlocked(true);
  return refusal;
}

/** The renewal shared by all calls that find an expired token. Tabs take turns with a Web Lock. */
let renewal: Promise<string | undefined> | undefined;

function renewOnce(staleToken: string): Promise<string | undefined> {
  renewal ??= inTurn(() => renew(staleToken)).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  // Web Locks are missing over plain HTTP from another machine, where the server's 10 s grace for replays helps.
  return 'locks' in navigator ? navigator.locks.request('orchestrate.refresh', work) : work();
}

async function renew(staleToken: string): Promise<string | undefined> {
  const session = reloadSession();
  if (!session) return undefined;
  if (session.token !== staleToken) return session.token;
  const response = await send(refresh, { body: { refreshToken: session.refreshToken } }, undefined);
  if (response.status >= 500 || response.status === 429 || response.status === 403) {
    throw noteBlockedAddress(refusalOf(response, await readBody(response)));
  }
  if (!response.ok) return undefined;
  const tokens = (await response.json()) as ReplyOf<typeof refresh>;
  renewTokens({ token: tokens.token, refreshToken: tokens.refreshToken });
  return tokens.token;
}

/** Returns a valid token, renewing it if needed; undefined without a session. */
export async function liveToken(): Promise<string | undefined> {
  const session = currentSession();
  if (!session) return undefined;
  return session.tokenEndsAt - EARLY_MS > now() ? session.token : await renewOnce(session.token);
}

/** Sends with a valid token, and retries once with a new one after a 401. */
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

/** Returns the lab's own token, which it requires from other machines. Other public calls need none. */
const publicToken = ({ access }: EndpointDefinition) => (access.who === 'lab' ? labToken() : undefined);

/** Sends with the token that the entry requires. */
export const sendAs = (entry: EndpointDefinition, input: RequestParts, options: CallOptions = {}): Promise<Response> =>
  needsToken(entry) ? sendSignedIn(entry, input, options) : send(entry, input, publicToken(entry), options);

/** Returns the refusal of a response, and updates the session: a 401 despite a renewed token signs out. */
export function refusedBy(entry: EndpointDefinition, response: Response, body: Partial<RefusalBody>): ApiRefusal {
  const refusal = refusalOf(response, body);
  if (!needsToken(entry)) return refusal;
  // The sign-in page reports that the session has ended.
  if (refusal.status === 401) endSession(currentSession() !== null);
  return noteBlockedAddress(refusal);
}

const unansweredListeners = new Set<() => void>();

function reportUnanswered(): void {
  for (const listener of unansweredListeners) listener();
}

/** Calls the listener after each write without a response, because it is unknown if the change was made. */
export function onUnansweredWrite(listener: () => void): () => void {
  unansweredListeners.add(listener);
  return () => unansweredListeners.delete(listener);
}

/**
 * Calls the endpoint of a contract entry and returns its reply, including result codes that the entry counts as success.
 * Throws everything else as `ApiRefusal`.
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
