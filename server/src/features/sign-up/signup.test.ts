import { codeOf, type ResultName, readOutbox, signup, verifySignup } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, outcomeOfCall, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const EMAIL = 'nora.new@acme.test';
const NUMBER = '+46701234567';
const form = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: EMAIL };

const sign = (fields: Partial<typeof form> & { mobileNumber?: string } = {}) =>
  portal.call(signup, { body: { ...form, ...fields } });
const verify = (otp: string, email = EMAIL, orgCode = 'acme') =>
  portal.call(verifySignup, { body: { orgCode, email, otp } });
const messagesTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages;
const codeTo = async (to: string) => (await messagesTo(to))[0]?.code ?? '';
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');
const activating = (activationCode: string, email = EMAIL) =>
  portal.authenticator.activate({
    orgCode: 'acme',
    email,
    activationCode,
    device: { name: 'First phone', type: 'mobile', platform: 'Android 16' },
  });

// covers: spec 1.7.24, spec 2.8.30
test('signs up with a mobile number and two codes and registers the first device', async () => {
  const { status, body } = await sign({ mobileNumber: '+46 70-123 45 67' });
  expect({ status, body }).toEqual({
    status: 200,
    body: { resultCode: 0, suid: expect.any(String), verificationSent: true },
  });
  expect(memberByEmail(portal, 'acme', EMAIL)).toMatchObject({
    suid: body.suid,
    accountStatus: 'unverified',
    firstName: 'Nora',
    lastName: 'New',
    roleCode: 'USER',
    primaryAttr: EMAIL,
    mobileNumber: NUMBER,
  });
  const [message] = await messagesTo(NUMBER);
  expect(message).toMatchObject({ channel: 'text', subject: '', html: '', code: expect.stringMatching(/^\d{6}$/) });
  expect(await messagesTo(EMAIL)).toEqual([]);
  expect((await verify(message?.code ?? '')).body).toEqual({ resultCode: codeOf('EMAIL_VERIFIED') });
  expect(memberByEmail(portal, 'acme', EMAIL).accountStatus).toBe('unregistered');
  const [mail] = await messagesTo(EMAIL);
  expect(mail).toMatchObject({ subject: 'Your activation code for Acme Corporation' });
  expect((await activating(mail?.code ?? '')).profile).toMatchObject({ email: EMAIL, active: true });
});

test('emails the one-time code if there is no mobile number', async () => {
  await sign({ email: EMAIL.toUpperCase() });
  const [mail] = await messagesTo(EMAIL);
  expect(mail).toMatchObject({ channel: 'mail', subject: 'Your one-time code for Acme Corporation' });
  expect((await verify(`${mail?.code?.slice(0, 3)} ${mail?.code?.slice(3)}`)).body.resultCode).toBe(
    codeOf('EMAIL_VERIFIED'),
  );
});

// covers: spec 2.8.29
test('refuses device activation by an unverified member (MOBILE_UNVERIFIED)', async () => {
  await sign();
  expect(await outcomeOfCall(activating('123456'))).toBe('MOBILE_UNVERIFIED');
});

// covers: spec 2.8.11, spec 2.8.30
test('rejects registered members (USER_EXISTS) and members without a device (EMAIL_EXISTS)', async () => {
  const refused = (resultName: ResultName) => ({ status: 409, body: { resultName } });
  expect(await sign({ email: 'user@acme.test' })).toMatchObject(refused('USER_EXISTS'));
  expect(await sign({ email: 'omar.hassan@acme.test' })).toMatchObject(refused('USER_EXISTS'));
  expect(await sign({ email: 'mara.lindholm@acme.test' })).toMatchObject(refused('EMAIL_EXISTS'));
  expect(memberByEmail(portal, 'acme', 'mara.lindholm@acme.test').firstName).toBe('Mara');
});

test('accepts a deleted member again, even if another organisation has the address', async () => {
  expect((await sign({ email: 'margot.ito@acme.test' })).body.resultCode).toBe(0);
  expect((await sign({ email: 'user@acme.test', orgCode: 'globex' })).body.resultCode).toBe(0);
});

