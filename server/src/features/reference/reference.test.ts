import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

async function read(path: string): Promise<string> {
  return (await portal.http.get(path).expect(200)).text;
}

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
