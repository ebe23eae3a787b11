import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { lazily } from '../../platform/lazily.ts';

/** The API reference: a page for people, a document for tools, a text for assistants. All are made on request, the first two kept. */
export function reference(app: FastifyInstance, deps: Deps): void {
  const page = lazily(async () => (await import('./reference-page.ts')).referencePage(deps.registered));
  const document = lazily(async () => {
    const { openApiDocument } = await import('./openapi-document.ts');
    return JSON.stringify(openApiDocument(deps.registered, deps.publicUrl));
  });

  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(await page()));
  app.get('/docs/llms.txt', async (_request, reply) => {
    const { llmsText } = await import('./llms-text.ts');
    return reply.type('text/plain; charset=utf-8').send(llmsText(deps.publicUrl));
  });
  for (const path of ['/docs/openapi.json', '/openapi.json']) {
    app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(await document()));
  }
}
