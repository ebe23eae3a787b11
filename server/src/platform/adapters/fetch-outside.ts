import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';
import { isLoopbackHost } from './outside-address.ts';
import { askOutside, type OutsidePolicy, OutsideRefused, parseOutside, readBounded } from './outside-connection.ts';

export interface FetchOutsideOptions {
  /** Field of the request with the address, named in errors. */
  field: string;
  /** Maximum size of a response, in bytes. */
  maxBytes: number;
  /** Media types for the `Accept` header. */
  accept?: string;
  /** Timeout of the whole operation including redirects. Default: 5000. */
  timeoutMs?: number;
  /** Resolves the addresses of a host. Default: DNS. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** A successful response. */
export interface OutsideAnswer {
  /** The final address, after redirects. */
  url: string;
  contentType: string;
  body: Buffer;
}

const REDIRECTS_MAX = 3;
const TIMEOUT_MS = 5_000;
const REDIRECTED_INSIDE = 'This address redirects to this machine';

/** The only message about addresses of this machine, so that it doesn't reveal open ports. */
export const UNREADABLE = 'This address cannot be read';

/** Returns true if an address names this machine, without resolving it. */
export function isLoopbackAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopbackHost(url.hostname);
}

/**
 * Fetches a user-supplied address by GET without reaching into the internal network (decision 081): https only; loopback
 * (also by http) and private networks only if the policy allows them; never link-local or reserved addresses. Resolves a
 * host once and connects to a checked address. Checks every redirect in the same way, and follows none from outside to
 * this machine.
 *
 * @example const { body } = await fetchOutside(deps.outsidePolicy, configurationUrl, { field: 'configurationUrl', maxBytes:
 * 65_536 });
 * @throws Refusal INVALID_REQUEST with an issue on `field` if the address isn't allowed, doesn't respond in time, or
 * responds with a status other than 2xx or with more than `maxBytes`
 */
export async function fetchOutside(
  policy: OutsidePolicy,
  address: string,
  options: FetchOutsideOptions,
): Promise<OutsideAnswer> {
  const url = requireOutsideAddress(policy, address, options.field);
  const isHidden = isLoopbackHost(url.hostname) && !policy.isLocal;
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    return await follow(policy, url, options, signal);
  } catch (reason) {
    if (isHidden) throw refusal(options.field, UNREADABLE);
    if (reason instanceof OutsideRefused) throw refusal(options.field, reason.message);
    throw refusal(options.field, signal.aborted ? "This address didn't respond in time" : unreachable(reason));
  }
}

/**
 * Checks without network access that `fetchOutside` could read an address.
 * @throws Refusal INVALID_REQUEST with an issue on `field`
 */
export function requireOutsideAddress(policy: OutsidePolicy, address: string, field: string): URL {
  try {
    return parseOutside(policy, address);
  } catch (reason) {
    if (reason instanceof OutsideRefused) throw refusal(field, reason.message);
    throw reason;
  }
}

const refusal = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });

function unreachable(reason: unknown): string {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  if (code === 'ECONNREFUSED') return 'This address refused the connection';
  if (code === 'ENOTFOUND') return 'There is no host with this name';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return `The certificate of this address is not trusted (${code})`;
  return code === '' ? 'This address cannot be reached' : `This address cannot be reached (${code})`;
}

async function follow(
  policy: OutsidePolicy,
  first: URL,
  options: FetchOutsideOptions,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  const { accept = '*/*', resolve } = options;
  let url = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await askOutside(policy, url, { headers: { accept }, resolve, signal });
    const location = redirectOf(answer);
    if (location === undefined) return read(url, answer, options);
    answer.destroy();
    const next = parseOutside(policy, location, url);
    if (isLoopbackHost(next.hostname) && !isLoopbackHost(url.hostname)) throw new OutsideRefused(REDIRECTED_INSIDE);
    url = next;
  }
  throw new OutsideRefused('This address redirects too many times');
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? location : undefined;
}

async function read(url: URL, answer: IncomingMessage, { maxBytes }: FetchOutsideOptions): Promise<OutsideAnswer> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200 || statusCode > 299) {
    answer.destroy();
    throw new OutsideRefused(`This address responded with status ${statusCode}`);
  }
  return { url: url.href, contentType: headers['content-type'] ?? '', body: await readBounded(answer, maxBytes) };
}
