import { type EndpointDefinition, LIMITS } from '@orchestrate/shared';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../testing.ts';
import { hostileAddress, spoilt } from './hostile-testing.ts';
import { sampleOf } from './sample-testing.ts';
import { startSession } from './sessions.ts';

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ onLog: (line) => lines.push(line) });
});
afterAll(() => portal.close());

/** Requests per entry. */
const RUNS = 25;

async function send(entry: EndpointDefinition, token: string, path: string, body: string | null) {
  const response = await fetch(`${portal.url}/api${path}`, {
    method: entry.method,
    headers: { authorization: `Bearer ${token}`, ...(body !== null && { 'content-type': 'application/json' }) },
    body,
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}

test('whatever is sent to whatever endpoint is answered with a result code, and is never a defect', async () => {
  // The lab is for people who may break everything; one of its calls sets the clock by which tokens expire.
  const entries = portal.deps.registered.endpoints.filter(({ area }) => area !== 'Lab');
  const { orgCode, suid, zid } = portal.device('super.admin@acme.test');
  for (const entry of entries) {
    const sample = sampleOf(entry);
    const request = fc.record({
      params: spoilt(sample.params),
      query: spoilt(sample.query),
      body: fc.oneof(
        spoilt(sample.body).map((body) => JSON.stringify(body)),
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
        // A browser that is sent elsewhere is answered by the address.
        if (answer.location === null) expect(JSON.parse(answer.text).resultCode).toEqual(expect.any(Number));
      }),
      { numRuns: RUNS },
    );
  }
  expect(lines.filter((line) => line.includes('defect'))).toEqual([]);
}, 180_000);

test('a body just under the limit is read and refused like any other', async () => {
  const pad = 'x'.repeat(LIMITS.jsonBodyBytes - 50);
  const response = await fetch(`${portal.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orgCode: pad }),
  });
  expect(response.status).toBe(400);
});

test('a body nested ten thousand deep is read and refused like any other', async () => {
  const response = await fetch(`${portal.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"orgCode":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  });
  expect(response.status).toBe(400);
  expect(JSON.parse(await response.text())).toMatchObject({ resultCode: expect.any(Number) });
});