// covers: spec 2.8.29
test('rejects a taken (PHONE_ALREADY_EXISTS) or invalid mobile number (INVALID_MOBILE_NUMBER)', async () => {
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  setMember(portal, suid, { mobileNumber: NUMBER });
  expect(await sign({ mobileNumber: NUMBER })).toMatchObject({
    status: 409,
    body: { resultName: 'PHONE_ALREADY_EXISTS' },
  });
  for (const mobileNumber of ['0701234567', '+12', 'call me', `+46${'7'.repeat(20)}`]) {
    expect(await sign({ mobileNumber })).toMatchObject({ status: 403, body: { resultName: 'INVALID_MOBILE_NUMBER' } });
  }
  // Unverified numbers and numbers in other organisations don't conflict.
  expect((await sign({ orgCode: 'globex', mobileNumber: NUMBER })).body.resultCode).toBe(0);
  setMember(portal, suid, { accountStatus: 'unverified' });
  expect((await sign({ mobileNumber: NUMBER })).body.resultCode).toBe(0);
});

// covers: security 6.6.1
test('assigns a number to the first of two members who verifies it (PHONE_ALREADY_EXISTS)', async () => {
  await sign({ mobileNumber: NUMBER });
  const first = await codeTo(NUMBER);
  await sign({ email: 'other.new@acme.test', mobileNumber: NUMBER });
  const second = await codeTo(NUMBER);
  expect((await verify(second, 'other.new@acme.test')).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
  expect(await verify(first)).toMatchObject({ status: 409, body: { resultName: 'PHONE_ALREADY_EXISTS' } });
  // The second member can still sign up with another number.
  await sign({ mobileNumber: '+46707654321' });
  expect((await verify(await codeTo('+46707654321'))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
});

// covers: spec 2.8.30
test('accepts only addresses in the organisation’s domains, if any (INVALID_DOMAIN)', async () => {
  for (const email of ['a@elsewhere.test', 'a@acme.test.elsewhere.test', 'a@sub.acme.test']) {
    expect(await sign({ email })).toMatchObject({ status: 403, body: { resultName: 'INVALID_DOMAIN' } });
  }
  expect((await sign({ email: 'a+b@Consulting.TEST' })).body.resultCode).toBe(0);
  expect((await sign({ orgCode: 'globex', email: 'a@elsewhere.test' })).body.resultCode).toBe(0);
});

test('rejects disallowed IPs (IP_NOT_VALID) and unknown organisations (ORG_CODE_NOT_FOUND)', async () => {
  expect(await sign({ orgCode: 'nowhere' })).toMatchObject({ status: 404, body: { resultName: 'ORG_CODE_NOT_FOUND' } });
  expect(await verify('123456', EMAIL, 'nowhere')).toMatchObject({
    status: 404,
    body: { resultName: 'ORG_CODE_NOT_FOUND' },
  });
  setOrganisation(portal, 'acme', { allowedIps: '["10.0.0.0/8"]' });
  expect(await sign()).toMatchObject({ status: 403, body: { resultName: 'IP_NOT_VALID' } });
  expect(await verify('123456')).toMatchObject({ status: 403, body: { resultName: 'IP_NOT_VALID' } });
});

test('reports missing fields by name', async () => {
  const refused = await sign({ firstName: ' ', lastName: '' });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      resultName: 'INVALID_REQUEST',
      issues: [{ message: 'This field is required' }, { message: 'This field is required' }],
    },
  });
  expect((await sign({ email: '' })).body.resultName).toBe('ORG_EMAIL_NOT_PROVIDED');
  expect((await sign({ email: 'no address' })).body.issues).toMatchObject([
    { path: 'email', message: 'Please enter a valid email address' },
  ]);
  expect((await sign({ orgCode: '' })).body.resultName).toBe('ORG_MISSING');
});

// covers: security 15.1.3, security 15.2.2
test('rejects names with thousands of accents without slowing down', async () => {
  // The accents are out of canonical order, which makes normalisation take quadratic time.
  const nameOf = (accents: number) => `a${'\u0315'.repeat(accents / 2)}${'\u0316'.repeat(accents / 2)}`;
  // 7,000 accents exceed the name's maximum length. Half a million exceed the body limit for unauthenticated clients.
  expect(await sign({ firstName: nameOf(7_000) })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'firstName' }] },
  });
  expect((await sign({ firstName: nameOf(500_000) })).status).toBe(413);
});

