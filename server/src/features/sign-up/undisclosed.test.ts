import { readOutbox, signup, verifySignup } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
});
afterEach(() => portal.close());

const NUMBER = '+46701234567';
const NEW = 'nora.new@acme.test';
/** Email addresses: unknown, registered, disabled, and known but without a device. */
const ADDRESSES = [NEW, 'user@acme.test', 'omar.hassan@acme.test', 'mara.lindholm@acme.test'];

const sign = (email: string, mobileNumber?: string) =>
  portal.call(signup, { body: { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email, mobileNumber } });
const verify = async (email: string, otp: string) =>
  (await portal.call(verifySignup, { body: { orgCode: 'acme', email, otp } })).body.resultCode;
const messagesTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages;
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');

test('returns the same response to every sign-up, whether the address is new or taken', async () => {
  for (const email of ADDRESSES) {
    const { status, body } = await sign(email);
    expect({ status, body }).toEqual({
      status: 200,
      body: { resultCode: 0, suid: expect.stringMatching(/^[\w-]{22}$/), verificationSent: true },
    });
    expect((await sign(email)).body.suid).toBe(body.suid);
    for (let codes = 2; codes < 5; codes += 1) await sign(email);
    expect(await sign(email)).toMatchObject({ status: 403, body: { resultName: 'ORG_EMAIL_LIMIT_REACHED' } });
  }
  expect(memberByEmail(portal, 'acme', 'user@acme.test')).toMatchObject({ accountStatus: 'active', lastName: 'Ortiz' });
});

test('notifies the owner of the address without a code, at most twice a day', async () => {
  const before = (await messagesTo('user@acme.test')).length;
  for (let attempt = 0; attempt < 4; attempt += 1) await sign('user@acme.test');
  const messages = await messagesTo('user@acme.test');
  expect(messages).toHaveLength(before + 2);
  expect(messages[0]).toMatchObject({ subject: 'You already have an account at Acme Corporation' });
  expect(messages[0]?.text).toContain('127.0.0.1');
  expect(messages[0]?.code).toBeFalsy();
});

test('returns the same verification errors for every address (OTP_MISMATCH, OTP_EXPIRED)', async () => {
  for (const email of ADDRESSES) {
    expect(await verify(email, '123456')).toBe(81);
    await sign(email);
    const wrong = wrongFor((await messagesTo(email))[0]?.code ?? '');
    const codes: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) codes.push(await verify(email, wrong));
    expect(codes).toEqual([14, 14, 14, 14, 14, 81]);
    await sign(email);
    portal.clock.advance(600);
    expect(await verify(email, wrong)).toBe(15);
    // By now the network has used up its attempts, so wait until it can try again.
    portal.clock.advance(3_600);
  }
});

test('accepts a code sent to the visitor’s own number for any address (EMAIL_VERIFIED)', async () => {
  for (const email of ADDRESSES) {
    await sign(email, NUMBER);
    const [message] = await messagesTo(NUMBER);
    expect(message?.channel).toBe('text');
    expect(await verify(email, message?.code ?? '')).toBe(82);
    expect(await verify(email, message?.code ?? '')).toBe(81);
    if (email === NEW) setMember(portal, memberByEmail(portal, 'acme', NEW).suid, { mobileNumber: null });
  }
  expect(memberByEmail(portal, 'acme', 'mara.lindholm@acme.test').mobileNumber).not.toBe(NUMBER);
});

test('reveals only to its holder that a mobile number is taken (PHONE_ALREADY_EXISTS)', async () => {
  setMember(portal, memberByEmail(portal, 'acme', 'user@acme.test').suid, { mobileNumber: NUMBER });
  expect((await sign(NEW, NUMBER)).body.resultCode).toBe(0);
  const [message] = await messagesTo(NUMBER);
  expect(await verify(NEW, wrongFor(message?.code ?? ''))).toBe(14);
  expect(await verify(NEW, message?.code ?? '')).toBe(16);
});

test('delays guesses from one network across all addresses (429)', async () => {
  let refused: Awaited<ReturnType<typeof portal.call<typeof verifySignup>>> | undefined;
  for (let tries = 0; tries < 21; tries += 1) {
    const body = { orgCode: 'acme', email: `guess.${tries}@acme.test`, otp: '123456' };
    refused = await portal.call(verifySignup, { body });
    if (tries < 20) expect(refused.body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  }
  expect(refused).toMatchObject({ status: 429, body: { resultName: 'BAD_REQUEST' } });
  expect(refused?.headers['retry-after']).toBe('180');
});
