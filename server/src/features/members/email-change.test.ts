import { oneTimeCodeRepo, organisationRepo, outboxRepo } from '@orchestrate/db';
import {
  cancelEmailChange,
  codeOf,
  getProfile,
  getUser,
  LIMITS,
  sendEmailCode,
  updateUser,
  verifyEmail,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail, setMember } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const NEW = 'daniel.ortiz@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(USER));
});
afterEach(() => portal.close());

const me = () => memberByEmail(portal, 'acme', USER);
const names = { firstName: 'Daniel', lastName: 'Ortiz' };
const askFor = (primaryEmail: string, as = token) =>
  portal.call(updateUser, { body: { primaryAttr: 'E-10006', ...names, primaryEmail } }, { token: as });
const verify = (otp: string) => portal.call(verifyEmail, { body: { otp } }, { token });
const present = async () => (await portal.call(getUser, { query: {} }, { token })).body;

/** Returns the outbox messages to an address, newest last. */
function mailsTo(to: string): { template: string; code: string | null; facts: string }[] {
  const rows = outboxRepo.listOutbox(portal.deps.db, { to, limit: 100 }).toReversed();
  return rows.map(({ template, code, facts }) => ({ template, code, facts: JSON.stringify(facts) }));
}
const codeTo = (to: string): string => mailsTo(to).findLast(({ template }) => template === 'email-code')?.code ?? '';

