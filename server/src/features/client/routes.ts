import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath } from '@orchestrate/db';
import { ASSETS_SEGMENT, SERVER_SEGMENTS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '#platform/cache.ts';
import { notFoundRefusal } from '#platform/http/answers/answer.ts';

const NO_PAGES: ReadonlySet<string> = new Set([...SERVER_SEGMENTS, ASSETS_SEGMENT]);

/**
 * Serves the client built into `folder`: its files, and its single page for every other URL. Register this plugin
 * last. The folder is resolved on startup rather than on import, because a program may build the client in between.
 * The code that sends files is loaded on the first request for a file.
 */
export function client(app: FastifyInstance, folder = projectPath('web/dist')): void {
  const isBuilt = existsSync(join(folder, 'index.html'));
  const files = lazily(() => import('./send-file.ts'));
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { sendFile } = await files();
    const isThere = await sendFile(request, reply, { folder, path });
    return isThere ? reply : reply.callNotFound();
  };

  if (isBuilt) {
    app.route<{ Params: { '*': string } }>({
      method: ['GET', 'HEAD'],
      url: '/*',
      handler: (request, reply) => {
        const path = request.params['*'] || PAGE;
        return FILE.test(path) ? send(request, reply, path) : reply.callNotFound();
      },
    });
  }

  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw notFoundRefusal();
    if (isBuilt) return send(request, reply, PAGE);
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
 * Returns true if the URL could be a client page, which has no file extension. The client decides whether the page
 * exists. Metadata (RFC 8615) is never a page, so that a client with a wrong issuer gets 404 instead of HTML.
 */
function isPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  const [, first = ''] = path.split('/');
  const isFile = /\.[a-z0-9]+$/i.test(path);
  const isRead = method === 'GET' || method === 'HEAD';
  const isMetadata = path.includes('/.well-known/');
  return isRead && !NO_PAGES.has(first) && !isFile && !isMetadata && !isProgram(headers.accept);
}
