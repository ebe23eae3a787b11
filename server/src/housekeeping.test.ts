import { inviteUsers, loginState, refresh, signup } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteInvitations } from './testing/helpers.ts';
import { beginQr, type TestPortal, testPortal } from './testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const HOUR = 3_600;
const countOf = (table: string) => portal.deps.db.$client.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test('keeps a sign-in’s outcome for a day', async () => {
  const { loginId } = await beginQr(portal);
  const ask = () => portal.call(loginState, { params: { loginId } });
  portal.clock.advance(24 * HOUR);
  expect(await ask()).toMatchObject({ status: 200, body: { state: 'expired' } });
  portal.clock.advance(2 * HOUR);
  expect(await ask()).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

test('deletes sessions that expired long ago and keeps current ones', async () => {
  const before = countOf('sessions');
  await portal.signIn('user@acme.test');
  portal.clock.advance(30 * HOUR);
  const { refreshToken } = await portal.signIn('user@acme.test');
  portal.clock.advance(10 * HOUR);
  expect(countOf('sessions')).toBe(Number(before) + 1);
  expect((await portal.call(refresh, { body: { refreshToken } })).body.resultCode).toBe(0);
});

test('deletes expired rows after a reset that set the clock back', async () => {
  portal.clock.advance(300 * 24 * HOUR);
  await portal.lab.reset();
  await portal.call(signup, {
    body: { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' },
  });
  expect(countOf('one_time_codes')).toBe(1);
  portal.clock.advance(26 * HOUR);
  expect(countOf('one_time_codes')).toBe(0);
});

test('deletes one-time codes after a day, invitations after a month and messages after three', async () => {
  deleteInvitations(portal);
  const { token } = await portal.signIn('super.admin@acme.test');
  const body = { orgEmails: ['mara.lindholm@acme.test'], type: 'mobile' as const, sendEmail: true };
  await portal.call(inviteUsers, { body }, { token });
  await portal.call(signup, {
    body: { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' },
  });
  expect([countOf('invitations'), countOf('one_time_codes')]).toEqual([1, 1]);
  portal.clock.advance(26 * HOUR);
  expect([countOf('invitations'), countOf('one_time_codes')]).toEqual([1, 0]);
  portal.clock.advance(35 * 24 * HOUR);
  expect(countOf('invitations')).toBe(1);
  portal.clock.advance(2 * 24 * HOUR);
  expect(countOf('invitations')).toBe(0);
  expect(countOf('outbox')).toBeGreaterThan(1);
  portal.clock.advance(90 * 24 * HOUR);
  expect(countOf('outbox')).toBe(0);
});
