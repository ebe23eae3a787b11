import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';
import { isLoopbackHost } from './outside-address.ts';
import { askOutside, type OutsidePolicy, OutsideRefused, parseOutside, readBounded } from './outside-connection.ts';

export interface FetchOutsideOptions {
  /** Field of the request that contained the address; errors are attached to it. */
  field: string;
  /** The maximum number of bytes read from an answer. */
  maxBytes: number;
  /** Media types for the `Accept` header. */
  accept?: string;
  /** For the whole operation, redirects included; 5000 by default. */
  timeoutMs?: number;
  /** Resolves the addresses of a host; by DNS by default. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** A successful answer. */
export interface OutsideAnswer {
  /** The final address, after redirects. */
  url: string;
  contentType: string;
  body: Buffer;
}

const REDIRECTS_MAX = 3;
const TIMEOUT_MS = 5_000;
const REDIRECTED_INSIDE = 'This address redirects to this machine';

/** The only message about addresses of this machine, so that it does not reveal what listens where. */
export const UNREADABLE = 'This address cannot be read';

/** Whether an address names this machine, judging by the address alone. */
export function isLoopbackAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopbackHost(url.hostname);
}

/**
 * Reads an address that a person gave us, by GET, without letting it reach into our own network (decision 081): https
 * only; loopback, which may be http, and private networks only if the policy allows them; never a link-local or reserved
 * address. A host is resolved once, and connected to at an address that was checked. Every redirect is checked the same
 * way, and none leads from outside to this machine.
 *
 * @example const { body } = await fetchOutside(deps.outsidePolicy, configurationUrl, { field: 'configurationUrl', maxBytes:
 * 65_536 });
 * @throws Refusal INVALID_REQUEST with an issue on `field`, a sentence for people: the address is not allowed, does not
 * answer in time, answers with anything but 2xx, or with more than `maxBytes`.
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
 * Whether `fetchOutside` could ever read an address, judged without any network access.
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
