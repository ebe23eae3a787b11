import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { Refusal } from '../../refusal.ts';

const MESSAGE = 'The proxy in front of the portal must send IP addresses without ports in X-Forwarded-For.';

/**
 * Refuses requests from a trusted proxy if `X-Forwarded-For` isn't an IP address, because limits, address lists and
 * histories depend on it.
 */
export function requireForwardedAddress(app: FastifyInstance, { config }: Deps): void {
  if (config.trustedProxies.length === 0) return;
  app.addHook('onRequest', (request, _reply, done) => {
    done(isIP(request.ip) === 0 ? new Refusal('BAD_REQUEST', { message: MESSAGE }) : undefined);
  });
}
