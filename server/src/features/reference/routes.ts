import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';

/** The API reference: a page for people, a document for tools. Both are made on the first request, and kept. */
export function reference(app: FastifyInstance, deps: Deps): void {
  let page: string | undefined;
  let document: string | undefined;

  app.get('/docs', async (_request, reply) => {
    const { referencePage } = await import('./reference-page.ts');
    page ??= referencePage(deps.registered);
    return reply.type('text/html; charset=utf-8').send(page);
  });

  app.get('/docs/openapi.json', async (_request, reply) => {
    const { openApiDocument } = await import('./openapi-document.ts');
    document ??= JSON.stringify(openApiDocument(deps.registered, deps.publicUrl));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
