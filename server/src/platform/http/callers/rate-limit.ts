import rateLimit from '@fastify/rate-limit';
import { type EndpointDefinition, MINUTE, SECOND } from '@orchestrate/shared';
import type { FastifyInstance, preHandlerAsyncHookHandler, RouteShorthandOptions } from 'fastify';
import type { Config } from '#config.ts';
import { Refusal } from '../../refusal.ts';
import { tooManyRequests } from '../../times.ts';
import { networkOf } from './network-of.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Under which name requests are counted. */
    budgetOf(subject: string): string;
    /** From now on they are counted under another name, and so from the start. */
    forgetBudgets(): void;
  }
}

/** Sets up the rate limit on public writes: one budget per network, shared by all of them. */
export async function limitRates(app: FastifyInstance, { rateLimit: max }: Config): Promise<void> {
  let forgotten = 0;
  app.decorate('budgetOf', (subject) => `${forgotten} ${subject}`);
  app.decorate('forgetBudgets', () => {
    forgotten += 1;
  });
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: MINUTE,
    keyGenerator: ({ ip }) => app.budgetOf(networkOf(ip)),
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('BAD_REQUEST', { status: 429, message: tooManyRequests(Math.ceil(ttl / SECOND)) }),
  });
}

/** What counts the public writes of an endpoint; undefined for other endpoints, or if the limit is switched off. */
export function publicWriteLimit(
  app: FastifyInstance,
  entry: EndpointDefinition,
  { rateLimit: max }: Config,
): preHandlerAsyncHookHandler | undefined {
  return max > 0 && isPublicWrite(entry) ? app.rateLimit() : undefined;
}

/** Whether an endpoint counts towards the limit on public writes. */
export const isPublicWrite = ({ method, access, isCounted }: EndpointDefinition): boolean =>
  (method !== 'GET' || isCounted === true) && (access.who === 'public' || access.who === 'device');

/** The same limit, as options of a route that isn't an endpoint of the API. */
export function writeLimit(
  app: FastifyInstance,
  { rateLimit: max }: Pick<Config, 'rateLimit'>,
): Pick<RouteShorthandOptions, 'onRequest'> {
  return max > 0 ? { onRequest: app.rateLimit() } : {};
}
