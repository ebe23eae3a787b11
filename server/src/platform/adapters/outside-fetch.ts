import { askOutside, type OutsidePolicy, parseOutside, readBounded } from './outside-connection.ts';

/** `fetch` options of libraries without their own HTTP client. */
export interface OutsideFetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface OutsideFetchLimits {
  /** Maximum size of a response, in bytes. */
  maxBytes: number;
  /** Timeout of one request. */
  timeoutMs: number;
}

/**
 * Creates a `fetch` with the rules of `fetchOutside` (decision 081) for libraries: any method and status, no redirects.
 * Throws if an address isn't allowed, or responds too late or with too much data.
 */
export function createOutsideFetch(policy: OutsidePolicy, { maxBytes, timeoutMs }: OutsideFetchLimits) {
  return async (address: string, options: OutsideFetchOptions): Promise<Response> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const { method, headers } = options;
    const answer = await askOutside(policy, parseOutside(policy, address), {
      method,
      headers,
      signal,
      body: textOf(options.body),
    });
    const body = await readBounded(answer, maxBytes);
    const sent = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(body.length > 0 ? new Uint8Array(body) : null, {
      status: answer.statusCode ?? 0,
      headers: new Headers(sent),
    });
  };
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError(`Expected a body of text or URLSearchParams, got ${Object.prototype.toString.call(body)}.`);
}
