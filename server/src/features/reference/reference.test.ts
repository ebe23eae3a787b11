import asyncApi from '@asyncapi/specs';
import { AUDIT_ACTIONS, contract, endpoint } from '@orchestrate/shared';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type Json } from '#platform/contract-comments.ts';
import { implement } from '#platform/http/implement.ts';
import { differenceOf, pointerTo } from '#testing/check-answers.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Endpoint that returns the request. */
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
      const own = routesOf(app.printRoutes({ commonPrefix: false })).filter((route) => !route.endsWith('*'));
      routes = [...own, ...Array.from(app.served, ([{ method }, { pattern }]) => `${method} ${pattern}`)];
    },
  });
});
afterAll(() => portal.close());

async function read(path: string): Promise<string> {
  return (await portal.http.get(path).expect(200)).text;
}

/** Extracts the routes from Fastify's printed router, e.g. `GET /api/health`. */
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

test('acceptance 15: serves a valid OpenAPI document and checks responses against it', async () => {
  const document = JSON.parse(await read('/openapi.json'));
  expect(document).toEqual(JSON.parse(await read('/docs/openapi.json')));
  expect(await new Validator().validate(document)).toEqual({ valid: true });

  const indexed: { id: string; method: string; path: string }[] = JSON.parse(await read('/docs/endpoints.json'));
  for (const { id, method, path } of indexed)
    expect(document.paths[path][method.toLowerCase()].operationId, `${method} ${path}`).toBe(id);
  expect(indexed.length).toBe(Object.values<object>(document.paths).flatMap(Object.keys).length);

  const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  // Skip HEAD routes, because Fastify adds one for every GET route (RFC 9110 §9.3.2).
  const registered = routes.filter((route) => route.includes(' /api/') && !route.startsWith('HEAD '));
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

// covers: security 13.4.5
test('serves OpenAPI 3.1 with every endpoint’s parameters, body, responses and security', async () => {
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
    operationId: 'deleteDevice',
    security: [{ accessToken: [] }],
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
});

test('names every operation after its contract entry and passes the linter', async () => {
  const text = await read('/docs/openapi.json');
  const { paths, tags } = JSON.parse(text);
  const named = new Map<unknown, string>(Object.entries(contract).map(([name, entry]) => [entry, name]));
  for (const entry of portal.deps.registered.endpoints) {
    const name = named.get(entry);
    if (!name) continue;
    const operation = paths[entry.path.replaceAll(/:(\w+)/g, '{$1}')][entry.method.toLowerCase()];
    expect(operation.operationId).toBe(name);
    const needed = { lab: [{}, { labToken: [] }], public: [], device: [] }[String(entry.access.who)];
    expect(operation.security, name).toEqual(needed ?? [{ accessToken: [] }]);
  }
  expect(tags.every(({ description }: { description: string }) => description.length > 20)).toBe(true);
  const problems = await lintFromString({ source: text, config: await createConfig({ extends: ['recommended'] }) });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('distinguishes refusals by `resultName`, even if they share HTTP 200 with the success', async () => {
  const { paths, components } = JSON.parse(await read('/docs/openapi.json'));
  const schemaOf = (path: string, status: number) =>
    paths[path].post.responses[status].content['application/json'].schema;
  const [success, refusals] = schemaOf('/device/delete', 200).oneOf;
  expect(success).toEqual({ $ref: '#/components/schemas/Done' });
  expect(components.schemas.Done.properties.resultCode).toEqual({ type: 'integer', enum: [0] });
  expect(refusals).toMatchObject({
    oneOf: [
      { $ref: '#/components/schemas/RefusalAtLeastOneDeviceMustExist' },
      { $ref: '#/components/schemas/RefusalForbidden' },
      { $ref: '#/components/schemas/RefusalAuthenticationIncomplete' },
    ],
    discriminator: {
      propertyName: 'resultName',
      mapping: { FORBIDDEN: '#/components/schemas/RefusalForbidden' },
    },
  });
  expect(components.schemas.RefusalForbidden.properties).toMatchObject({
    resultCode: { type: 'integer', enum: [51] },
    resultName: { type: 'string', enum: ['FORBIDDEN'] },
  });
  expect(schemaOf('/device/delete', 401).discriminator.propertyName).toBe('resultName');
  const [signedIn, started, ...none] = components.schemas.LoginReply.oneOf;
  expect(none).toEqual([]);
  expect(signedIn.properties.resultCode).toEqual({ type: 'integer', enum: [0] });
  expect(signedIn.required).toContain('token');
  expect(started.properties.resultCode).toEqual({ type: 'integer', enum: [77, 80] });
  expect(started.required).toEqual(['resultCode', 'loginId', 'mode']);
});

test('describes JSON documents as objects and other formats as text', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const contentOf = (path: string) => paths[path].get.responses[200].content;
  expect(contentOf('/lab/world/schema')).toEqual({ 'application/schema+json': { schema: { type: 'object' } } });
  expect(contentOf('/org/configuration')).toEqual({
    'application/yaml': { schema: { type: 'string' } },
    'application/json': { schema: { type: 'object' } },
  });
});

test('omits the 404 response if all refusals of an operation share another status', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  for (const path of ['/user/login', '/user/login/passkey']) {
    const { responses } = paths[path].post;
    expect(responses[400].description, path).toContain('ID_DOESNOT_EXIST');
    expect(responses, path).not.toHaveProperty('404');
  }
});

test('lists every status and writes constants as enumerations for older generators', async () => {
  const document = await read('/docs/openapi.json');
  expect(document).not.toContain('"const":');
  const { paths } = JSON.parse(document);
  expect(Object.keys(paths['/user/update'].post.responses)).toEqual(expect.arrayContaining(['500', '507']));
  const statuses = Object.values<Record<string, { responses: object }>>(paths).flatMap((path) =>
    Object.values(path).flatMap(({ responses }) => Object.keys(responses)),
  );
  expect(statuses.filter((status) => !/^\d{3}$/.test(status))).toEqual([]);
});

test('uses the contract’s names and describes response headers', async () => {
  const { paths, components } = JSON.parse(await read('/docs/openapi.json'));
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Member', 'Device', 'Profile', 'Application']),
  );
  expect(components.schemas.GetProfileReply.properties.profile).toEqual({ $ref: '#/components/schemas/Profile' });
  const { parameters, responses } = paths['/org/security'].post;
  expect(parameters.map(({ name }: { name: string }) => name)).toContain('If-Match');
  expect(responses[200].headers).toHaveProperty('ETag');
  expect(responses[412].headers).toHaveProperty('ETag');
  expect(paths['/user/signup'].post.responses[429].headers).toHaveProperty('Retry-After');
});

test('serves AsyncAPI 3.0 with every channel and its messages in both directions', async () => {
  const document = JSON.parse(await read('/docs/asyncapi.json'));
  const isValid = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false }).compile(
    asyncApi.schemas['3.0.0'],
  );
  expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
  const addresses = Object.values<{ address: string }>(document.channels).map(({ address }) => address);
  expect(addresses).toEqual([...portal.deps.registered.channels.map(({ path }) => path), null]);
  const { login, addDevice } = document.channels;
  expect(Object.keys(login.messages)).toEqual([
    'StateInit',
    'StatePending',
    'StateRejected',
    'StateSuccess',
    'StateExpired',
  ]);
  expect(login.messages.StateInit.payload.properties.state).toEqual({ type: 'string', enum: ['init'] });
  // Code generators name a message's type after its title, so titles must be unique.
  const titles = Object.values<{ messages: Record<string, { payload: { title?: string } }> }>(
    document.channels,
  ).flatMap(({ messages }) => Object.values(messages).map(({ payload }) => payload.title ?? ''));
  expect(titles).toEqual(expect.arrayContaining(['LoginStateInit', 'AddDeviceCommand']));
  expect(titles.toSorted()).toEqual([...new Set(titles)].toSorted());
  expect(titles).not.toContain('');
  expect(Object.keys(addDevice.messages)).toEqual(expect.arrayContaining(['StateCodeExpired', 'Command']));
  expect(document.operations.sendLogin).not.toHaveProperty('security');
  expect(document.operations.receiveAddDevice).toMatchObject({
    action: 'receive',
    messages: [{ $ref: '#/channels/addDevice/messages/Command' }],
    security: [{ $ref: '#/components/securitySchemes/accessToken' }],
  });
});

