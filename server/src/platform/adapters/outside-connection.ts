import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { INVALID_URL, urlProblem } from '@orchestrate/shared';
import {
  addressError,
  INTERNAL_NOT_ALLOWED,
  isLoopbackHost,
  type OutsidePolicy,
  withoutBrackets,
} from './outside-address.ts';

export type { OutsidePolicy };

/** Thrown for a forbidden URL or an unusable response. The message is meant for users. */
export class OutsideRefused extends Error {}

/**
 * Parses a URL and checks it without resolving its host.
 * @throws OutsideRefused if the URL is invalid or not allowed
 */
export function parseOutside(policy: OutsidePolicy, address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || url.hostname === '') throw new OutsideRefused((!base && urlProblem(address, 'web')) || INVALID_URL);
  if (url.username || url.password) throw new OutsideRefused('Addresses cannot contain a user name or password');
  if (url.origin === policy.ownOrigin) return url;
  const isLoopback = isLoopbackHost(url.hostname);
  if (isLoopback && !policy.allowsInside) throw new OutsideRefused(INTERNAL_NOT_ALLOWED);
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:'))
    throw new OutsideRefused(onlyHttps(policy));
  const host = withoutBrackets(url.hostname);
  if (isIP(host)) requireReachable(policy, url.hostname, [{ address: host }]);
  return url;
}

const onlyHttps = ({ allowsInside }: OutsidePolicy) =>
  allowsInside ? 'Only https addresses are allowed, or http to this machine' : 'Only https addresses are allowed';

/**
 * Checks the addresses to which a host resolved.
 * @throws OutsideRefused unless all of the host's addresses are allowed
 */
function requireReachable(policy: OutsidePolicy, host: string, addresses: Pick<LookupAddress, 'address'>[]): void {
  const obstacle = addresses.map(({ address }) => addressError(policy, host, address)).find(Boolean);
  if (obstacle !== undefined) throw new OutsideRefused(obstacle);
}

/** Options for a request, which is a GET without a body by default. */
export interface OutsideRequest {
  method?: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Resolves a host to its addresses. Default: DNS. */
  resolve?: ((host: string) => Promise<LookupAddress[]>) | undefined;
  /** Aborts the whole request. */
  signal: AbortSignal;
}

/**
 * Sends one request to a checked address without following redirects.
 * @throws OutsideRefused unless all of the host's addresses are allowed
 */
export async function requestOutside(
  policy: OutsidePolicy,
  url: URL,
  request: OutsideRequest,
): Promise<IncomingMessage> {
  return open(url, await checkedAddresses(policy, url, request), request);
}

async function checkedAddresses(
  policy: OutsidePolicy,
  { hostname, origin }: URL,
  { resolve = (host) => lookup(host, { all: true }), signal }: OutsideRequest,
): Promise<LookupAddress[]> {
  const host = withoutBrackets(hostname);
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await orAborted(resolve(host), signal);
  if (addresses.length === 0) throw new OutsideRefused('This host has no address');
  if (origin !== policy.ownOrigin) requireReachable(policy, hostname, addresses);
  return addresses;
}

/** Rejects as soon as the signal aborts, because DNS queries can't be cancelled. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function open(
  url: URL,
  addresses: LookupAddress[],
  { method = 'GET', headers, body, signal }: OutsideRequest,
): Promise<IncomingMessage> {
  // Load the module lazily. A static import would load all of its exports (decision 018).
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  // RFC 9110 §7.6.3: `via` marks a request made on behalf of another party. The lab rejects marked requests,
  // whichever hostname, redirect or DNS record led to the lab.
  const own = { 'accept-encoding': 'identity', 'user-agent': 'Orchestrate', via: '1.1 orchestrate' };
  const options: RequestOptions = {
    method,
    signal,
    agent: false,
    lookup: onlyTo(addresses),
    headers: { ...headers, ...own },
  };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, options, resolve);
    sent.once('error', reject);
    // After a 101 response, Node emits only `close`.
    sent.once('close', () => reject(new Error('The connection was closed before a response arrived.')));
    sent.end(body);
  });
}

/** Returns a socket lookup function that yields only the checked addresses. */
function onlyTo(addresses: LookupAddress[]): LookupFunction {
  const [first = { address: '', family: 0 }] = addresses;
  return (_host, { all }, answer) => (all ? answer(null, addresses) : answer(null, first.address, first.family));
}

/** Reads a response body. @throws OutsideRefused if it is larger than `maxBytes` */
export async function readBounded(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutsideRefused('This address returned too much data');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    answer.destroy();
  }
}
