import { type EndpointDefinition, LIMITS, pending, searchUsers } from '@orchestrate/shared';
import fc from 'fast-check';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { hostileAddress, spoilRequestPart } from '#testing/hostile.ts';
import { sampleOf } from '#testing/sample-of.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ onLog: (line) => lines.push(line) });
});
afterAll(() => portal.close());

/** Requests per contract entry. `pnpm fuzz` sends more. */
const RUNS = process.env.BRIEF === undefined ? 25 : 8;

async function send(entry: EndpointDefinition, token: string, path: string, body: string | null) {
  const sending = new request.Test(portal.url, entry.method, `/api${path}`).auth(token, { type: 'bearer' });
  if (body !== null) sending.type('json').send(body);
  const { status, headers, text } = await sending;
  // A redirect has a Location header and a download has a file, so neither has a result code.
  const isAnswered = 'location' in headers || 'content-disposition' in headers;
  return { status, text, isAnswered };
}

// covers: security 1.3.3, security 2.2.1, security 15.3.5
test('responds to arbitrary input with a result code and never with a server error', async () => {
  // Lab endpoints are excluded, because they can break other calls, e.g. by setting the clock.
  const entries = portal.deps.registered.endpoints.filter(({ area }) => area !== 'Lab');
  const { orgCode, suid, zid } = portal.device('super.admin@acme.test');
  for (const entry of entries) {
    const sample = sampleOf(entry);
    const request = fc.record({
      params: spoilRequestPart(sample.params),
      query: spoilRequestPart(sample.query),
      body: fc.oneof(
        spoilRequestPart(sample.body).map((body) => JSON.stringify(body)),
        fc.string({ maxLength: 200 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ params, query, body }) => {
        const { token } = startSession(portal.deps, { orgCode, suid, zid });
        const answer = await send(
          entry,
          token,
          hostileAddress(entry, params, query),
          entry.method === 'GET' ? null : body,
        );
        expect(answer.status, `${entry.method} ${entry.path}`).toBeLessThan(500);
        if (!answer.isAnswered) expect(JSON.parse(answer.text).resultCode).toEqual(expect.any(Number));
      }),
      { numRuns: RUNS },
    );
  }
  expect(lines.filter((line) => line.includes('defect'))).toEqual([]);
});

test('rejects invalid fields in a body just under the limit, as in a small body', async () => {
  const pad = 'x'.repeat(LIMITS.publicBodyBytes - 50);
  await portal.http.post('/api/user/login').send({ orgCode: pad }).expect(400);
});

// covers: security 1.5.2
test.each([100, 5_000, 200_000])('refuses a body nested %i levels deep at every endpoint', async (depth) => {
  const { orgCode, suid, zid } = portal.device('super.admin@acme.test');
  const { token } = startSession(portal.deps, { orgCode, suid, zid });
  const list = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const entries = portal.deps.registered.endpoints.filter(({ body, area }) => body && area !== 'Lab');
  expect(entries.length).toBeGreaterThan(30);
  for (const entry of entries) {
    const field = Object.keys((sampleOf(entry).body ?? {}) as object)[0] ?? 'orgCode';
    const isAnonymous = entry.access.who === 'public' || entry.access.who === 'device';
    const limit = isAnonymous ? LIMITS.publicBodyBytes : LIMITS.jsonBodyBytes;
    for (const body of [`{"${field}":${list}}`, object].filter((text) => text.length < limit)) {
      const answer = await send(entry, token, hostileAddress(entry, sampleOf(entry).params, {}), body);
      expect(answer.status, `${entry.method} ${entry.path}`).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ resultName: 'BAD_REQUEST' });
    }
  }
});

test('refuses a deeply nested page key and a deeply nested device command', async () => {
  const { orgCode, suid, zid } = portal.device('super.admin@acme.test');
  const { token } = startSession(portal.deps, { orgCode, suid, zid });
  const deep = `${'['.repeat(240)}${']'.repeat(240)}`;
  const search = await portal.call(
    searchUsers,
    { query: { q: 'avery', field: 'firstName', lastItem: deep } },
    { token },
  );
  expect(search.body).toMatchObject({ resultName: 'INVALID_REQUEST' });
  const part = Buffer.from(`{"aud":${'['.repeat(2_500)}${']'.repeat(2_500)}}`).toString('base64url');
  const jws = `${Buffer.from(JSON.stringify({ alg: 'ES256', kid: zid, typ: 'device+jwt' })).toString('base64url')}.${part}.AA`;
  const command = await portal.call(pending, { body: { zid, jws } });
  expect(command.body).toMatchObject({ resultName: 'SIGNATURE_MISMATCH' });
});

test.each(['claims', 'request', 'id_token_hint', 'client_assertion', 'authorization_details'])(
  'refuses an OpenID request with a %s nested 5,000 levels deep as invalid',
  async (name) => {
    const deep = `{"id_token":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const part = (text: string) => Buffer.from(text).toString('base64url');
    const value =
      name === 'claims' || name === 'authorization_details' ? deep : `${part('{"alg":"ES256"}')}.${part(deep)}.AA`;
    const form = new URLSearchParams({
      client_id: 'nobody',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'https://app.test/callback',
      grant_type: 'authorization_code',
      code: 'x',
      [name]: value,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
    for (const path of ['auth', 'token', 'session/end']) {
      const { status } = await portal.http.post(`/oidc/acme/${path}`).send(String(form));
      expect(status, path).toBeLessThan(500);
    }
  },
);
