import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';

/** Response headers that pages on other origins can read. */
const EXPOSED = ['etag', 'location', 'retry-after', 'www-authenticate', 'content-disposition', 'date'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Preflight cache duration. Long enough for a test run; browsers cap it at their own maximum. */
const PREFLIGHT_SECONDS = 600;

/**
 * Allows pages on `CORS_ORIGINS` to call all paths with cookies. Other origins are not affected, and nothing is
 * loaded if the setting is empty. Call this before adding any hook that responds, because browsers must be able to
 * read errors too.
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
