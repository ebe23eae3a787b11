import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { bearerToken } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';

/**
 * Lets through who holds the lab token, and who sits at this machine: the connection comes from loopback, was made to a
 * local name, by no web page of another site, and through no proxy.
 * @throws Refusal FORBIDDEN
 */
export function requireLab({ labToken }: Config, request: FastifyRequest): void {
  if (labToken !== null && isSame(bearerToken(request.headers.authorization) ?? '', labToken)) return;
  if (isAtThisMachine(request)) return;
  throw new Refusal('FORBIDDEN', {
    message: 'The lab answers this machine only; from elsewhere send LAB_TOKEN as the bearer token.',
  });
}

/** Digests have one length, and comparing them says nothing about where the texts differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** What proxies add: a proxy on this machine speaks for people elsewhere. */
const FORWARDING = /^(?:x-forwarded(?:-.*)?|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

function isAtThisMachine({ socket, headers }: FastifyRequest): boolean {
  const { host, origin } = headers;
  const isLoopback = LOOPBACK.test(socket.remoteAddress ?? '');
  const isForwarded = Object.keys(headers).some((name) => FORWARDING.test(name));
  // A page that rebinds DNS sends its own name as the host; a page of another site, its own as the origin.
  return isLoopback && !isForwarded && isLocal(`http://${host}`) && (origin === undefined || isLocal(origin));
}

const isLocal = (address: string): boolean => LOCAL_NAME.test(URL.parse(address)?.hostname ?? '');
