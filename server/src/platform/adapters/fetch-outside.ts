import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';
import { isLoopbackHost } from './outside-address.ts';
import { type OutsidePolicy, OutsideRefused, parseOutside, readBounded, requestOutside } from './outside-connection.ts';

export interface FetchOutsideOptions {
  /** Request field that contains the URL, reported in errors. */
  field: string;
  /** Maximum response size, in bytes. */
  maxBytes: number;
  /** Media types for the `Accept` header. */
  accept?: string;
  /** Timeout of the whole operation including redirects, in milliseconds. Default: 5000. */
  timeoutMs?: number;
  /** Resolves a host to its addresses. Default: DNS. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** A successful response. */
export interface OutsideResponse {
  /** Final URL, after redirects. */
  url: string;
  contentType: string;
  body: Buffer;
}

const REDIRECTS_MAX = 3;
const TIMEOUT_MS = 5_000;
const REDIRECTED_INSIDE = 'This address redirects to this machine';

/** Shared error message for every failure on this machine. Different messages would reveal which ports are open. */
export const UNREADABLE_ADDRESS_MESSAGE = 'This address cannot be read';

/** Returns true if the host in a URL is this machine. Does not look up DNS names. */
export function isLoopbackUrl(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopbackHost(url.hostname);
}

/**
 * Fetches a user-supplied URL with GET without exposing the internal network (decision 081). Only https is allowed,
 * except http to loopback. Loopback and private networks are allowed only if the policy says so; link-local and
 * reserved addresses never are. Resolves each host once and connects to a checked address. Applies the same checks to
 * every redirect, and never follows a redirect from outside to this machine.
 * @example const { body } = await fetchOutside(deps.outsidePolicy, configurationUrl, { field: 'configurationUrl',
 * maxBytes: 65_536 });
 * @throws Refusal INVALID_REQUEST with an issue on `field` if the URL isn't allowed, or if it doesn't respond in
 * time, responds with a status other than 2xx or returns more than `maxBytes`
 */
export async function fetchOutside(
  policy: OutsidePolicy,
  address: string,
  options: FetchOutsideOptions,
): Promise<OutsideResponse> {
  const url = requireOutsideAddress(policy, address, options.field);
  const isHidden = isLoopbackHost(url.hostname) && !policy.isLocal;
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    return await follow(policy, url, options, signal);
  } catch (reason) {
    if (isHidden) throw refusal(options.field, UNREADABLE_ADDRESS_MESSAGE);
    if (reason instanceof OutsideRefused) throw refusal(options.field, reason.message);
    throw refusal(options.field, signal.aborted ? "This address didn't respond in time" : unreachable(reason));
  }
}

/**
 * Checks, without network access, that `fetchOutside` would allow a URL.
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
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return `The certificate at this address is not trusted (${code})`;
  return code === '' ? "Couldn't reach this address" : `Couldn't reach this address (${code})`;
}

async function follow(
  policy: OutsidePolicy,
  first: URL,
  options: FetchOutsideOptions,
  signal: AbortSignal,
): Promise<OutsideResponse> {
  const { accept = '*/*', resolve } = options;
  let url = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await requestOutside(policy, url, { headers: { accept }, resolve, signal });
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

async function read(url: URL, answer: IncomingMessage, { maxBytes }: FetchOutsideOptions): Promise<OutsideResponse> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200 || statusCode > 299) {
    answer.destroy();
    throw new OutsideRefused(`This address responded with status ${statusCode}`);
  }
  return { url: url.href, contentType: headers['content-type'] ?? '', body: await readBounded(answer, maxBytes) };
}
