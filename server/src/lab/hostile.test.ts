import { type EndpointDefinition, resetLab } from '@orchestrate/shared';
import fc from 'fast-check';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileAddress, oddValue } from '#testing/hostile.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ onLog: (line) => lines.push(line) });
});
afterAll(() => portal.close());

/** Number of random requests per endpoint. */
const RUNS = 20;

/** A valid request for each endpoint that accepts input. */
const SAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  'GET /lab/outbox': { query: { to: 'user@acme.test', wait: 0 } },
  'DELETE /lab/outbox': { query: { to: 'user@acme.test' } },
  'GET /lab/journal': {
    query: { after: 0, kind: 'http', path: '/api/profile', email: 'user@acme.test', org: 'acme', limit: 5 },
  },
  'GET /lab/people': { query: { org: 'acme', email: 'user@acme.test', status: 'active', limit: 5 } },
  'GET /lab/virtual-devices': { query: { orgCode: 'acme' } },
  'DELETE /lab/policies': { query: { email: 'user@acme.test', org: 'acme', kind: 'login' } },
  'DELETE /lab/faults': { query: { method: 'GET', path: '/api/profile', email: 'user@acme.test', org: 'acme' } },
  'POST /lab/applications': {
    body: { org: 'acme', id: 'spoilt', name: 'Spoilt', oidc: { redirectUris: ['https://app.test/'], claims: [] } },
  },
  'POST /lab/reset': {
    body: {
      seed: {
        randomSeed: 'x',
        organisations: [
          {
            code: 'initech',
            roles: [{ code: 'LEAD', permissions: [] }],
            applications: [
              { id: 'wiki', oidc: { redirectUris: ['http://localhost/cb'], secrets: [{ name: 'First' }] } },
            ],
            webhooks: [{ url: 'https://a.test/' }],
            faq: [{ name: 'A', subcategories: [{ name: 'B', records: [{ question: 'q', answer: 'a' }] }] }],
            people: [
              { email: 'boss@initech.test', role: 'SUPER_ADMIN' },
              {
                email: 'peter@initech.test',
                manager: 'boss@initech.test',
                createdAt: '-3d',
                devices: [{ name: 'Phone' }],
                activationCodes: [{ code: '123456' }],
                logins: [{ at: '-1h' }],
                identities: [{ issuer: 'https://i.test', subject: 's' }],
              },
            ],
          },
        ],
      },
    },
  },
  'POST /lab/clock': { body: { advance: '1m', tokens: 'machine' } },
  'POST /lab/faults': {
    body: {
      match: { method: 'GET', path: '/api/profile', email: 'user@acme.test', org: 'acme' },
      answer: { status: 503, body: { a: [1] }, headers: { 'x-a': 'b' }, delayMs: 1 },
      times: 1,
      after: 1,
    },
  },
  'POST /lab/sockets': { body: { channel: 'login', do: 'delay', ms: 5, state: 'init', times: 1 } },
  'POST /lab/tokens/issue': {
    body: {
      client: 'team-wiki',
      as: 'user@acme.test',
      org: 'acme',
      scope: 'openid email',
      claims: { tenant: 'north', levels: [1] },
      expiresIn: 5,
      tamper: { without: 'email' },
    },
  },
  'POST /lab/webhooks/faults': {
    body: { do: 'delay', event: 'member.paused', org: 'acme', ms: 5, times: 1 },
  },
  'POST /lab/webhooks/:webhookId/forge': {
    params: { webhookId: 'x' },
    body: { type: 'member.paused', data: { suid: 'x' }, signature: 'old' },
  },
  'GET /lab/settled': { query: { wait: 0 } },
  'POST /lab/outbox/faults': { body: { smtp: 451, to: 'user@acme.test', times: 1 } },
  'POST /lab/journal/wait': {
    body: {
      kind: 'webhook',
      event: 'member.paused',
      email: 'user@acme.test',
      org: 'acme',
      after: 0,
      status: 200,
      wait: 0,
    },
  },
  'POST /lab/journal/verify': {
    body: {
      kind: 'http',
      method: 'POST',
      path: '/api/user/login',
      email: 'user@acme.test',
      org: 'acme',
      after: 0,
      status: 200,
      resultName: 'SUCCESS',
      body: { mode: 'QID' },
      atLeast: 0,
      atMost: 3,
    },
  },
  'PUT /lab/policies': {
    body: {
      match: { email: 'user@acme.test', org: 'acme', kind: 'login' },
      answer: 'approve',
      afterMs: 5,
      number: 'right',
      lie: 'old',
      times: 2,
      opens: true,
    },
  },
  'POST /lab/logins/:loginId/approve': {
    params: { loginId: 'x' },
    body: { as: 'user@acme.test', lie: 'old', number: 'right' },
  },
  'POST /lab/logins/:loginId/deny': { params: { loginId: 'x' }, body: { as: 'user@acme.test', reason: 'not-me' } },
  'POST /lab/people': {
    body: {
      org: 'acme',
      email: 'new@acme.test',
      role: 'USER',
      status: 'active',
      devices: [{ type: 'mobile', name: 'Phone' }],
    },
  },
  'POST /lab/sessions': { body: { email: 'user@acme.test', org: 'acme' } },
  'POST /lab/provisioning': {
    body: { dialect: 'okta', url: 'http://127.0.0.1:1/scim', username: 'a', password: 'b', email: 'a@b.test' },
  },
  'POST /lab/snapshots': { body: { name: 'One' } },
  'POST /lab/snapshots/:snapshotId/restore': { params: { snapshotId: 'x' } },
  'DELETE /lab/snapshots/:snapshotId': { params: { snapshotId: 'x' } },
  'POST /lab/spaces': { body: { seed: 'none', name: 'One', now: '2026-03-02T09:30:00.000Z' } },
  'DELETE /lab/spaces/:spaceId': { params: { spaceId: 'x' } },
  'POST /lab/tokens': { body: { token: 'a.b.c', nonce: 'n' } },
};

