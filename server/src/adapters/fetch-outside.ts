import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { Config } from '../config.ts';
import { Refusal } from '../http/refusal.ts';
import { isAllowedAddress, isLoopbackHost, unbracketed } from './outside-address.ts';

export interface FetchOutsideOptions {
  /** Field of the request that the address came from: what is wrong with it is said there. */
  field: string;
  /** The most that is read of an answer. */
  maxBytes: number;
  /** Media types for the `Accept` header. */
  accept?: string;
  /** For the whole of it, redirects included; 5000 unless told otherwise. */
  timeoutMs?: number;
  /** The addresses of a host, by DNS unless told otherwise. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** A successful answer. */
export interface OutsideAnswer {
  /** Where it came from in the end. */
  url: string;
  contentType: string;
  body: Buffer;
}

const REDIRECTS_MAX = 3;
const TIMEOUT_MS = 5_000;

/**
 * Reads an address that a person gave us, by GET, without following it into our own network (design 4 §2): https only, or
 * http to this machine; no private, link-local or reserved address, unless `ALLOW_PRIVATE_NETWORKS` opens the private
 * ones. A host is resolved once, and connected to at an address that was checked. Every redirect is checked the same way,
 * and none leads from outside to this machine.
 *
 * @example const { body } = await fetchOutside(deps.config, configurationUrl, { field: 'configurationUrl', maxBytes: 65_536 });
 * @throws Refusal INVALID_REQUEST with an issue on `field`, a sentence for people: the address is not allowed, does not
 * answer in time, answers with anything but 2xx, or with more than `maxBytes`.
 */
export async function fetchOutside(
  config: Pick<Config, 'allowPrivateNetworks'>,
  address: string,
  options: FetchOutsideOptions,
): Promise<OutsideAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    return await follow(config, parse(address), options, signal);
  } catch (reason) {
    if (reason instanceof OutsideRefused) throw refusal(options.field, reason.message);
    throw refusal(options.field, signal.aborted ? 'This address does not answer in time' : unreachable(reason));
  }
}

/**
 * Whether `fetchOutside` could ever read an address, as far as can be said without asking anybody.
 * @throws Refusal INVALID_REQUEST with an issue on `field`
 */
export function requireOutsideAddress(
  { allowPrivateNetworks }: Pick<Config, 'allowPrivateNetworks'>,
  address: string,
  field: string,
): URL {
  try {
    const url = parse(address);
    const host = unbracketed(url.hostname);
    if (isIP(host) && !isAllowedAddress(url.hostname, host, allowPrivateNetworks)) throw notAllowed();
    return url;
  } catch (reason) {
    if (reason instanceof OutsideRefused) throw refusal(field, reason.message);
    throw reason;
  }
}

/** Its message is for the person who gave the address. */
class OutsideRefused extends Error {}

const refusal = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });

function unreachable(reason: unknown): string {
  const code = reason instanceof Error && 'code' in reason ? ` (${String(reason.code)})` : '';
  return `This address cannot be reached${code}`;
}

function parse(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || url.hostname === '') throw new OutsideRefused('Invalid URL');
  if (url.username || url.password) throw new OutsideRefused('An address with a user name or password is not allowed');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!isSafe) throw new OutsideRefused('Only https addresses are allowed, or http to this machine');
  return url;
}

async function follow(
  config: Pick<Config, 'allowPrivateNetworks'>,
  first: URL,
  options: FetchOutsideOptions,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  let url = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await open(url, await checkedAddresses(config, url.hostname, options, signal), options, signal);
    const location = redirectOf(answer);
    if (location === undefined) return read(url, answer, options);
    answer.destroy();
    const next = parse(location, url);
    if (isLoopbackHost(next.hostname) && !isLoopbackHost(url.hostname)) throw notAllowed();
    url = next;
  }
  throw new OutsideRefused('This address redirects too often');
}

const notAllowed = () => new OutsideRefused('Addresses of private networks are not allowed');

/** @throws OutsideRefused unless all addresses of the host are allowed */
async function checkedAddresses(
  { allowPrivateNetworks }: Pick<Config, 'allowPrivateNetworks'>,
  hostname: string,
  { resolve = (host) => lookup(host, { all: true }) }: FetchOutsideOptions,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const host = unbracketed(hostname);
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await orAborted(resolve(host), signal);
  const isAllowed = addresses.every(({ address }) => isAllowedAddress(hostname, address, allowPrivateNetworks));
  if (!isAllowed || addresses.length === 0) throw notAllowed();
  return addresses;
}

/** A question to DNS cannot be called off, but need not be waited for. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function open(
  url: URL,
  addresses: LookupAddress[],
  { accept = '*/*' }: FetchOutsideOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Not by import, which would fill in every export of the module (decision 018).
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Orchestrate' };
  const options: RequestOptions = { headers, signal, agent: false, lookup: onlyTo(addresses) };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, options, resolve);
    sent.once('error', reject);
    sent.end();
  });
}

/** Answers a socket that asks for the addresses of its host with those that were checked. */
function onlyTo(addresses: LookupAddress[]): LookupFunction {
  const [first = { address: '', family: 0 }] = addresses;
  return (_host, { all }, answer) => (all ? answer(null, addresses) : answer(null, first.address, first.family));
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? location : undefined;
}

async function read(url: URL, answer: IncomingMessage, { maxBytes }: FetchOutsideOptions): Promise<OutsideAnswer> {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode < 200 || statusCode > 299)
      throw new OutsideRefused(`This address answers with status ${statusCode}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutsideRefused('This address answers with too much data');
      chunks.push(chunk);
    }
    return { url: url.href, contentType: headers['content-type'] ?? '', body: Buffer.concat(chunks) };
  } finally {
    answer.destroy();
  }
}