describe('your own address', () => {
  // covers: spec 3.1.10, security 7.5.1
  test('stays unchanged until the code sent to the new address is entered', async () => {
    const { body } = await askFor(NEW);
    expect(body).toMatchObject({ resultCode: 0, profile: { primaryEmail: USER }, pendingEmail: { email: NEW } });
    expect(await present()).toMatchObject({ profile: { primaryEmail: USER }, pendingEmail: { email: NEW } });
    expect(mailsTo(NEW)).toMatchObject([{ template: 'email-code', code: expect.stringMatching(/^\d{6}$/) }]);
    const notice = mailsTo(USER).at(-1);
    expect(notice).toMatchObject({ template: 'email-change', facts: expect.stringContaining(NEW) });

    const verified = await verify(codeTo(NEW));
    expect(verified.body).toMatchObject({
      resultCode: codeOf('EMAIL_VERIFIED'),
      profile: { primaryEmail: NEW, emailVerified: true },
    });
    expect(await present()).toMatchObject({ profile: { primaryEmail: NEW }, pendingEmail: null });
    expect((await portal.call(getProfile, {}, { token })).body.profile).toMatchObject({ email: NEW });
    expect(mailsTo(USER).at(-1)?.template).toBe('email-changed');
  });

  test('stays unchanged if you cancel the change', async () => {
    await askFor(NEW);
    const code = codeTo(NEW);
    expect((await portal.call(cancelEmailChange, { body: {} }, { token })).body.resultCode).toBe(0);
    expect((await present()).pendingEmail).toBeNull();
    expect((await verify(code)).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
    expect((await portal.call(cancelEmailChange, { body: {} }, { token })).body.resultName).toBe(
      'INVALID_EMAIL_VERIFICATION',
    );
  });

  test('stays unchanged if an administrator cancels the change', async () => {
    await askFor(NEW);
    const { token: admin } = await portal.signIn('helpdesk.admin@acme.test');
    const { suid } = me();
    const displayed = (await portal.call(getUser, { query: { suid } }, { token: admin })).body;
    expect(displayed.pendingEmail?.email).toBe(NEW);
    expect((await portal.call(cancelEmailChange, { body: { suid } }, { token: admin })).body.resultCode).toBe(0);
    expect((await present()).pendingEmail).toBeNull();
  });

  test('has a pending change that a member with fewer permissions can’t cancel', async () => {
    const boss = await portal.signIn('super.admin@acme.test');
    await portal.call(
      updateUser,
      { body: { primaryAttr: 'E-10001', firstName: 'Avery', lastName: 'Lindqvist', primaryEmail: NEW } },
      { token: boss.token },
    );
    const { token: admin } = await portal.signIn('helpdesk.admin@acme.test');
    const { suid } = boss.profile;
    expect((await portal.call(cancelEmailChange, { body: { suid } }, { token: admin })).body.resultName).toBe(
      'INVALID_PERMISSIONS',
    );
  });

  test('can be saved unchanged while a change is pending', async () => {
    await askFor(NEW);
    expect((await askFor(USER)).body).toMatchObject({ pendingEmail: { email: NEW } });
    expect(mailsTo(NEW)).toHaveLength(1);
  });

  test('can’t be another member’s address (EMAIL_EXISTS)', async () => {
    expect((await askFor('manager@acme.test')).body.resultName).toBe('EMAIL_EXISTS');
  });

  test('must be in the organisation’s domains (INVALID_DOMAIN), checked again with the code', async () => {
    const refused = (await askFor('daniel@elsewhere.test')).body;
    expect(refused).toMatchObject({
      resultName: 'INVALID_DOMAIN',
      issues: [{ path: 'primaryEmail', message: expect.stringContaining('acme.test') }],
    });
    await askFor(NEW);
    organisationRepo.editOrganisation(portal.deps.db, 'acme', { allowedEmailDomains: ['consulting.test'] });
    expect((await verify(codeTo(NEW))).body.resultName).toBe('INVALID_DOMAIN');
  });

  test('can keep a domain that is no longer allowed when the name is edited', async () => {
    organisationRepo.editOrganisation(portal.deps.db, 'acme', { allowedEmailDomains: ['consulting.test'] });
    expect((await askFor(USER)).body.resultCode).toBe(0);
  });
});

describe('the email-change code', () => {
  test('has six digits (INVALID_OTP) and is required (OTP_MISSING)', async () => {
    await askFor(NEW);
    expect((await verify('12a456')).body.resultName).toBe('INVALID_OTP');
    const nothing = await portal.http.post('/api/user/email/verify').auth(token, { type: 'bearer' }).send({});
    expect(nothing.body).toMatchObject({ resultName: 'OTP_MISSING' });
  });

  test('allows five wrong attempts (OTP_MISMATCH), then expires (INVALID_EMAIL_VERIFICATION)', async () => {
    await askFor(NEW);
    const right = codeTo(NEW);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < LIMITS.oneTimeCodeTries; tries += 1) {
      expect((await verify(wrong)).body.resultName).toBe('OTP_MISMATCH');
    }
    expect((await verify(right)).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
    expect(me().primaryEmail).toBe(USER);
  });

  test('expires (OTP_EXPIRED), after which a new code can complete the change', async () => {
    await askFor(NEW);
    portal.clock.advance(LIMITS.oneTimeCodeLifetimeSeconds);
    ({ token } = await portal.signIn(USER));
    expect((await verify(codeTo(NEW))).body.resultName).toBe('OTP_EXPIRED');
    expect((await portal.call(sendEmailCode, { body: {} }, { token })).body.pendingEmail.email).toBe(NEW);
    expect((await verify(codeTo(NEW))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
  });

  test('is accepted only once, even if entered twice at the same time', async () => {
    await askFor(NEW);
    const code = codeTo(NEW);
    const results = await Promise.all([verify(code), verify(code)]);
    expect(results.map(({ body }) => body.resultCode).toSorted()).toEqual([81, 82]);
  });

  test('doesn’t verify a later change', async () => {
    await askFor('first@acme.test');
    const earlier = codeTo('first@acme.test');
    await askFor(NEW);
    expect((await verify(earlier)).body.resultName).toBe('OTP_MISMATCH');
    expect((await present()).pendingEmail?.email).toBe(NEW);
  });

  test('is sent at most five times an hour (ORG_EMAIL_LIMIT_REACHED), across all addresses', async () => {
    for (let nth = 0; nth < LIMITS.oneTimeCodesPerHour; nth += 1) await askFor(`n${nth}@acme.test`);
    expect((await askFor(NEW)).body.resultName).toBe('ORG_EMAIL_LIMIT_REACHED');
    expect((await portal.call(sendEmailCode, { body: {} }, { token })).body.resultName).toBe('ORG_EMAIL_LIMIT_REACHED');
    expect(mailsTo(NEW)).toEqual([]);
  });

  test('isn’t used up if another member has taken the address (EMAIL_EXISTS)', async () => {
    await askFor(NEW);
    const { suid } = memberByEmail(portal, 'acme', 'manager@acme.test');
    setMember(portal, suid, { primaryEmail: NEW });
    expect((await verify(codeTo(NEW))).body.resultName).toBe('EMAIL_EXISTS');
    setMember(portal, suid, { primaryEmail: 'manager@acme.test' });
    expect((await verify(codeTo(NEW))).body.resultCode).toBe(codeOf('EMAIL_VERIFIED'));
  });

  test('is stored as a hash', async () => {
    await askFor(NEW);
    const stored = oneTimeCodeRepo.findOneTimeCode(portal.deps.db, 'acme', me().suid);
    expect(JSON.stringify(stored)).not.toContain(codeTo(NEW));
  });

  test('expires a day after the change was requested', async () => {
    await askFor(NEW);
    const code = codeTo(NEW);
    portal.clock.advance(LIMITS.emailChangeHours * 3_600);
    ({ token } = await portal.signIn(USER));
    expect((await present()).pendingEmail).toBeNull();
    expect((await verify(code)).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
  });
});

describe('an email address', () => {
  test('is verified by a code sent to it', async () => {
    setMember(portal, me().suid, { emailVerifiedAt: null });
    expect((await present()).profile.emailVerified).toBe(false);
    await portal.call(sendEmailCode, { body: {} }, { token });
    expect((await present()).pendingEmail?.email).toBe(USER);
    expect((await verify(codeTo(USER))).body).toMatchObject({
      resultCode: codeOf('EMAIL_VERIFIED'),
      profile: { emailVerified: true },
    });
    expect(mailsTo(USER).map(({ template }) => template)).not.toContain('email-changed');
    expect((await portal.call(sendEmailCode, { body: {} }, { token })).body.resultName).toBe(
      'INVALID_EMAIL_VERIFICATION',
    );
  });

  test('is unverified once an administrator changes it, which also cancels the member’s own change', async () => {
    await askFor(NEW);
    const { token: admin } = await portal.signIn('helpdesk.admin@acme.test');
    const { suid } = me();
    const body = { suid, primaryAttr: 'E-10006', ...names, primaryEmail: 'd.ortiz@acme.test' };
    const changed = (await portal.call(updateUser, { body }, { token: admin })).body;
    expect(changed).toMatchObject({
      profile: { primaryEmail: 'd.ortiz@acme.test', emailVerified: false },
      pendingEmail: null,
    });
    expect((await verify(codeTo(NEW))).body.resultName).toBe('INVALID_EMAIL_VERIFICATION');
    const outside = { ...body, primaryEmail: 'd.ortiz@elsewhere.test' };
    expect((await portal.call(updateUser, { body: outside }, { token: admin })).body).toMatchObject({
      resultName: 'INVALID_DOMAIN',
      issues: [{ path: 'primaryEmail' }],
    });
  });
});
