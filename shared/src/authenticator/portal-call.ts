import { addressOf } from '../address-of.ts';
import type { EndpointDefinition, InputOf, RefusalBody, ReplyOf } from '../endpoint.ts';
import { resultNameOf } from '../result-codes.ts';
import { PortalRefusal, PortalUnreachable } from './portal-refusal.ts';

/** The subset of `fetch` that is used, which tests can replace. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | FormData },
) => Promise<Response>;

/** Calls a contract endpoint. Resolves with the reply, or rejects with `PortalRefusal` or `PortalUnreachable`. */
export type PortalCall = <D extends EndpointDefinition>(entry: D, input: InputOf<D>) => Promise<ReplyOf<D>>;

export interface PortalCallOptions {
  /** Portal origin, e.g. `http://localhost:3000`. */
  baseUrl: string;
  fetch?: Fetch;
  /** Headers sent with every call, e.g. for the lab token. */
  headers?: Record<string, string>;
  /** Receives the `Date` header of every response. */
  onDate?: (date: string | null) => void;
}

/** Every portal response is an object with a `resultCode`. Only refusals have a `resultName` (contract §3). */
type Envelope = { resultCode: number } & Partial<RefusalBody>;

const isEnvelope = (answer: unknown): answer is Envelope =>
  typeof answer === 'object' && answer !== null && 'resultCode' in answer && Number.isInteger(answer.resultCode);

/**
 * Creates a function that calls contract endpoints that need no session: device, lab and public endpoints.
 * @throws TypeError if `baseUrl` is not a string
 */
export function createPortalCall({
  baseUrl,
  fetch: send = fetch,
  headers = {},
  onDate,
}: PortalCallOptions): PortalCall {
  if (typeof baseUrl !== 'string') {
    throw new TypeError(`baseUrl must be a string, e.g. http://localhost:3000, not ${typeof baseUrl}`);
  }
  const origin = baseUrl.replace(/\/+$/, '');

  return async <D extends EndpointDefinition>(entry: D, input: InputOf<D>): Promise<ReplyOf<D>> => {
    const { params, query, body }: { params?: unknown; query?: unknown; body?: unknown } = input;
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await send(`${origin}/api${addressOf(entry, { params, query })}`, {
      method: entry.method,
      headers: isJson ? { ...headers, 'content-type': 'application/json' } : headers,
      body: isJson ? JSON.stringify(body) : body,
    }).catch((cause: unknown) => {
      throw new PortalUnreachable(origin, cause);
    });
    onDate?.(response.headers.get('date'));
    // The server validates its own replies, because the browser build excludes the contract's schemas.
    return (await readReply(origin, response)) as ReplyOf<D>;
  };
}

/**
 * Reads the reply from a portal response.
 * @throws PortalRefusal, PortalUnreachable
 */
export async function readReply(origin: string, response: Response): Promise<{ resultCode: number }> {
  const answer: unknown = await response.json().catch(() => null);
  if (!isEnvelope(answer)) throw new PortalUnreachable(origin, `HTTP ${response.status}`);
  if (answer.resultName === undefined) return answer;
  const { resultCode, message = '', issues } = answer;
  const resultName = resultNameOf(resultCode) ?? 'FAILED';
  throw new PortalRefusal({ status: response.status, resultCode, resultName, message, issues });
}
