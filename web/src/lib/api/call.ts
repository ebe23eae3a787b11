import {
  addressOf,
  type EndpointDefinition,
  type InputOf,
  type RefusalBody,
  type ReplyOf,
  refresh,
  resultNameOf,
} from '@orchestrate/shared';
import { logQuietly, now } from '#adapters/browser.ts';
import { DEFAULT_TEXT, TIMEOUT_TEXT, UNCONFIRMED_CHANGE_TEXT, UNREACHABLE_TEXT } from '../notices/result-text.ts';
import { toast } from '../notices/toaster.ts';
import { labToken } from '../session/browser-state.ts';
import { currentSession, endSession, reloadSession, renewTokens, setAddressBlocked } from '../session/session.ts';
import { learnPortalTime } from '../time/portal-time.ts';
import { apiBaseOf } from './api-bases.ts';
import { ApiRefusal } from './api-refusal.ts';
import { ResponseTimeout, timedFetch } from './timed-fetch.ts';

/** A request's params, query and body without their types. The body can also be a form with files. */
interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Version of the edited item when it was loaded. The call is refused with 412 if the item has changed since. */
  ifMatch?: string | undefined;
}

/** A reply. If the entry is versioned, it includes the version of the object. */
export type Replied<E extends EndpointDefinition> = ReplyOf<E> & { etag?: string };

/** How long before expiry tokens are renewed, in milliseconds, so that they don't expire in transit. */
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
    // The path is relative to the portal's origin unless the build configures another base URL.
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
    if (!(failure instanceof ResponseTimeout)) throw new ApiRefusal(0, { message: UNREACHABLE_TEXT });
    throw new ApiRefusal(0, { message: needsToken(entry) && isWrite(entry) ? UNCONFIRMED_CHANGE_TEXT : TIMEOUT_TEXT });
  }
}

/** Returns a response's JSON and version, or an empty object if the response isn't JSON. */
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

/**
 * Closes the private area if the organisation blocks this IP address. If the refusal has `issues`, an address in a
 * form is invalid instead, and the private area stays open.
 */
function noteBlockedAddress(refusal: ApiRefusal): ApiRefusal {
  if (refusal.resultName === 'IP_NOT_VALID' && refusal.issues.length === 0) setAddressBlocked(true);
  return refusal;
}

/** Pending renewal, shared by all calls that find the token expired. Tabs take turns using a Web Lock. */
let renewal: Promise<string | undefined> | undefined;

function renewOnce(staleToken: string): Promise<string | undefined> {
  renewal ??= inTurn(() => renew(staleToken)).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  // Browsers don't support Web Locks over plain HTTP from another machine. There, tabs can renew the same token
  // concurrently, which the server allows within 10 s.
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

/** Returns a valid token, renewing it if needed, or undefined without a session. */
export async function validToken(): Promise<string | undefined> {
  const session = currentSession();
  if (!session) return undefined;
  return session.tokenEndsAt - EARLY_MS > now() ? session.token : await renewOnce(session.token);
}

/** Sends a request with a valid token and, after a 401, retries once with a new token. */
async function sendSignedIn(
  entry: EndpointDefinition,
  input: RequestParts,
  options: CallOptions = {},
): Promise<Response> {
  const token = await validToken();
  const response = await send(entry, input, token, options);
  if (response.status !== 401 || !token) return response;
  const renewed = await renewOnce(token);
  return renewed ? send(entry, input, renewed, options) : response;
}

/** Returns the lab token for lab calls, which require it from other machines. Other public calls need no token. */
const publicToken = ({ access }: EndpointDefinition) => (access.who === 'lab' ? labToken() : undefined);

/** Sends a request with the token that the contract entry requires. */
export const sendAs = (entry: EndpointDefinition, input: RequestParts, options: CallOptions = {}): Promise<Response> =>
  needsToken(entry) ? sendSignedIn(entry, input, options) : send(entry, input, publicToken(entry), options);

/**
 * Returns the refusal that a response contains. On a 401, ends the session, because the token has already been
 * renewed.
 */
export function refusalFrom(entry: EndpointDefinition, response: Response, body: Partial<RefusalBody>): ApiRefusal {
  const refusal = refusalOf(response, body);
  if (!needsToken(entry)) return refusal;
  // Don't show an error, because the sign-in screen reports that the session has ended.
  if (refusal.status === 401) endSession(currentSession() !== null);
  return noteBlockedAddress(refusal);
}

const unansweredListeners = new Set<() => void>();

function reportUnanswered(): void {
  for (const listener of unansweredListeners) listener();
}

/** Calls the listener after each write that got no response, because we can't know whether the change was made. */
export function onUnansweredWrite(listener: () => void): () => void {
  unansweredListeners.add(listener);
  return () => unansweredListeners.delete(listener);
}

/**
 * Calls a contract entry's endpoint and returns its reply, including result codes that the entry declares as success.
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

  const refusal = refusalFrom(entry, response, body);
  if (refusal.resultName === 'ID_DOESNOT_EXIST') toast.error(refusal.message);
  else if (refusal.status !== 401)
    logQuietly(`${entry.method} ${entry.path} was refused with ${refusal.resultCode}.`, refusal.requestId);
  throw refusal;
}
