import rateLimit from '@fastify/rate-limit';
import { type EndpointDefinition, MINUTE } from '@orchestrate/shared';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { Config } from '../../../config.ts';
import { Refusal } from '../../refusal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Under which name requests are counted. */
    budgetOf(subject: string): string;
    /** From now on they are counted under another name, and so from the start. */
    forgetBudgets(): void;
  }
}

/** Sets up the rate limit that `publicWriteLimit` gives to routes: one budget per address, shared by all of them. */
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
    keyGenerator: ({ ip }) => app.budgetOf(ip),
    errorResponseBuilder: (_request, { after }) =>
      new Refusal('BAD_REQUEST', { status: 429, message: `Too many requests. Try again in ${after}.` }),
  });
}

/** The limit on public writes, as route options; none for other routes, or if the limit is switched off. */
export function publicWriteLimit(
  app: FastifyInstance,
  entry: EndpointDefinition,
  config: Config,
): Pick<RouteShorthandOptions, 'onRequest'> {
  return isPublicWrite(entry) ? writeLimit(app, config) : {};
}

/** Whether an endpoint counts towards the limit on public writes. */
export const isPublicWrite = ({ method, access, isCounted }: EndpointDefinition): boolean =>
  (method !== 'GET' || isCounted === true) && (access.who === 'public' || access.who === 'device');

/** The same for routes that aren't endpoints of the API. */
export function writeLimit(
  app: FastifyInstance,
  { rateLimit: max }: Pick<Config, 'rateLimit'>,
): Pick<RouteShorthandOptions, 'onRequest'> {
  return max > 0 ? { onRequest: app.rateLimit() } : {};
}