test('sends a new code when signing up again and accepts only the latest code and details', async () => {
  const first = (await sign()).body.suid;
  const firstCode = await codeTo(EMAIL);
  const again = await sign({ firstName: 'Eleonora' });
  expect(again.body.suid).toBe(first);
  expect(memberByEmail(portal, 'acme', EMAIL).firstName).toBe('Eleonora');
  const code = await codeTo(EMAIL);
  if (firstCode !== code) expect((await verify(firstCode)).body.resultName).toBe('OTP_MISMATCH');
  expect((await verify(code)).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
});

// covers: security 2.4.1
test('sends at most five codes per hour to an address (ORG_EMAIL_LIMIT_REACHED)', async () => {
  for (let codes = 0; codes < 5; codes += 1) expect((await sign()).body.resultCode).toBe(0);
  expect(await sign()).toMatchObject({ status: 403, body: { resultName: 'ORG_EMAIL_LIMIT_REACHED' } });
  // The last code must still work, because the rejected request must not replace it.
  expect((await verify(await codeTo(EMAIL))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
});

test('allows new codes after an hour, and limits mobile numbers like email addresses', async () => {
  const people = Array.from({ length: 6 }, (_, index) => `p${index}@acme.test`);
  for (const email of people.slice(0, 5)) {
    expect((await sign({ email, mobileNumber: NUMBER })).body.resultCode).toBe(0);
  }
  expect((await sign({ email: people[5], mobileNumber: NUMBER })).body.resultName).toBe('ORG_EMAIL_LIMIT_REACHED');
  portal.clock.advance(3_600);
  expect((await sign({ email: people[5], mobileNumber: NUMBER })).body.resultCode).toBe(0);
});

// covers: spec 2.8.29
test('rejects missing (OTP_MISSING), malformed (INVALID_OTP), wrong and late codes (OTP_EXPIRED)', async () => {
  await sign();
  const code = await codeTo(EMAIL);
  expect(await verify('')).toMatchObject({ status: 400, body: { resultName: 'OTP_MISSING' } });
  for (const otp of ['12345', '1234567', 'abcdef', '١٢٣٤٥٦'])
    expect((await verify(otp)).body.resultName).toBe('INVALID_OTP');
  expect(await verify(wrongFor(code))).toMatchObject({ status: 200, body: { resultName: 'OTP_MISMATCH' } });
  portal.clock.advance(599);
  expect((await verify(wrongFor(code))).body.resultName).toBe('OTP_MISMATCH');
  portal.clock.advance(1);
  expect((await verify(code)).body.resultName).toBe('OTP_EXPIRED');
  await sign();
  expect((await verify(await codeTo(EMAIL))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
});

// covers: spec 2.8.30
test('ends after five wrong codes (INVALID_EMAIL_VERIFICATION), even concurrent ones', async () => {
  await sign();
  const code = await codeTo(EMAIL);
  const answers = await Promise.all(Array.from({ length: 10 }, () => verify(wrongFor(code))));
  const codes = answers.map(({ body }) => body.resultCode);
  expect(codes.filter((result) => result === 14)).toHaveLength(5);
  expect(codes.filter((result) => result === 81)).toHaveLength(5);
  expect((await verify(code)).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  await sign();
  expect((await verify(await codeTo(EMAIL))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
});

test('rejects a code if there is nothing to verify (INVALID_EMAIL_VERIFICATION)', async () => {
  expect((await verify('123456')).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  expect((await verify('123456', 'user@acme.test')).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  await sign();
  const code = await codeTo(EMAIL);
  expect((await verify(code, EMAIL, 'globex')).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  expect((await verify(code)).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
  expect((await verify(code)).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
});

// covers: security 6.5.1
test('accepts only one of five concurrent verifications with the same code', async () => {
  await sign();
  const code = await codeTo(EMAIL);
  const answers = await Promise.all(Array.from({ length: 5 }, () => verify(code)));
  expect(answers.filter(({ body }) => body.resultCode === codeOf('EMAIL_VERIFIED'))).toHaveLength(1);
  expect((await messagesTo(EMAIL)).filter(({ subject }) => subject.includes('activation'))).toHaveLength(1);
});

test('creates one member for five concurrent sign-ups with the same address', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => sign()));
  expect(new Set(answers.map(({ body }) => body.suid)).size).toBe(1);
});

test('issues a desktop activation code if the mobile app is disabled', async () => {
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  await sign();
  await verify(await codeTo(EMAIL));
  expect((await messagesTo(EMAIL))[0]?.text).toContain('for the desktop authenticator app');
});

test('rejects sign-up while every app is disabled (AUTHENTICATOR_DISALLOWED)', async () => {
  await sign();
  const code = await codeTo(EMAIL);
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0, desktopAppEnabled: 0 });
  expect((await sign()).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  expect((await verify(code)).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  expect(memberByEmail(portal, 'acme', EMAIL).accountStatus).toBe('unverified');
  expect(await messagesTo(EMAIL)).toHaveLength(1);
});
