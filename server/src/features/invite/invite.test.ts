import { activationCodeRepo } from '@orchestrate/db';
import {
  type AppType,
  checkInvitees,
  inviteUsers,
  listInvitations,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { deleteInvitations } from '#testing/helpers.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('helpdesk.admin@acme.test'));
});
afterEach(() => portal.close());

const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER_NEWCOMER = 'amara.okafor@acme.test';
const ACTIVE = 'user@acme.test';
const DISABLED = 'omar.hassan@acme.test';
const DELETED = 'margot.ito@acme.test';
const ELSEWHERE = 'hugo.lemaitre@globex.test';

const invite = (orgEmails: string[], type: 'mobile' | 'desktop' = 'mobile', sendEmail = true) =>
  portal.call(inviteUsers, { body: { orgEmails, type, sendEmail } }, { token });
const mailsTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages;
const codeOf = (email: string, type: AppType = 'mobile') => {
  const { suid } = memberByEmail(portal, 'acme', email);
  return activationCodeRepo.findActivationCode(portal.deps.db, 'acme', suid, type)?.code;
};

// covers: spec 1.7.10
test('issues an invited member an activation code and emails a link', async () => {
  const { status, body } = await invite([NEWCOMER]);
  expect(status).toBe(200);
  expect(body).toEqual({
    resultCode: 0,
    emailsNotExist: '',
    desktopAppNotEnabled: '',
    mobileAppNotEnabled: '',
    emailsNotExistCount: 0,
    desktopAppNotEnabledCount: 0,
    mobileAppNotEnabledCount: 0,
    invited: 1,
    unchanged: 0,
    duplicates: 0,
    rejected: [],
    rejectedCount: 0,
    created: 0,
  });
  const [mail] = await mailsTo(NEWCOMER);
  expect(mail).toMatchObject({ subject: 'You are invited to Acme Corporation', channel: 'mail' });
  expect(mail?.links).toEqual([expect.stringMatching(`^${portal.url}/api/user/activate\\?token=[\\w-]{43}$`)]);
  // The email contains a link to the code, not the code itself.
  expect(mail?.code).toBeUndefined();
  const { profile } = await portal.authenticator.activate({
    orgCode: 'acme',
    email: NEWCOMER,
    activationCode: codeOf(NEWCOMER) ?? '',
    device: { name: 'First phone', type: 'mobile', platform: 'Android 16' },
  });
  expect(profile.active).toBe(true);
});

test('issues only the code if no email is requested', async () => {
  const before = await mailsTo(OTHER_NEWCOMER);
  setMember(portal, memberByEmail(portal, 'acme', OTHER_NEWCOMER).suid, { hasPermissionForWindowsApp: 1 });
  expect((await invite([OTHER_NEWCOMER], 'desktop', false)).body.invited).toBe(1);
  expect(codeOf(OTHER_NEWCOMER, 'desktop')).toMatch(/^\d{6}$/);
  expect(await mailsTo(OTHER_NEWCOMER)).toEqual(before);
});

test('lists non-members and invalid addresses, and creates no member for them', async () => {
  const strangers = ['nobody@acme.test', ELSEWHERE, DELETED, 'no address', 'a,b@acme.test', 'ünï@acme.test'];
  const { body } = await invite([NEWCOMER, ...strangers]);
  expect(body).toMatchObject({ resultCode: 0, invited: 1, emailsNotExistCount: 6 });
  expect(body.emailsNotExist.split(',')).toEqual([
    'nobody@acme.test',
    ELSEWHERE,
    DELETED,
    'no address',
    'a b@acme.test',
    'ünï@acme.test',
  ]);
});

