import { type OutsidePolicy, parseOutside, readBounded, requestOutside } from './outside-connection.ts';

/** Options that libraries pass to the `fetch` provided to them. */
export interface OutsideFetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface OutsideFetchLimits {
  /** Maximum response size, in bytes. */
  maxBytes: number;
  /** Timeout per request, in milliseconds. */
  timeoutMs: number;
}

/**
 * Creates a `fetch` for libraries that applies the rules of `fetchOutside` (decision 081). It allows any method and
 * status but follows no redirects. It throws if the URL isn't allowed, or if the response is late or too large.
 */
export function createOutsideFetch(policy: OutsidePolicy, { maxBytes, timeoutMs }: OutsideFetchLimits) {
  return async (address: string, options: OutsideFetchOptions): Promise<Response> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const { method, headers } = options;
    const answer = await requestOutside(policy, parseOutside(policy, address), {
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
  throw new TypeError(`Expected a string or URLSearchParams body, got ${Object.prototype.toString.call(body)}.`);
}
