import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';

/**
 * What a browser may do with our pages: run only our own scripts, never show them in a frame, send no referrer. Inline
 * styles are allowed because the component library writes them at run time. In a space its own stage shows them in
 * frames (decision 163).
 */
export async function sendBrowserHeaders(pages: FastifyInstance, { publicUrl, isSpace }: Deps): Promise<void> {
  const isSecure = publicUrl.startsWith('https:');
  await pages.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
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
    // `enforceHttps` sends the first with every answer. Over plain HTTP a browser would complain about the other
    // two.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: isSecure,
    originAgentCluster: isSecure,
  });
}

/**
 * Every answer tells the browser to come back by https only; over plain HTTP browsers ignore it (RFC 6797 §8.1). Not
 * with `TLS=on`: browsers would then ask every port of `localhost` by https, for a year.
 */
export function enforceHttps(app: FastifyInstance, { publicUrl, tls }: Deps): void {
  if (!publicUrl.startsWith('https:') || tls) return;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    done();
  });
}
