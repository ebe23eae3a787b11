import { EDITABLE_APP_FIELDS, type EndpointDefinition, updateApp } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sampleOf } from '#testing/sample-of.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

/** Names of contract fields that are displayed to people, who must not be deceived by invisible characters. */
const READ_BY_PEOPLE = /name|title|label|banner|copyright|description|question|platform/i;
/** Names of programs, files and accounts, which can't deceive anyone. */
const NOT_READ: ReadonlySet<string> = new Set(['fileName', 'username']);

interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
}

/** Returns the paths of human-readable text fields in a schema. `[]` stands for an array element. */
function textsIn(schema: JsonSchema, path: readonly string[] = []): string[][] {
  const own = path.findLast((name) => name !== '[]') ?? '';
  const within = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => textsIn(part, [...path, name])),
    ...(schema.anyOf ?? []).flatMap((part) => textsIn(part, path)),
    ...(schema.items ? textsIn(schema.items, [...path, '[]']) : []),
  ];
  const isFree = schema.type === 'string' && !schema.enum && schema.const === undefined;
  return isFree && READ_BY_PEOPLE.test(own) && !NOT_READ.has(own) ? [[...path], ...within] : within;
}

/** Returns a field's schema without optional wrappers. */
function fieldAt(schema: z.ZodType, [name, ...rest]: readonly string[]): z.ZodType {
  if (name === undefined) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fieldAt(z.custom<z.ZodType>().parse(schema.unwrap()), [name, ...rest]);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => z.custom<z.ZodType>().parse(option));
    return fieldAt(options.find((option) => canReach(option, name)) ?? schema, [name, ...rest]);
  }
  if (name === '[]' && schema instanceof z.ZodArray) return fieldAt(z.custom<z.ZodType>().parse(schema.element), rest);
  if (schema instanceof z.ZodObject) return fieldAt(z.custom<z.ZodType>().parse(schema.shape[name]), rest);
  throw new Error(`${name} .`);
}

const canReach = (schema: z.ZodType, name: string): boolean => schema instanceof z.ZodObject && name in schema.shape;

/** Returns true if a field of a body can be written. `updateApp` also accepts what `getApp` returned, unchanged. */
const isWritten = (entry: EndpointDefinition, path: readonly string[]): boolean =>
  entry !== updateApp || [...EDITABLE_APP_FIELDS].some((field) => `${path.join('.')}.`.startsWith(`${field}.`));

function fieldsOf(entry: EndpointDefinition): { what: string; field: z.ZodType }[] {
  return [entry.body, entry.multipart].flatMap((schema) => {
    if (!schema) return [];
    const json: JsonSchema = JSON.parse(
      JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    );
    const paths = textsIn(json).filter((path) => isWritten(entry, path));
    return paths.map((path) => ({
      what: `${entry.method} ${entry.path} ${path.join('.')}`,
      field: fieldAt(schema, path),
    }));
  });
}

const HIDING = [
  '\u0000',
  '\u0085',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u2028',
  '\ud800',
  '\uffff',
  '\u00ad',
];

test('accepts no invisible characters in any name, title or label of the contract', () => {
  const entries = portal.deps.registered.endpoints.filter(({ area }) => area !== 'Lab');
  const fields = entries.flatMap(fieldsOf);
  expect(fields.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'POST /user/update firstName',
      'POST /user/signup lastName',
      'POST /device/nickname nickname',
      'POST /authenticator/activate device.name',
      'POST /authenticator/pair device.platform',
      'POST /org/settings title',
      'POST /org/roles name',
      'POST /faq/category name',
      'POST /orgs/:orgCode/apps name',
      'POST /oidc/configuration buttonLabel',
    ]),
  );
  for (const { what, field } of fields) {
    for (const sign of HIDING) {
      const parsed = field.safeParse(`Ann${sign}Lee`);
      expect(parsed.success, `${what} takes U+${sign.codePointAt(0)?.toString(16)}`).toBe(false);
    }
  }
});

test('reports invisible characters with their field at every endpoint', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const entries = portal.deps.registered.endpoints.filter(({ area, body }) => body && area !== 'Lab');
  for (const entry of entries) {
    for (const path of textsIn(
      JSON.parse(JSON.stringify(z.toJSONSchema(entry.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }))),
    )) {
      const [first = '', second] = path;
      if (path.includes('[]') || path.length > 2 || !isWritten(entry, path)) continue;
      const sample = sampleOf(entry);
      const body = { ...sample.body };
      if (second === undefined) body[first] = 'Ann\u202eLee';
      else body[first] = { ...Object(body[first]), [second]: 'Ann\u202eLee' };
      const address = entry.path.replace(':orgCode', 'acme').replace(/:\w+/g, 'x');
      const { body: answer } = await new request.Test(portal.url, entry.method, `/api${address}`)
        .auth(token, { type: 'bearer' })
        .send(body);
      expect(answer, `${entry.method} ${entry.path} ${path.join('.')}`).toMatchObject({
        resultCode: expect.any(Number),
      });
      expect(JSON.stringify(answer.issues)).toMatch(/U\+202E|letters \(A-Z/);
    }
  }
});
