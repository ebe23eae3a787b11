import rateLimit from '@fastify/rate-limit';
import { type EndpointDefinition, MINUTE, SECOND } from '@orchestrate/shared';
import type { FastifyInstance, preHandlerAsyncHookHandler, RouteShorthandOptions } from 'fastify';
import type { Config } from '#config.ts';
import { Refusal } from '../../refusal.ts';
import { tooManyRequestsMessage } from '../../times.ts';
import { networkOf } from './network-of.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the key under which requests are counted. */
    rateLimitKey(subject: string): string;
    /** Resets all counters by changing their keys. */
    resetRateLimits(): void;
  }
}

/** Sets up the rate limit on public writes. Each network has a single counter for all endpoints. */
export async function limitRates(app: FastifyInstance, { rateLimit: max }: Config): Promise<void> {
  let generation = 0;
  app.decorate('rateLimitKey', (subject) => `${generation} ${subject}`);
  app.decorate('resetRateLimits', () => {
    generation += 1;
  });
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: MINUTE,
    keyGenerator: ({ ip }) => app.rateLimitKey(networkOf(ip)),
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('BAD_REQUEST', { status: 429, message: tooManyRequestsMessage(Math.ceil(ttl / SECOND)) }),
  });
}

/**
 * Returns the hook that limits public writes to an endpoint, or undefined if the endpoint isn't limited or no limit
 * is set.
 */
export function publicWriteLimit(
  app: FastifyInstance,
  entry: EndpointDefinition,
  { rateLimit: max }: Config,
): preHandlerAsyncHookHandler | undefined {
  return max > 0 && isPublicWrite(entry) ? app.rateLimit() : undefined;
}

/** Returns true if requests to an endpoint count towards the limit on public writes. */
export const isPublicWrite = ({ method, access, isCounted }: EndpointDefinition): boolean =>
  (method !== 'GET' || isCounted === true) && (access.who === 'public' || access.who === 'device');

/** Returns route options that apply the limit on public writes outside the API. */
export function writeLimit(
  app: FastifyInstance,
  { rateLimit: max }: Pick<Config, 'rateLimit'>,
): Pick<RouteShorthandOptions, 'onRequest'> {
  return max > 0 ? { onRequest: app.rateLimit() } : {};
}
