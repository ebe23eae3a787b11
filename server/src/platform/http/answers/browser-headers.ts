import helmet from '@fastify/helmet';
import { ASSETS_SEGMENT } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

/**
 * Sets security headers on pages: only the portal's own scripts, no framing, no referrer. Inline styles are allowed
 * because the component library writes them at run time. A space can be framed by its own stage (decision 163). Hashed
 * files aren't pages, so they only get the headers that protect files.
 * @param inlineScripts CSP sources of the inline scripts of the client's page
 */
export async function sendBrowserHeaders(
  pages: FastifyInstance,
  { publicUrl, isSpace }: Deps,
  inlineScripts: readonly string[],
): Promise<void> {
  const isSecure = publicUrl.startsWith('https:');
  await pages.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: [isSpace ? "'self'" : "'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: isSpace ? 'sameorigin' : 'deny' },
    // `enforceHttps` sends Strict-Transport-Security. The other two headers cause browser warnings over plain HTTP.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: isSecure,
    originAgentCluster: isSecure,
  });
  pages.addHook('onRequest', async ({ url }, reply) => {
    if (!url.startsWith(ASSETS)) await reply.helmet();
    else reply.headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' });
  });
}

const ASSETS = `/${ASSETS_SEGMENT}/`;

/**
 * Sends HSTS with every response. Browsers ignore it over plain HTTP (RFC 6797 §8.1). It is omitted with `TLS=on`,
 * because browsers would then force HTTPS on all ports of `localhost` for a year.
 */
export function enforceHttps(app: FastifyInstance, { publicUrl, tls }: Deps): void {
  if (!publicUrl.startsWith('https:') || tls) return;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    done();
  });
}

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