test('documents every webhook event with its headers, payload and a sample that fits', async () => {
  const { channels, components } = JSON.parse(await read('/docs/asyncapi.json'));
  const { messages, description } = channels.webhook;
  expect(Object.keys(messages)).toEqual([...AUDIT_ACTIONS, 'webhook.test']);
  expect(description).toContain('24 h');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const [type, { headers, payload, examples }] of Object.entries<{
    headers: { $ref: string };
    payload: object;
    examples: { payload: { type: string } }[];
  }>(messages)) {
    const { properties } = components.schemas[headers.$ref.split('/').at(-1) ?? ''];
    expect(Object.keys(properties)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const [sample] = examples.map((example) => example.payload);
    expect(sample?.type).toBe(type);
    const fits = ajv.compile({ ...payload, components });
    expect(fits(sample), `${type}: ${JSON.stringify(fits.errors)}`).toBe(true);
  }
});

test('describes every field by its contract comment or a default for its name', async () => {
  const { paths, components } = JSON.parse(await read('/docs/openapi.json'));
  const { LoginReply, SearchUsersReply, FaultMatch } = components.schemas;
  const [, started] = LoginReply.oneOf;
  expect(started.properties.matchNumber.description).toBe('The two-digit number to compare on the device.');
  expect(started.properties.loginId.description).toMatch(/^ID of a pending sign-in/);
  expect(FaultMatch.properties.email.description).toBe(
    'Limits the fault to requests that this user sends or that name this user.',
  );
  expect(SearchUsersReply.properties.Items).not.toHaveProperty('description');
  const parameters: { name: string; description?: string }[] = paths['/verbal'].get.parameters;
  expect(parameters.find(({ name }) => name === 'epoch')?.description).toMatch(/^A name that the API client chooses/);
  expect(paths['/user/search'].get.parameters).toContainEqual(
    expect.objectContaining({
      name: 'field',
      description: expect.stringMatching(/^Field to search: `firstName`, .+ Default: "/),
    }),
  );
  const { login } = JSON.parse(await read('/docs/asyncapi.json')).channels;
  expect(login.messages.StateSuccess.payload.properties.exchangeToken.description).toMatch(
    /Only in state `success`\.$/,
  );
});

test('lists the media type of a response that isn’t JSON', async () => {
  const type = 'application/samlmetadata+xml';
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const { responses } = paths['/login/idp-metadata.xml'].get;
  expect(Object.keys(responses[200].content)).toEqual([type]);
  expect(Object.keys(responses[404].content)).toEqual(['application/json']);
});

test('describes redirects and whether only browsers follow them', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const begin = paths['/oidc/login'].get.responses;
  expect(begin[302].headers.Location.schema).toEqual({ type: 'string' });
  expect(begin[200]?.description ?? '').not.toContain('SUCCESS');
  const link = paths['/user/activate'].get.responses;
  expect([link[200].description, link[302].description]).toEqual([
    expect.stringContaining('SUCCESS'),
    expect.stringContaining('browser'),
  ]);
});

