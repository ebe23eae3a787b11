import { addressOf } from '../address-of.ts';
import type { EndpointDefinition, InputOf, RefusalBody, ReplyOf } from '../endpoint.ts';
import { resultNameOf } from '../result-codes.ts';
import { PortalRefusal, PortalUnreachable } from './portal-refusal.ts';

/** The subset of `fetch` that is used, so that a test can pass its own. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | FormData },
) => Promise<Response>;

/** Calls one endpoint of the contract: resolves with its reply, rejects with a refusal or `PortalUnreachable`. */
export type PortalCall = <D extends EndpointDefinition>(entry: D, input: InputOf<D>) => Promise<ReplyOf<D>>;

export interface PortalCallOptions {
  /** Origin of the portal, e.g. `http://localhost:3000`. */
  baseUrl: string;
  fetch?: Fetch;
  /** Sent with every call, e.g. the lab's token. */
  headers?: Record<string, string>;
  /** Receives the `Date` header of every response. */
  onDate?: (date: string | null) => void;
}

/** Every response of the portal is an object with a `resultCode`; only a refusal has a `resultName` (contract §3). */
type Envelope = { resultCode: number } & Partial<RefusalBody>;

const isEnvelope = (answer: unknown): answer is Envelope =>
  typeof answer === 'object' && answer !== null && 'resultCode' in answer && Number.isInteger(answer.resultCode);

/**
 * Creates a function that calls endpoints of the contract without a session: those for devices, the lab's and the
 * public ones.
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
    // The server checks the shape of its replies: a browser is built without the contract's schemas.
    return (await readReply(origin, response)) as ReplyOf<D>;
  };
}

/**
 * Reads the reply from a response of the portal.
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
