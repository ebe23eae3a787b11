import { organisationRepo } from '@orchestrate/db';
import { ASSETS_SEGMENT, ORG_PAGES, PRIVATE_SEGMENTS, PUBLIC_SEGMENTS, SERVER_SEGMENTS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { notFoundRefusal } from '#platform/http/answers/answer.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { clientPage } from './page.ts';

const NO_PAGES: ReadonlySet<string> = new Set([...SERVER_SEGMENTS, ASSETS_SEGMENT]);
/** First path segments of all pages outside an organisation. */
const PAGES: ReadonlySet<string> = new Set(['', ...PUBLIC_SEGMENTS, ...PRIVATE_SEGMENTS]);

/**
 * Serves the client built into `folder`: its files, and its single page for the URLs of its pages. Browsers also get
 * that page, with 404, for any other URL, where it displays an error. Programs get 404 as JSON. Register this plugin
 * last. The folder is resolved on startup rather than on import, because a program may build the client in between.
 * The code that sends files is loaded on the first request for a file.
 */
export function client(app: FastifyInstance, deps: Pick<Deps, 'db' | 'publicUrl' | 'isFaulty'>, folder: string): void {
  const sendPage = clientPage(deps, folder);
  const files = lazily(() => import('./send-file.ts'));
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { sendFile } = await files();
    const isThere = await sendFile(request, reply, { folder, path });
    return isThere ? reply : reply.callNotFound();
  };

  if (sendPage) {
    app.route<{ Params: { '*': string } }>({
      method: ['GET', 'HEAD'],
      url: '/*',
      handler: (request, reply) => {
        const path = request.params['*'];
        if (path === '' || path === PAGE) return sendPage(request, reply, 200);
        return FILE.test(path) ? send(request, reply, path) : reply.callNotFound();
      },
    });
  }

  app.setNotFoundHandler((request, reply) => {
    const isKnown = isPage(request, (code) => organisationRepo.findOrganisation(deps.db, code) !== undefined);
    if (isKnown === undefined) throw unknownPath(deps, request);
    if (sendPage) return sendPage(request, reply, isKnown ? 200 : 404);
    return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  });
}

const PAGE = 'index.html';
/** Client files have plain names, so no other path is looked up on disk. */
const FILE = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;
const NOT_BUILT = 'The web client has not been built yet. Run: npx -y pnpm@12 build\n';

/** Returns true for programs: they accept JSON, whereas browsers that open a page accept HTML. */
const isProgram = (accept = ''): boolean => /\bjson\b/i.test(accept) && !/\bhtml\b/i.test(accept);

/**
 * Repairs the path of a page URL with invalid percent signs, such as `/manage-users/%%%`, to let the client show its
 * own error page. Other paths stay unchanged and are rejected.
 */
export function repairPagePath(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  if (NO_PAGES.has(path.split('/')[1] ?? '') || isDecodable(path)) return url;
  return [path.replaceAll('%', '%25'), ...query].join('?');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true if the client has this page, false if a browser opens an unknown page, and undefined if the response
 * must not be a page. Files and metadata (RFC 8615) are never pages, so that a client with a wrong issuer gets 404
 * instead of HTML. Programs that accept any type only get pages that exist.
 */
function isPage(
  { method, url, headers: { accept = '' } }: FastifyRequest,
  isOrganisation: (code: string) => boolean,
): boolean | undefined {
  const [path = ''] = url.split('?');
  const [, first = '', second = '', ...rest] = path.split('/');
  const isFile = /\.[a-z0-9]+$/i.test(path);
  const isRead = method === 'GET' || method === 'HEAD';
  const isMetadata = /\/\.well-known(?:\/|$)/.test(path);
  if (!isRead || NO_PAGES.has(first) || isFile || isMetadata || isProgram(accept)) return undefined;
  const isOrgPage = rest.length === 0 && ORG_PAGES.has(second);
  if (PAGES.has(first) || isOrgPage) return true;
  const isBrowser = /\bhtml\b/i.test(accept);
  // The first segment alone may be an organisation's sign-in page, whose errors the client explains.
  if (second === '' && rest.length === 0) return isBrowser || isOrganisation(first) || undefined;
  return isBrowser ? false : undefined;
}

/** Path segments that other identity providers' endpoints have. */
const OF_PROVIDERS =
  /\/(?:\.well-known|oauth2?|oidc|openid[\w-]*|connect|realms|(?:oauth2?_)?token|auth|authorize|userinfo|jwks(?:\.json)?|certs|introspect\w*|revo\w+)(?:\/|$)/i;

/** Returns the refusal for a path that doesn't exist. For a path of another identity provider, it names the issuer. */
function unknownPath({ db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>, { url }: FastifyRequest): Refusal {
  const [path = ''] = url.split('?');
  if (path.startsWith('/api/') || !OF_PROVIDERS.test(path)) return notFoundRefusal();
  const named = path.split('/', SEGMENTS_MAX).find((segment) => organisationRepo.findOrganisation(db, segment));
  const { issuer, discoveryUrl } = oidcAddresses(publicUrl, named ?? '{orgCode}');
  const message = `The requested URL was not found on this server. The OpenID issuer of an organisation is ${issuer}, and its endpoints are listed at ${discoveryUrl}.`;
  return new Refusal('ID_DOESNOT_EXIST', { message });
}

/** Number of a path's segments that are looked up as organisations. */
const SEGMENTS_MAX = 8;
