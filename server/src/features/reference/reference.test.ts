import { endpoint } from '@orchestrate/shared';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { implement } from '../../platform/http/implement.ts';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

/** An endpoint whose handler answers with whatever it is sent, as its reply. */
const echo = endpoint({
  method: 'POST',
  path: '/test/echo',
  area: 'Service',
  summary: 'Answers with the reply that it is given',
  access: { who: 'public' },
  body: z.object({ answer: z.json() }),
  reply: z.object({ name: z.string(), inner: z.object({ count: z.number() }).optional() }),
});

let portal: TestPortal;
let routes: string[];
beforeAll(async () => {
  portal = await testPortal({
    register: (app, deps) => {
      implement(app, deps, echo, ({ body }) => JSON.parse(JSON.stringify(body.answer)));
      routes = routesOf(app.printRoutes({ commonPrefix: false }));
    },
  });
});
afterAll(() => portal.close());

async function read(path: string): Promise<string> {
  return (await portal.http.get(path).expect(200)).text;
}

/** The routes in Fastify's drawing of its router, e.g. `GET /api/health`. */
function routesOf(drawing: string): string[] {
  const above: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const [, branches = '', part = '', methods = ''] = /^([│└├─\s]*)(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = branches.length / 4;
    const path = `${above[depth - 1] ?? ''}${part}`;
    above[depth] = path;
    return methods.split(', ').map((method) => `${method} ${path}`);
  });
}

test('`/openapi.json` validates, every registered route appears in it, and in test mode a response not matching its schema fails the request with 500 and a diff.', async () => {
  const document = JSON.parse(await read('/openapi.json'));
  expect(document).toEqual(JSON.parse(await read('/docs/openapi.json')));
  expect(await new Validator().validate(document)).toEqual({ valid: true });

  const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const registered = routes.filter((route) => route.includes(' /api/'));
  expect(registered.length).toBeGreaterThan(130);
  expect(described.toSorted()).toEqual(registered.toSorted());

  const answerTo = async (answer: z.core.util.JSONType) => {
    const { status, body } = await portal.call(echo, { body: { answer } });
    return { status, message: body.message };
  };
  expect(await answerTo({ name: 'a', inner: { count: 1 } })).toEqual({ status: 200, message: undefined });
  expect(await answerTo({ name: 'a', inner: { count: 1, secret: 'hunter2' } })).toEqual({
    status: 500,
    message: 'The reply of POST /test/echo differs from its contract at: inner.secret.',
  });
  const wrong = await answerTo({ name: 'a', inner: { count: 'hunter2' } });
  expect(wrong.status).toBe(500);
  expect(wrong.message).toMatch(/^The reply of POST \/test\/echo does not match its contract: inner\.count: .+number/);
  expect(wrong.message).not.toContain('hunter2');
});

test('the page names every endpoint and channel that is served, who may call it and what it may answer', async () => {
  const page = await read('/docs');
  for (const { method, path, summary } of portal.deps.registered.endpoints) {
    expect(page).toContain(`<b class="${method}">${method}</b><code>/api${path}</code>`);
    const words = summary.replaceAll("'", '&#39;').replaceAll('"', '&quot;');
    expect(page).toContain(words.replace(/`([^`]+)`/g, '<code>$1</code>'));
  }
  for (const { path } of portal.deps.registered.channels) expect(page).toContain(`<code>${path}</code>`);
  expect(page).toContain('DEVICE_ADD_LIMIT_REACHED');
  expect(page).toContain('about a direct report: REMOVE_REPORTEE_DEVICE');
  expect(page).not.toContain('<script');
});

test('the document for tools is OpenAPI 3.1 with every endpoint, its parameters, body, answers and security', async () => {
  const document = JSON.parse(await read('/docs/openapi.json'));
  expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: `${portal.url}/api` }] });
  const operations = Object.entries<Record<string, object>>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = portal.deps.registered.endpoints.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  expect(operations.sort()).toEqual(served.sort());
  expect(document.paths['/device/delete'].post).toMatchObject({
    tags: ['Devices'],
    security: [{ bearer: [] }],
    requestBody: { content: { 'application/json': { schema: { required: ['zid', 'suid'] } } } },
    responses: {
      200: { description: expect.stringContaining('`26` AT_LEAST_ONE_DEVICE_MUST_EXIST') },
      400: { description: expect.stringContaining('`3` ZID_MISSING') },
      401: { description: expect.stringContaining('`53` INVALID_SESSION') },
      403: { description: expect.stringContaining('`32` INVALID_PERMISSIONS') },
      404: { description: expect.stringContaining('`21` ID_DOESNOT_EXIST') },
    },
  });
  expect(document.paths['/user/loginhistory'].get.parameters).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'count', in: 'query', required: false })]),
  );
  expect(document.info.description).toContain('/ws/login');
});

test('an answer that is not JSON is described by its type', async () => {
  const type = 'application/samlmetadata+xml';
  expect(await read('/docs')).toContain(`<p>A document of type <code>${type}</code>.</p>`);
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const { responses } = paths['/login/idp-metadata.xml'].get;
  expect(Object.keys(responses[200].content)).toEqual([type]);
  expect(Object.keys(responses[404].content)).toEqual(['application/json']);
});

test('a file is required where the upload is nothing without it', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const formOf = (path: string) => paths[path].post.requestBody.content['multipart/form-data'].schema;
  expect(formOf('/user/bulkinvite').required).toContain('file');
  expect(formOf('/org/settings').properties).toHaveProperty('file');
  expect(formOf('/org/settings').required).not.toContain('file');
});
