import { loginState, refresh } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginQr } from './device-testing.ts';
import { type TestPortal, testPortal } from './testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const HOUR = 3_600;
const countOf = (table: string) => portal.deps.db.$client.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test('what became of a sign-in is told for a day, and is then forgotten', async () => {
  const { loginId } = await beginQr(portal);
  const ask = () => portal.call(loginState, { params: { loginId } });
  portal.clock.advance(24 * HOUR);
  expect(await ask()).toMatchObject({ status: 200, body: { state: 'expired' } });
  portal.clock.advance(2 * HOUR);
  expect(await ask()).toMatchObject({ status: 404, body: { resultCode: 21 } });
});

test('sessions that are long over leave nothing behind, those that last stay', async () => {
  const before = countOf('sessions');
  await portal.signIn('user@acme.test');
  portal.clock.advance(30 * HOUR);
  const { refreshToken } = await portal.signIn('user@acme.test');
  portal.clock.advance(10 * HOUR);
  expect(countOf('sessions')).toBe(Number(before) + 1);
  expect((await portal.call(refresh, { body: { refreshToken } })).body.resultCode).toBe(0);
});
