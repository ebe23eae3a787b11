import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { Config } from '../../config.ts';
import { isAllowedAddress, isLoopbackHost, unbracketed } from './outside-address.ts';

/** Whether private networks are open. */
export type OutsidePolicy = Pick<Config, 'allowPrivateNetworks'>;

/** An address that is not to be read, or an answer that is not to be used; its message is for people. */
export class OutsideRefused extends Error {}

export const notAllowed = () => new OutsideRefused('Addresses of private networks are not allowed');

/** An address that may be asked for as far as it says itself. @throws OutsideRefused */
export function parseOutside(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url || url.hostname === '') throw new OutsideRefused('Invalid URL');
  if (url.username || url.password) throw new OutsideRefused('An address with a user name or password is not allowed');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!isSafe) throw new OutsideRefused('Only https addresses are allowed, or http to this machine');
  return url;
}

/** What is sent beside the address; GET with nothing unless told otherwise. */
export interface OutsideRequest {
  method?: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The addresses of a host, by DNS unless told otherwise. */
  resolve?: ((host: string) => Promise<LookupAddress[]>) | undefined;
  /** For the whole of it. */
  signal: AbortSignal;
}

/**
 * Asks once, at an address that has been checked, and follows nothing.
 * @throws OutsideRefused unless all addresses of the host are allowed
 */
export async function askOutside(policy: OutsidePolicy, url: URL, request: OutsideRequest): Promise<IncomingMessage> {
  return open(url, await checkedAddresses(policy, url.hostname, request), request);
}

async function checkedAddresses(
  { allowPrivateNetworks }: OutsidePolicy,
  hostname: string,
  { resolve = (host) => lookup(host, { all: true }), signal }: OutsideRequest,
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
  { method = 'GET', headers, body, signal }: OutsideRequest,
): Promise<IncomingMessage> {
  // Not by import, which would fill in every export of the module (decision 018).
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  // RFC 9110 §7.6.3: asked on behalf of somebody else. The portal's own lab lets nothing in that says so, whatever name,
  // redirect or DNS led there.
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
    sent.end(body);
  });
}

/** Answers a socket that asks for the addresses of its host with those that were checked. */
function onlyTo(addresses: LookupAddress[]): LookupFunction {
  const [first = { address: '', family: 0 }] = addresses;
  return (_host, { all }, answer) => (all ? answer(null, addresses) : answer(null, first.address, first.family));
}

/** All of an answer. @throws OutsideRefused where it is more than `maxBytes` */
export async function readBounded(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutsideRefused('This address answers with too much data');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    answer.destroy();
  }
}
