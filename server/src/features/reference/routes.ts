import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';

/**
 * Serves the API reference for tools and assistants. The documents are generated on request, and all but the last
 * are cached. The human-readable page is part of the client.
 */
export function reference(app: FastifyInstance, deps: Deps): void {
  const calls = lazily(async () => {
    const { openApiDocument } = await import('./openapi-document.ts');
    return JSON.stringify(openApiDocument(deps.registered, deps.publicUrl));
  });
  const index = lazily(async () => {
    const { endpointIndex } = await import('./openapi-document.ts');
    return JSON.stringify(endpointIndex(deps.registered));
  });
  const channels = lazily(async () => {
    const { asyncApiDocument } = await import('./async-api-document.ts');
    return JSON.stringify(asyncApiDocument(deps.registered, deps.publicUrl));
  });
  const serve = (path: string, text: () => Promise<string>) =>
    app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(await text()));
  serve('/openapi.json', calls);
  serve('/docs/openapi.json', calls);
  serve('/docs/asyncapi.json', channels);
  serve('/docs/endpoints.json', index);
  app.get('/docs/llms.txt', async (_request, reply) => {
    const { llmsText } = await import('./llms-text.ts');
    return reply.type('text/plain; charset=utf-8').send(llmsText(deps.publicUrl));
  });
}