test('accepts an address in any case, with spaces or a plus, and counts duplicates once', async () => {
  setMember(portal, memberByEmail(portal, 'acme', OTHER_NEWCOMER).suid, { primaryEmail: 'amara+portal@acme.test' });
  const { body } = await invite([` ${NEWCOMER.toUpperCase()} `, NEWCOMER, 'Amara+Portal@ACME.test', '']);
  expect(body).toMatchObject({ invited: 2, unchanged: 0, duplicates: 1, emailsNotExist: '' });
  expect((await mailsTo(NEWCOMER)).filter(({ subject }) => subject.startsWith('You are invited'))).toHaveLength(1);
});

// covers: spec 1.3.14
test('lists members who may not use the app, by app', async () => {
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  setMember(portal, suid, { hasPermissionForMobileApp: 0, hasPermissionForWindowsApp: 0 });
  expect((await invite([NEWCOMER], 'mobile')).body).toMatchObject({
    invited: 0,
    mobileAppNotEnabled: NEWCOMER,
    mobileAppNotEnabledCount: 1,
    desktopAppNotEnabled: '',
  });
  expect((await invite([NEWCOMER], 'desktop')).body).toMatchObject({
    invited: 0,
    desktopAppNotEnabled: NEWCOMER,
    desktopAppNotEnabledCount: 1,
    mobileAppNotEnabled: '',
  });
});

test('skips members with a device, and lists disabled and unverified members with reasons', async () => {
  const before = codeOf(ACTIVE);
  const { suid } = memberByEmail(portal, 'acme', OTHER_NEWCOMER);
  setMember(portal, suid, { accountStatus: 'unverified' });
  const { body } = await invite([ACTIVE, DISABLED, OTHER_NEWCOMER]);
  expect(body).toMatchObject({ invited: 0, unchanged: 1, emailsNotExist: '', rejectedCount: 2 });
  expect(body.rejected).toEqual([
    { line: 2, value: DISABLED, reason: 'This account is inactive. Contact the Administrator.' },
    { line: 3, value: OTHER_NEWCOMER, reason: 'The mobile number has not been verified yet.' },
  ]);
  expect(codeOf(ACTIVE)).toBe(before);
});

test('keeps a usable code and replaces a locked or expired one', async () => {
  const { primaryAttr, suid } = memberByEmail(portal, 'acme', NEWCOMER);
  const issue = () =>
    portal.call(
      regenerateActivationCode,
      { body: { email: NEWCOMER, primaryAttr, type: 'mobile', sendEmail: false } },
      { token },
    );
  const { activationCode } = (await issue()).body;
  expect((await invite([NEWCOMER])).body.invited).toBe(1);
  expect(codeOf(NEWCOMER)).toBe(activationCode);
  portal.deps.db.$client.prepare('UPDATE activation_codes SET wrongTries = 5 WHERE suid = ?').run(suid);
  await invite([NEWCOMER]);
  const replaced = portal.deps.db.$client
    .prepare('SELECT wrongTries, usedAt FROM activation_codes WHERE suid = ?')
    .get(suid);
  expect(replaced).toEqual({ wrongTries: 0, usedAt: null });
});

// covers: spec 2.8.27
test('requires an address (ORG_EMAIL_NOT_PROVIDED), limits them (ORG_EMAIL_LIMIT_REACHED)', async () => {
  expect(await invite([])).toMatchObject({ status: 400, body: { resultName: 'ORG_EMAIL_NOT_PROVIDED' } });
  expect(await invite(['', '  '])).toMatchObject({ status: 400, body: { resultName: 'ORG_EMAIL_NOT_PROVIDED' } });
  const many = Array.from({ length: 1_001 }, (_, index) => `p${index}@acme.test`);
  expect(await invite(many)).toMatchObject({ status: 403, body: { resultName: 'ORG_EMAIL_LIMIT_REACHED' } });
  expect((await invite(many.slice(1))).body).toMatchObject({ resultCode: 0, emailsNotExistCount: 1_000 });
  const sending = portal.http.post(`/api${inviteUsers.path}`).auth(token, { type: 'bearer' });
  expect((await sending.send({ type: 'mobile' })).body).toMatchObject({ resultName: 'ORG_EMAIL_NOT_PROVIDED' });
});