/** Operations that don't have a recorded JSON success response, with what they return instead. */
const WITHOUT_SUCCESS = {
  beginExternalSignIn: 'a redirect to the provider',
  exportActivity: 'a CSV file',
  exportConfiguration: 'YAML',
  getIdpMetadata: 'XML',
  readWorld: 'everything that the portal knows',
  readWorldFile: 'the same as YAML',
  readWorldSchema: 'the JSON Schema of a world, which is long',
  returnFromProvider: 'a redirect to the sign-in page',
};

const isSuccess = (value: unknown): boolean => typeof value === 'object' && value !== null && !('resultName' in value);

test('shows a schema-valid recorded request and response for every operation', async () => {
  const text = await read('/docs/openapi.json');
  const { paths } = JSON.parse(text);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
  ajv.addSchema(JSON.parse(text), 'openapi');
  const neverSucceeds: string[] = [];
  for (const { method, path } of portal.deps.registered.endpoints.filter((entry) => entry !== echo)) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    const { operationId, requestBody, responses } = paths[template][method.toLowerCase()];
    const sent = requestBody?.content['application/json'];
    const body = ['paths', template, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
    if (sent?.example) expect(ajv.getSchema(pointerTo(body))?.(sent.example), operationId).toBe(true);
    const answers = Object.entries<{ content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>(
      responses,
    )
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { examples = {} }]) => ({ status, type, examples })),
      )
      .flatMap(({ status, type, examples }) => Object.values(examples).map(({ value }) => ({ status, type, value })));
    if (!answers.some(({ value }) => isSuccess(value))) neverSucceeds.push(operationId);
    for (const { status, type, value } of answers) {
      const answered = { method, path, status: Number(status), type, payload: JSON.stringify(value) };
      expect(differenceOf(answered), operationId).toBeUndefined();
    }
  }
  expect(neverSucceeds.toSorted()).toEqual(Object.keys(WITHOUT_SUCCESS));
});

