import { addDevice, addDeviceLive, authenticatorLive, testDevice, testDeviceLive } from '@orchestrate/shared';
import { signCompactJws } from '@orchestrate/shared/authenticator';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

const PATHS = ['activate', 'pair', 'pair/status', 'resolve', 'respond', 'pending'];

const post = (path: string, body: unknown) =>
  portal.http.post(`/api/authenticator/${path}`).type('json').send(JSON.stringify(body));

/** Generates a plausible claim value or arbitrary JSON. */
const claim = (...meant: unknown[]) => fc.oneof(fc.constantFrom(...meant), fc.jsonValue());

test('rejects arbitrary signed payloads without a server error', async () => {
  const { zid, privateKeyJwk } = portal.device('user@acme.test');
  const iat = Math.floor(portal.clock.now() / 1_000);
  const payload = fc.record(
    {
      aud: claim('acme', 'globex'),
      iat: claim(iat, iat + 0.1, Number.MAX_VALUE, -1),
      jti: claim('one', '\u0000', 'x'.repeat(64)),
      code: claim('ABCD2345', 'x'.repeat(128)),
      challengeId: claim('unknown', '../..'),
      decision: claim('approve', 'deny'),
      number: claim('42'),
    },
    { requiredKeys: ['aud', 'iat'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), payload, async (path, claims) => {
      const header = JSON.stringify({ alg: 'ES256', typ: 'device+jwt', kid: zid });
      const jws = signCompactJws(header, JSON.stringify(claims), privateKeyJwk);
      const { status, body } = await post(path, { zid, jws, pairingId: 'unknown' });
      expect(status).toBeLessThan(500);
      expect(body.resultCode).toEqual(expect.any(Number));
    }),
    { numRuns: 150 },
  );
});

test('rejects arbitrary bodies without a server error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), fc.jsonValue(), async (path, body) => {
      const answer = await post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.resultCode).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
});

test('closes the socket with 1008 on malformed messages, without a server error', async () => {
  const { token, profile } = await portal.signIn('user@acme.test');
  const { suid } = profile;
  const { aid } = (await portal.call(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } }, { token })).body;
  const { qid } = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token })).body;
  const channels = [
    () => portal.open(addDeviceLive, { suid, aid }, { token }),
    () => portal.open(testDeviceLive, { qid, org: 'acme' }, { token }),
    () => portal.open(authenticatorLive, {}),
  ];
  const rubbish = fc.oneof(
    fc.string(),
    fc.json(),
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...channels), rubbish, async (open, message) => {
      const live = await open();
      live.sendRaw(message);
      expect((await live.closed).code).toBe(1008);
    }),
    { numRuns: 100 },
  );
});
