import { inviteUsers, LIMITS, readOutbox, regenerateActivationCode, signup } from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { freePort } from '#testing/mail-server.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const NEWCOMER = 'mara.lindholm@acme.test';
const GONE = '(This code is no longer valid.)';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

/** Returns the recipient's messages, newest first. */
const messagesTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages;
const issue = async () => {
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const, sendEmail: true };
  return (await portal.call(regenerateActivationCode, { body }, { token })).body.activationCode;
};
/** Returns the number of encrypted secrets in the outbox. */
const secretCount = () =>
  portal.deps.db.$client.prepare('SELECT count(*) FROM outbox WHERE code IS NOT NULL').pluck().get();

test('stores an emailed code only in encrypted form and deletes it after use', async () => {
  const activationCode = await issue();
  expect((await messagesTo(NEWCOMER))[0]).toMatchObject({ code: activationCode });
  const rows = portal.deps.db.$client.prepare('SELECT * FROM outbox').raw().all();
  expect(JSON.stringify(rows)).not.toContain(`"${activationCode}"`);
  await portal.authenticator.activate({
    orgCode: 'acme',
    email: NEWCOMER,
    activationCode,
    device: { name: 'Phone', type: 'mobile', platform: 'Android 16' },
  });
  const mail = (await messagesTo(NEWCOMER)).find(({ subject }) => subject.startsWith('Your activation code'));
  expect(mail?.code).toBeUndefined();
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain(GONE);
    expect(text).not.toContain(activationCode);
  }
});

test('deletes a replaced code and keeps the new one', async () => {
  const first = await issue();
  const second = await issue();
  const [newest, older] = await messagesTo(NEWCOMER);
  expect(newest).toMatchObject({ code: second });
  expect(older?.text).toContain(GONE);
  expect(older?.text).not.toContain(first);
});

test('deletes an invitation link once a device has registered with it', async () => {
  await portal.call(inviteUsers, { body: { orgEmails: [NEWCOMER], type: 'mobile', sendEmail: true } }, { token });
  const [link = ''] = (await messagesTo(NEWCOMER))[0]?.links ?? [];
  portal.clock.advance(24 * 3_600);
  const invitation = async () =>
    (await messagesTo(NEWCOMER)).find(({ subject }) => subject.startsWith('You are invited'));
  await request(link).get('');
  expect((await invitation())?.links).toEqual([link]);
  const activationCode = (await messagesTo(NEWCOMER))[0]?.code ?? '';
  const device = { name: 'First', type: 'mobile' as const, platform: 'Android 16' };
  await portal.authenticator.activate({ orgCode: 'acme', email: NEWCOMER, activationCode, device });
  const mail = await invitation();
  expect(mail?.links).toEqual([]);
  expect(mail?.text).toContain('(This link is no longer valid.)');
});

test('deletes expired codes automatically', async () => {
  await issue();
  const body = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' };
  await portal.call(signup, { body });
  expect((await messagesTo(body.email))[0]?.code).toMatch(/^\d{6}$/);
  expect(Number(secretCount())).toBeGreaterThan(1);
  portal.clock.advance(LIMITS.activationCodeLifetimeSeconds + 3_600);
  expect(secretCount()).toBe(0);
  expect((await messagesTo(body.email))[0]?.code).toBeUndefined();
});

test("doesn't send a pending email once its code has been replaced", async () => {
  await portal.close();
  portal = await testPortal({ config: { smtpUrl: `smtp://127.0.0.1:${await freePort()}` } });
  ({ token } = await portal.signIn('super.admin@acme.test'));
  await issue();
  await expect.poll(async () => (await messagesTo(NEWCOMER))[0]?.lastError).toContain('ECONNREFUSED');
  const second = await issue();
  const [newest, older] = await messagesTo(NEWCOMER);
  expect(newest?.code).toBe(second);
  expect(older).toMatchObject({ deliveredAt: null, lastError: 'Not sent: its code or link is no longer valid.' });
});