type Path = (string | number)[];

/** Returns the path of every node in a nested value. */
const placesIn = (value: unknown, path: Path = []): Path[] => [
  path,
  ...Object.entries(Object(typeof value === 'object' ? value : {})).flatMap(([name, part]) =>
    placesIn(part, [...path, Array.isArray(value) ? Number(name) : name]),
  ),
];

/** Returns a copy of a value in which the node at a path is replaced or added. */
function withOther(value: unknown, [name, ...deeper]: Path, other: unknown): unknown {
  if (name === undefined) return other;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? withOther(item, deeper, other) : item));
  return { ...Object(value), [name]: withOther(Object(value)[name], deeper, other) };
}

/** Returns a valid request with one or two nodes corrupted at any depth. */
function spoiltAnywhere(sample: object) {
  const paths = placesIn(sample).filter(({ length }) => length > 1);
  const more = paths.map((path) => [...path, 'unknown']);
  const change = fc.tuple(fc.constantFrom(...paths, ...more), oddValue);
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map((changes) => changes.reduce<unknown>((value, [path, other]) => withOther(value, path, other), sample));
}

test('responds to arbitrary requests at every lab endpoint with a result code, never an error', async () => {
  const entries: EndpointDefinition[] = portal.deps.registered.endpoints.filter(({ area }) => area === 'Lab');
  expect(entries.length).toBeGreaterThan(35);
  for (const entry of entries) {
    const name = `${entry.method} ${entry.path}`;
    const sample = SAMPLES[name] ?? { query: { unknown: 1 } };
    if (entry.params || entry.query || entry.body) expect(SAMPLES, name).toHaveProperty([name]);
    await fc.assert(
      fc.asyncProperty(spoiltAnywhere(sample), async (given) => {
        const { params, query, body } = Object(given);
        const sending = new request.Test(portal.url, entry.method, `/api${hostileAddress(entry, params, query)}`);
        if (body !== undefined) sending.type('json').send(JSON.stringify(body));
        const { status, text } = await sending;
        expect(status, `${name} answered ${text.slice(0, 200)}`).toBeLessThan(500);
        if (status !== 200) expect(JSON.parse(text).resultCode).toEqual(expect.any(Number));
      }),
      { numRuns: RUNS },
    );
    if (entry.path === '/lab/reset') await portal.call(resetLab, { body: {} });
  }
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  await portal.call(resetLab, { body: {} });
  expect((await portal.signIn('user@acme.test')).orgId).toBe('acme');
});
