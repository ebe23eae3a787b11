import type { FastifyRequest } from 'fastify';
import type { Config } from '#config.ts';
import { hashSecret, isSameSecret } from '../../adapters/secrets.ts';
import { Refusal } from '../../refusal.ts';
import { bearerToken } from './caller.ts';
import { isLocalAddress, isLocalHost, isLocalPortal } from './local-portal.ts';

/**
 * Admits callers with the lab token and, on a local portal, also programs and pages of this machine (decision 014).
 * @param given the token, if it isn't sent as the bearer token
 * @throws Refusal FORBIDDEN
 */
export function requireLab(
  config: Config,
  request: FastifyRequest,
  given: string = bearerToken(request.headers.authorization) ?? '',
): void {
  const { labToken } = config;
  // Comparing hashes doesn't even reveal the token's length.
  if (labToken !== null && isSameSecret(hashSecret(given), hashSecret(labToken))) return;
  const isLocal = isLocalPortal(config);
  if (isLocal && isFromThisMachine(request)) return;
  throw new Refusal('FORBIDDEN', { message: sentence(isLocal, labToken !== null) });
}

function sentence(isLocal: boolean, hasToken: boolean): string {
  if (isLocal)
    return 'The lab accepts requests from this machine only. From elsewhere, send LAB_TOKEN as the bearer token.';
  if (hasToken) return 'This portal is reachable from elsewhere. Send LAB_TOKEN as the bearer token to use the lab.';
  return 'This portal is reachable from elsewhere. Set LAB_TOKEN to open the lab.';
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
/** Headers that proxies add. The list can't be complete, so a portal that isn't local doesn't rely on it. */
const FORWARDING =
  /^(?:x-forwarded(?:-.*)?|forwarded|via|x-(?:real|client|cluster-client|original).*|true-client-ip|cf-.*)$/;

/**
 * Returns true for a direct connection from this machine to a local name that isn't made by a page of another site or
 * through a recognisable proxy. Many proxies use HTTP/1.0 to the upstream server, which no local program does.
 */
function isFromThisMachine({ socket, headers, raw }: FastifyRequest): boolean {
  const { host, origin, referer } = headers;
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    raw.httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name)) &&
    // After DNS rebinding, the host is the page's own name.
    isLocalHost(host ?? '') &&
    // A page of another site sends its own origin, or only `cross-site` (Fetch Metadata).
    [origin, referer].every((page) => page === undefined || isLocalAddress(page)) &&
    headers['sec-fetch-site'] !== 'cross-site'
  );
}
