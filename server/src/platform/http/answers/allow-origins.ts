import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';

/** Response headers that pages of other origins can read. */
const EXPOSED = ['etag', 'location', 'retry-after', 'www-authenticate', 'content-disposition', 'date'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Long enough for a test run; browsers shorten it to their own maximum. */
const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages of `CORS_ORIGINS` to call all paths, with cookies. Doesn't affect other origins, and loads nothing without
 * the setting. Call it before any hook that responds, because browsers must see refusals too.
 */
export async function allowOrigins(app: FastifyInstance, { corsOrigins }: Pick<Config, 'corsOrigins'>): Promise<void> {
  if (corsOrigins.length === 0) return;
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && corsOrigins.includes(origin) ? origin : false),
    methods: METHODS,
    exposedHeaders: EXPOSED,
    credentials: true,
    maxAge: PREFLIGHT_SECONDS,
  });
}