test('invites no one for a disabled app (AUTHENTICATOR_DISALLOWED)', async () => {
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect((await invite([NEWCOMER])).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 1 });
});

test('requires BULK_INVITE (INVALID_PERMISSIONS)', async () => {
  ({ token } = await portal.signIn('callcenter.admin@acme.test'));
  expect(await invite([NEWCOMER])).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
});

test('sends different links to two members', async () => {
  await invite([NEWCOMER, OTHER_NEWCOMER]);
  const links = await Promise.all([NEWCOMER, OTHER_NEWCOMER].map(async (to) => (await mailsTo(to))[0]?.links[0]));
  expect(new Set(links).size).toBe(2);
});

const check = (orgEmails: string[], type: AppType = 'mobile') =>
  portal.call(checkInvitees, { body: { orgEmails, type } }, { token });

test('previews the result for each address before writing anything', async () => {
  setOrganisation(portal, 'acme', { allowedEmailDomains: '["acme.test"]' });
  const { body } = await check([
    NEWCOMER,
    ACTIVE,
    DISABLED,
    'Stranger@acme.test',
    'stranger@ACME.test',
    'a@elsewhere.test',
    'no address',
  ]);
  expect(body.people).toEqual([
    { email: NEWCOMER, outcome: 'member' },
    { email: ACTIVE, outcome: 'registered', reason: 'This person has already registered a device.' },
    { email: DISABLED, outcome: 'refused', reason: expect.stringContaining('inactive') },
    { email: 'stranger@acme.test', outcome: 'new' },
    { email: 'stranger@acme.test', outcome: 'duplicate' },
    { email: 'a@elsewhere.test', outcome: 'refused', reason: expect.any(String) },
    { email: 'no address', outcome: 'refused', reason: 'This is not an email address.' },
  ]);
  expect(await mailsTo('stranger@acme.test')).toEqual([]);
});

// covers: spec 1.1.7
test('with addNew, creates members for unknown addresses and derives names from the address', async () => {
  deleteInvitations(portal);
  const orgEmails = ['ada.van-berg+work@acme.test', 'bob7@acme.test', NEWCOMER];
  const { body } = await portal.call(
    inviteUsers,
    { body: { orgEmails, type: 'mobile', sendEmail: true, addNew: true } },
    { token },
  );
  expect(body).toMatchObject({ invited: 3, created: 2, emailsNotExist: '' });
  expect(memberByEmail(portal, 'acme', 'ada.van-berg+work@acme.test')).toMatchObject({
    firstName: 'Ada',
    lastName: 'Van Berg',
    primaryAttr: 'ada.van-berg+work@acme.test',
    accountStatus: 'invited',
    roleCode: 'USER',
  });
  expect(memberByEmail(portal, 'acme', 'bob7@acme.test')).toMatchObject({ firstName: 'Bob7', lastName: '' });
  const [mail] = await mailsTo('bob7@acme.test');
  expect(mail?.links).toHaveLength(1);
  const { Items } = (await portal.call(listInvitations, { query: {} }, { token })).body;
  expect(Items.map(({ email }) => email).sort()).toEqual([...orgEmails].sort());
});

test('with addNew, rejects addresses outside the allowed domains and creates no partial member', async () => {
  setOrganisation(portal, 'acme', { allowedEmailDomains: '["acme.test"]' });
  const body = { orgEmails: ['a@elsewhere.test'], type: 'mobile' as const, sendEmail: true, addNew: true };
  const reply = (await portal.call(inviteUsers, { body }, { token })).body;
  expect(reply).toMatchObject({ invited: 0, created: 0, rejected: [{ value: 'a@elsewhere.test' }] });
  expect(await mailsTo('a@elsewhere.test')).toEqual([]);
});
