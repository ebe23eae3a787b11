import { z } from 'zod';
import type { EndpointDefinition, FieldsOf, InputOf, ReplyOf } from '../endpoint.ts';
import { resultNameOf } from '../result-codes.ts';
import { AuthenticatorRefusal, PortalUnreachable } from './authenticator-refusal.ts';

/** The part of `fetch` that is needed, so that a test can pass its own. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

/** Calls one endpoint of the contract: resolves with its reply, rejects with a refusal or `PortalUnreachable`. */
export type PortalCall = <D extends EndpointDefinition>(entry: D, input: InputOf<D>) => Promise<ReplyOf<D>>;

export interface PortalCallOptions {
  /** Origin of the portal, e.g. `http://localhost:3000`. */
  baseUrl: string;
  fetch?: Fetch;
  /** Sent with every call, e.g. the lab's token. */
  headers?: Record<string, string>;
  /** Receives the `Date` header of every answer. */
  onDate?: (date: string | null) => void;
}

const envelope = z.looseObject({
  resultCode: z.number().int(),
  // Only a refusal has these two (design contract §1).
  resultName: z.string().optional(),
  message: z.string().optional(),
});

/** A caller for the endpoints of the contract that need no session: a device's, the lab's and the public ones. */
export function createPortalCall({
  baseUrl,
  fetch: send = fetch,
  headers = {},
  onDate,
}: PortalCallOptions): PortalCall {
  const origin = baseUrl.replace(/\/+$/, '');

  return async <D extends EndpointDefinition>(entry: D, input: InputOf<D>): Promise<ReplyOf<D>> => {
    const { params, query, body }: { params?: unknown; query?: unknown; body?: unknown } = input;
    const response = await send(`${origin}/api${addressOf(entry.path, params, query)}`, {
      method: entry.method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new PortalUnreachable(origin, cause);
    });
    onDate?.(response.headers.get('date'));

    const answer = envelope.safeParse(await response.json().catch(() => null));
    if (!answer.success) throw new PortalUnreachable(origin, `HTTP ${response.status}`);
    const { resultCode, resultName, message } = answer.data;
    if (resultName !== undefined) {
      throw new AuthenticatorRefusal({
        status: response.status,
        resultCode,
        resultName: resultNameOf(resultCode) ?? 'FAILED',
        message: message ?? '',
      });
    }
    const fields = entry.reply.parse(answer.data) as FieldsOf<D>;
    return { ...fields, resultCode };
  };
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const filled = Object.entries(Object(params)).reduce(
    (address, [name, value]) => address.replace(`:${name}`, encodeURIComponent(String(value))),
    path,
  );
  const given = Object.entries(Object(query)).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
