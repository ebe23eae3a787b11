import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { INVALID_URL, urlProblem } from '@orchestrate/shared';
import { addressObstacle, INSIDE, isLoopbackHost, type OutsidePolicy, unbracketed } from './outside-address.ts';

export type { OutsidePolicy };

/** Thrown for a forbidden address or an unusable response, with a message for users. */
export class OutsideRefused extends Error {}

/** Parses an address and checks it without resolving it. @throws OutsideRefused */
export function parseOutside(policy: OutsidePolicy, address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || url.hostname === '') throw new OutsideRefused((!base && urlProblem(address, 'web')) || INVALID_URL);
  if (url.username || url.password) throw new OutsideRefused('An address with a user name or password is not allowed');
  if (url.origin === policy.ownOrigin) return url;
  const isLoopback = isLoopbackHost(url.hostname);
  if (isLoopback && !policy.allowsInside) throw new OutsideRefused(INSIDE);
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:'))
    throw new OutsideRefused(onlyHttps(policy));
  const host = unbracketed(url.hostname);
  if (isIP(host)) requireReachable(policy, url.hostname, [{ address: host }]);
  return url;
}

const onlyHttps = ({ allowsInside }: OutsidePolicy) =>
  allowsInside ? 'Only https addresses are allowed, or http to this machine' : 'Only https addresses are allowed';

/** Throws OutsideRefused unless all addresses of a host are allowed. */
function requireReachable(policy: OutsidePolicy, host: string, addresses: Pick<LookupAddress, 'address'>[]): void {
  const obstacle = addresses.map(({ address }) => addressObstacle(policy, host, address)).find(Boolean);
  if (obstacle !== undefined) throw new OutsideRefused(obstacle);
}

/** Options of a request. Default: GET without a body. */
export interface OutsideRequest {
  method?: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Resolves the addresses of a host. Default: DNS. */
  resolve?: ((host: string) => Promise<LookupAddress[]>) | undefined;
  /** Aborts the whole request. */
  signal: AbortSignal;
}

/**
 * Sends one request to a checked address, without following redirects.
 * @throws OutsideRefused unless all addresses of the host are allowed
 */
export async function askOutside(policy: OutsidePolicy, url: URL, request: OutsideRequest): Promise<IncomingMessage> {
  return open(url, await checkedAddresses(policy, url, request), request);
}

async function checkedAddresses(
  policy: OutsidePolicy,
  { hostname, origin }: URL,
  { resolve = (host) => lookup(host, { all: true }), signal }: OutsideRequest,
): Promise<LookupAddress[]> {
  const host = unbracketed(hostname);
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await orAborted(resolve(host), signal);
  if (addresses.length === 0) throw new OutsideRefused('This host has no address');
  if (origin !== policy.ownOrigin) requireReachable(policy, hostname, addresses);
  return addresses;
}

/** Rejects when the signal aborts, because a DNS query can't be cancelled. */
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
  // Not imported, which would load all exports of the module (decision 018).
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  // RFC 9110 §7.6.3: marks a request made on behalf of another party. The lab rejects requests with this mark, whatever
  // name, redirect or DNS led there.
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
    // After a 101 response, Node only closes the connection.
    sent.once('close', () => reject(new Error('The connection was closed before there was an answer.')));
    sent.end(body);
  });
}

/** Returns a socket lookup with only the checked addresses. */
function onlyTo(addresses: LookupAddress[]): LookupFunction {
  const [first = { address: '', family: 0 }] = addresses;
  return (_host, { all }, answer) => (all ? answer(null, addresses) : answer(null, first.address, first.family));
}

/** Reads a response. @throws OutsideRefused if it is larger than `maxBytes` */
export async function readBounded(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutsideRefused('This address responded with too much data');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    answer.destroy();
  }
}