test('replaces secrets in examples with valid placeholders', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const exampleOf = (path: string) => paths[path].post.requestBody.content['application/json'].example;
  expect(exampleOf('/user/email/verify').otp).toMatch(/^\d{6}$/);
  const { token } = await portal.signIn('super.admin@acme.test');
  const { status } = await portal.http
    .post('/api/org/configuration/check')
    .set('authorization', `Bearer ${token}`)
    .send(exampleOf('/org/configuration/check'));
  expect(status).toBe(200);
});

test('makes a body without required fields optional, as the portal does', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const isRequired = (path: string) => paths[path].post.requestBody.required;
  expect([isRequired('/lab/reset'), isRequired('/lab/spaces'), isRequired('/scim/basicauth')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isRequired('/user/login')).toBe(true);
  await portal.http.post('/api/lab/reset').expect(200);
});

// covers: security 5.1.1
test('requires a file only if the upload is useless without it', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const formOf = (path: string) => paths[path].post.requestBody.content['multipart/form-data'].schema;
  expect(formOf('/user/bulkinvite').required).toContain('file');
  expect(formOf('/org/settings').properties).toHaveProperty('file');
  expect(formOf('/org/settings').required).not.toContain('file');
});

test('avoids unportable patterns, unnamed schemas and empty schemas', async () => {
  const { paths, components } = JSON.parse(await read('/docs/openapi.json'));
  const patterns = new Set<string>();
  const nameless: string[] = [];
  const empty: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { pattern, required, properties, allOf, anyOf } = value as Json;
    if (typeof pattern === 'string') patterns.add(pattern);
    if (Array.isArray(required) && !allOf && typeof required[0] === 'string') {
      nameless.push(
        ...required
          .filter((name) => !isJsonObject(properties) || !(name in properties))
          .map((name) => `${path}.${name}`),
      );
    }
    if (Array.isArray(anyOf) && (anyOf.length < 2 || anyOf.some((one) => Object.keys(one).length === 0)))
      empty.push(path);
    for (const [key, part] of Object.entries(value)) if (!key.startsWith('example')) visit(part, `${path}/${key}`);
  };
  visit({ paths, components }, '');
  expect([...patterns].filter((pattern) => /\\\/|\\p\{|\(\?</.test(pattern))).toEqual([]);
  // JSON Schema doesn't support regular expression flags, so the pattern must list both cases.
  expect(patterns).toContain('^#[0-9A-Fa-f]{6}$');
  expect(nameless).toEqual([]);
  expect(empty).toEqual([]);
});

test('includes the file and only form fields in a form’s example', async () => {
  const { paths } = JSON.parse(await read('/docs/openapi.json'));
  const forms = Object.values<Record<string, Json>>(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) => {
      const form = (requestBody as { content: Record<string, Form> } | undefined)?.content['multipart/form-data'];
      return form ? [{ operationId, ...form }] : [];
    });
  expect(forms.length).toBeGreaterThan(2);
  for (const { operationId, schema, example } of forms) {
    expect(Object.keys(schema.properties), String(operationId)).toEqual(expect.arrayContaining(Object.keys(example)));
    // Generators ignore siblings of `$ref`, so a form's schema must list its properties inline.
    expect(Object.keys(schema.properties), String(operationId)).toEqual(expect.arrayContaining(schema.required));
    expect(schema, String(operationId)).not.toHaveProperty('$ref');
    expect(Object.keys(example), String(operationId)).toEqual(expect.arrayContaining(schema.required));
  }
});

interface Form {
  schema: { properties: Json; required: string[] };
  example: Json;
}
