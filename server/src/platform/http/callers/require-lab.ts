import type { FastifyRequest } from 'fastify';
import type { Config } from '#config.ts';
import { hashSecret, isSameSecret } from '../../adapters/secrets.ts';
import { Refusal } from '../../refusal.ts';
import { bearerToken } from './caller.ts';
import { isLocalHost, isLocalPortal, isLocalUrl } from './local-portal.ts';

/**
 * Admits requests with the lab token. On a local portal, also admits requests from programs and pages on this machine
 * (decision 014).
 * @param given the token, unless it is sent as a bearer token
 * @throws Refusal FORBIDDEN for any other request
 */
export function requireLab(
  config: Config,
  request: FastifyRequest,
  given: string = bearerToken(request.headers.authorization) ?? '',
): void {
  const { labToken } = config;
  // Comparing hashes keeps even the token's length secret.
  if (labToken !== null && isSameSecret(hashSecret(given), hashSecret(labToken))) return;
  const isLocal = isLocalPortal(config);
  if (isLocal && isFromThisMachine(request)) return;
  throw new Refusal('FORBIDDEN', { message: sentence(isLocal, labToken !== null) });
}

function sentence(isLocal: boolean, hasToken: boolean): string {
  if (isLocal)
    return 'The lab accepts requests only from this machine. From other machines, send LAB_TOKEN as a bearer token.';
  if (hasToken) return 'Other machines can reach this portal. To use the lab, send LAB_TOKEN as a bearer token.';
  return 'Other machines can reach this portal. To open the lab, set LAB_TOKEN.';
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
/** Headers that proxies add. The list can't be complete, so non-local portals don't rely on it. */
const FORWARDING =
  /^(?:x-forwarded(?:-.*)?|forwarded|via|x-(?:real|client|cluster-client|original).*|true-client-ip|cf-.*)$/;

/**
 * Returns true for a direct connection from this machine to a local hostname, unless it comes from a page on another
 * site or through a recognisable proxy. HTTP/1.0 indicates a proxy: many proxies use it upstream, and no local
 * program does.
 */
function isFromThisMachine({ socket, headers, raw }: FastifyRequest): boolean {
  const { host, origin, referer } = headers;
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name)) &&
    // After DNS rebinding, the `Host` header contains the page's own hostname, so require a local hostname.
    isLocalHost(host ?? '') &&
    // A page on another site sends its own origin, or only `cross-site` (Fetch Metadata).
    [origin, referer].every((page) => page === undefined || isLocalUrl(page)) &&
    headers['sec-fetch-site'] !== 'cross-site'
  );
}
