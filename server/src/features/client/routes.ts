import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { placeOf } from '@orchestrate/db';
import { SERVER_SEGMENTS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../platform/refusal.ts';

/** Where the built client keeps its files. */
const ASSETS = 'assets';

const NO_PAGES: ReadonlySet<string> = new Set([...SERVER_SEGMENTS, ASSETS]);

/**
 * The client as built into `folder`: its files, and its single page for every other address. Register it last. Where it
 * is built is looked up with every start: a program may build it first.
 */
export async function client(app: FastifyInstance, folder = placeOf('web/dist')): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: setCaching,
    });
    app.route({ method: ['GET', 'HEAD'], url: '/', handler: (_request, reply) => reply.sendFile('index.html') });
  }

  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw new Refusal('ID_DOESNOT_EXIST', { message: NOT_FOUND });
    if (isBuilt) return reply.sendFile('index.html');
    return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  });
}

const NOT_FOUND = 'The requested URL was not found on this server';
const NOT_BUILT = 'The web client has not been built yet. Run: npx -y pnpm@12 build\n';

/** A page of the client has no file extension; the client itself decides whether the page exists. */
function isPage({ method, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  const [, first = ''] = path.split('/');
  const isFile = /\.[a-z0-9]+$/i.test(path);
  return (method === 'GET' || method === 'HEAD') && !NO_PAGES.has(first) && !isFile;
}

/** A file under assets/ has a hash of its content in its name; every other file is revalidated. */
function setCaching({ raw }: FastifyReply, path: string): void {
  const isHashed = path.includes(`/${ASSETS}/`);
  raw.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
