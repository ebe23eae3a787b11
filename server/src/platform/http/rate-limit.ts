import rateLimit from '@fastify/rate-limit';
import { type EndpointDefinition, MINUTE } from '@orchestrate/shared';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { Config } from '../../config.ts';
import { Refusal } from '../refusal.ts';

/** Makes ready what `publicWriteLimit` gives to routes: one budget per address, for all of them together. */
export async function limitRates(app: FastifyInstance, { rateLimit: max }: Config): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: MINUTE,
    errorResponseBuilder: (_request, { after }) =>
      new Refusal('BAD_REQUEST', { status: 429, message: `Too many requests. Try again in ${after}.` }),
  });
}

/** The limit on what anybody may write, as route options; none elsewhere, or where the limit is switched off. */
export function publicWriteLimit(
  app: FastifyInstance,
  { method, access, isCounted }: EndpointDefinition,
  config: Config,
): Pick<RouteShorthandOptions, 'onRequest'> {
  const isPublicWrite = (method !== 'GET' || isCounted) && (access.who === 'public' || access.who === 'device');
  return isPublicWrite ? writeLimit(app, config) : {};
}

/** The same for what is no endpoint of the API. */
export function writeLimit(
  app: FastifyInstance,
  { rateLimit: max }: Pick<Config, 'rateLimit'>,
): Pick<RouteShorthandOptions, 'onRequest'> {
  return max > 0 ? { onRequest: app.rateLimit() } : {};
}
