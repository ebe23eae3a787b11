import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';

/** What a page of another origin may read besides the body; browsers hide all other headers. */
const EXPOSED = ['etag', 'location', 'retry-after', 'www-authenticate', 'content-disposition', 'date'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Long enough for a test run; browsers shorten it to their own maximum. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of `CORS_ORIGINS` call every address, with cookies. Nothing changes for pages of other origins, and
 * nothing is loaded without the setting. Call it before anything that answers: a browser must see refusals too.
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
