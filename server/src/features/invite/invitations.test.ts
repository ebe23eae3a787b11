import {
  type AuthState,
  addUser,
  bulkInvite,
  countUsers,
  deleteUser,
  getSummary,
  inviteUsers,
  listActivity,
  listInvitations,
  manageUser,
  readOutbox,
  regenerateActivationCode,
  resendInvitation,
  searchUsers,
  withdrawInvitation,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { deleteInvitations } from '#testing/helpers.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER = 'amara.okafor@acme.test';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  deleteInvitations(portal);
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const inviteThem = async (orgEmails = [NEWCOMER], type: 'mobile' | 'desktop' = 'mobile', sendEmail = true) => {
  await portal.call(inviteUsers, { body: { orgEmails, type, sendEmail } }, admin);
};
const list = async (query: object = {}, as = admin) => (await portal.call(listInvitations, { query }, as)).body;
const mailTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages[0];
const linkTo = async (to: string) => (await mailTo(to))?.links[0] ?? '';
/** Follows a link and returns the redirect location. */
const follow = async (link: string) => {
  const { pathname, search } = new URL(link);
  return (await portal.http.get(`${pathname}${search}`).accept('text/html')).headers.location;
};
const activate = (email: string, activationCode: string) =>
  portal.authenticator.activate({
    orgCode: 'acme',
    email,
    activationCode,
    device: { name: 'First phone', type: 'mobile', platform: 'Android 16' },
  });

test('lists an open invitation with its member, sender, time and expiry', async () => {
  await inviteThem();
  const { Items, counts } = await list();
  const now = portal.clock.now();
  const days = (count: number) => new Date(now + count * 86_400_000).toISOString();
  const { suid } = admin.profile;
  expect(Items).toEqual([
    {
      suid: suidOf(NEWCOMER),
      primaryAttr: 'E-11020',
      accountStatus: 'invited',
      name: 'Mara Lindholm',
      email: NEWCOMER,
      type: 'mobile',
      invitedAt: days(0),
      invitedBy: { suid, name: `${admin.profile.firstName} ${admin.profile.lastName}` },
      validFrom: days(0),
      expiresAt: days(7),
      openedAt: null,
      state: 'waiting',
      canWithdraw: true,
    },
  ]);
  expect(counts).toEqual({ valid: 1, expired: 0 });
});

test('keeps one open invitation per member and app, and none if no email is sent', async () => {
  setMember(portal, suidOf(NEWCOMER), { hasPermissionForWindowsApp: 1 });
  await inviteThem();
  portal.clock.advance(60);
  await inviteThem([NEWCOMER], 'desktop');
  await inviteThem();
  await inviteThem([OTHER], 'mobile', false);
  expect((await list()).Items.map(({ suid, type }) => [suid, type])).toEqual([
    [suidOf(NEWCOMER), 'mobile'],
    [suidOf(NEWCOMER), 'desktop'],
  ]);
});

test('marks an invitation as opened, and ends it when the member registers', async () => {
  await inviteThem();
  await follow(await linkTo(NEWCOMER));
  expect((await list()).Items).toMatchObject([{ state: 'opened', openedAt: expect.any(String) }]);
  await activate(NEWCOMER, (await mailTo(NEWCOMER))?.code ?? '');
  expect(await list()).toMatchObject({ Items: [], counts: { valid: 0, expired: 0 } });
});

test('doesn’t list a deleted member’s invitation', async () => {
  await inviteThem();
  await portal.call(deleteUser, { body: { suid: suidOf(NEWCOMER), org: 'acme' } }, admin);
  expect((await list()).Items).toEqual([]);
});

test('lists expired invitations for a month and counts them separately', async () => {
  await inviteThem();
  portal.clock.advance(8 * 86_400);
  admin = await portal.signIn('super.admin@acme.test');
  await inviteThem([OTHER]);
  expect((await list()).counts).toEqual({ valid: 1, expired: 1 });
  expect((await list({ state: 'expired' })).Items).toMatchObject([{ email: NEWCOMER, state: 'expired' }]);
  expect((await list({ state: 'valid' })).Items).toMatchObject([{ email: OTHER, state: 'waiting' }]);
});

test('marks delayed invitations as early, and as moved once the member’s address changes', async () => {
  setOrganisation(portal, 'acme', { activationLinkDelayHours: 2 });
  await inviteThem();
  expect((await list()).Items).toMatchObject([{ state: 'early' }]);
  setMember(portal, suidOf(NEWCOMER), { primaryEmail: 'mara.new@acme.test' });
  expect((await list()).Items).toMatchObject([{ state: 'moved', email: NEWCOMER }]);
});

test('filters the list by app and text, in pages', async () => {
  setMember(portal, suidOf(OTHER), { hasPermissionForWindowsApp: 1 });
  await inviteThem([NEWCOMER, OTHER]);
  await inviteThem([OTHER], 'desktop');
  expect((await list({ type: 'desktop' })).Items).toHaveLength(1);
  expect((await list({ q: 'LINDH' })).Items).toMatchObject([{ email: NEWCOMER }]);
  expect((await list({ q: 'nobody' })).Items).toEqual([]);
  const all = (await list()).Items;
  const paged: unknown[] = [];
  for (let lastItem: string | undefined; ; ) {
    const { Items, LastEvaluatedKey } = await list({ pageSize: 1, ...(lastItem && { lastItem }) });
    paged.push(...Items);
    if (!LastEvaluatedKey) break;
    lastItem = JSON.stringify(LastEvaluatedKey);
  }
  expect(paged).toEqual(all);
  const { status } = await portal.call(listInvitations, { query: { lastItem: '{"suid":1}' } }, admin);
  expect(status).toBe(400);
});

// covers: spec 1.1.6
test('emails a new link on resend, and invalidates earlier links and the code', async () => {
  await inviteThem();
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const issued = { email: NEWCOMER, primaryAttr, type: 'mobile' as const };
  const old = {
    link: await linkTo(NEWCOMER),
    code: (await portal.call(regenerateActivationCode, { body: issued }, admin)).body.activationCode,
  };
  portal.clock.advance(86_400);
  admin = await portal.signIn('super.admin@acme.test');
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  const again = await portal.call(resendInvitation, { body }, admin);
  expect(again.body.expiresAt).toBe(new Date(portal.clock.now() + 7 * 86_400_000).toISOString());
  expect(await follow(old.link)).toContain('/static/link-invalid');
  await expect(activate(NEWCOMER, old.code)).rejects.toThrow();
  expect((await list()).Items).toHaveLength(1);
  expect(await follow(await linkTo(NEWCOMER))).toContain('/static/activation-sent');
});

test('withdraws an invitation but keeps its member', async () => {
  await inviteThem();
  const link = await linkTo(NEWCOMER);
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  expect((await portal.call(withdrawInvitation, { body }, admin)).status).toBe(200);
  expect(await follow(link)).toContain('/static/link-invalid');
  expect((await list()).Items).toEqual([]);
  expect(memberByEmail(portal, 'acme', NEWCOMER).accountStatus).toBe('unregistered');
  const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
  expect(Items[0]).toMatchObject({ action: 'member.invitation-withdrawn', suid: body.suid });
  for (const entry of [withdrawInvitation, resendInvitation]) {
    expect((await portal.call(entry, { body }, admin)).body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
  }
});

test('lets only one of two concurrent withdrawals succeed', async () => {
  await inviteThem();
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  const answers = await Promise.all([1, 2].map(() => portal.call(withdrawInvitation, { body }, admin)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test.each([
  ['USER_INACTIVE', { accountStatus: 'inactive' }],
  ['MOBILE_APP_NOT_ENABLED', { hasPermissionForMobileApp: 0 }],
])('%s: resends nothing and keeps the invitation', async (name, change) => {
  await inviteThem();
  setMember(portal, suidOf(NEWCOMER), change);
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  expect((await portal.call(resendInvitation, { body }, admin)).body.resultName).toBe(name);
  expect((await list()).Items).toHaveLength(1);
});

test('resends nothing for a disabled app (AUTHENTICATOR_DISALLOWED)', async () => {
  await inviteThem();
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  expect((await portal.call(resendInvitation, { body }, admin)).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
});

test('refuses to withdraw invitations of members with more permissions (INVALID_PERMISSIONS)', async () => {
  await inviteThem();
  setMember(portal, suidOf(NEWCOMER), { roleCode: 'SUPER_ADMIN' });
  const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
  expect((await list({}, helpdesk)).Items).toMatchObject([{ canWithdraw: false }]);
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  const { resultName } = (await portal.call(withdrawInvitation, { body }, helpdesk)).body;
  expect(resultName).toBe('INVALID_PERMISSIONS');
});

test('requires BULK_INVITE, and hides invitations from other organisations', async () => {
  await inviteThem();
  const user = await portal.signIn('user@acme.test');
  expect((await portal.call(listInvitations, { query: {} }, user)).status).toBe(403);
  const other = await portal.signIn('admin@globex.test');
  expect(await list({}, other)).toMatchObject({ Items: [], counts: { valid: 0, expired: 0 } });
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  for (const entry of [withdrawInvitation, resendInvitation]) {
    expect((await portal.call(entry, { body }, other)).body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
  }
  expect((await list()).Items).toHaveLength(1);
});

test('sets a member to invited, and back to unregistered when the invitation is withdrawn', async () => {
  const statusOf = (email: string) => memberByEmail(portal, 'acme', email).accountStatus;
  const [added, listed, filed] = ['nia.form@acme.test', 'nia.listed@acme.test', 'nia.filed@acme.test'];
  expect(statusOf(NEWCOMER)).toBe('unregistered');
  const body = { orgEmails: [NEWCOMER, listed], type: 'mobile' as const, sendEmail: true, addNew: true };
  await portal.call(inviteUsers, { body }, admin);
  const form = new FormData();
  form.set('type', 'mobile');
  form.set('sendEmail', 'true');
  form.set('file', new Blob([`email,firstName,lastName,primaryAttr\n${OTHER},,,\n${filed},Nia,Filed,E-901`]), 'a.csv');
  await portal.call(bulkInvite, { body: form }, admin);
  const person = { firstName: 'Nia', lastName: 'Form', primaryEmail: added, primaryAttr: 'E-902' };
  const { profile } = (await portal.call(addUser, { body: { ...person, invite: 'mobile' } }, admin)).body;
  expect(profile.accountStatus).toBe('invited');
  for (const email of [NEWCOMER, listed, OTHER, filed, added]) {
    expect(statusOf(email)).toBe('invited');
    const invited = { suid: suidOf(email), type: 'mobile' as const };
    expect((await portal.call(withdrawInvitation, { body: invited }, admin)).body.resultCode).toBe(0);
    expect(statusOf(email)).toBe('unregistered');
  }
});

test('keeps a member invited until the last open invitation is withdrawn or forgotten', async () => {
  setMember(portal, suidOf(NEWCOMER), { hasPermissionForWindowsApp: 1 });
  const status = () => memberByEmail(portal, 'acme', NEWCOMER).accountStatus;
  const withdraw = (type: 'mobile' | 'desktop') =>
    portal.call(withdrawInvitation, { body: { suid: suidOf(NEWCOMER), type } }, admin);
  await inviteThem();
  await inviteThem([NEWCOMER], 'desktop');
  await withdraw('mobile');
  expect(status()).toBe('invited');
  await withdraw('desktop');
  expect(status()).toBe('unregistered');
  await inviteThem();
  portal.clock.advance(36 * 86_400);
  expect(status()).toBe('invited');
  portal.clock.advance(2 * 86_400);
  expect(status()).toBe('unregistered');
});

test('sets a member to invited when a code is issued without an email, until it is withdrawn', async () => {
  await inviteThem([NEWCOMER], 'mobile', false);
  const body = { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  expect(memberByEmail(portal, 'acme', NEWCOMER).accountStatus).toBe('invited');
  expect((await portal.call(withdrawInvitation, { body }, admin)).body.resultCode).toBe(0);
  expect(memberByEmail(portal, 'acme', NEWCOMER)).toMatchObject({ accountStatus: 'unregistered' });
  expect((await portal.call(withdrawInvitation, { body }, admin)).body.resultName).toBe('ID_DOESNOT_EXIST');
});

test('keeps a disabled member’s invited status until registration or withdrawal', async () => {
  const manage = (action: 'pause' | 'unpause', email: string) =>
    portal.call(manageUser, { body: { suid: suidOf(email), action } }, admin);
  await inviteThem([NEWCOMER, OTHER]);
  for (const email of [NEWCOMER, OTHER]) await manage('pause', email);
  await portal.call(withdrawInvitation, { body: { suid: suidOf(OTHER), type: 'mobile' } }, admin);
  expect((await manage('unpause', NEWCOMER)).body.accountStatus).toBe('invited');
  expect((await manage('unpause', OTHER)).body.accountStatus).toBe('unregistered');
  await follow(await linkTo(NEWCOMER));
  await activate(NEWCOMER, (await mailTo(NEWCOMER))?.code ?? '');
  expect(memberByEmail(portal, 'acme', NEWCOMER).accountStatus).toBe('active');
});

test('finds and counts invited members with the Unregistered filter', async () => {
  const find = async (status: 'unregistered' | 'invited', field = 'primaryEmail') => {
    const query = { q: 'acme.test', field, status, pageSize: 100 };
    return (await portal.call(searchUsers, { query }, admin)).body.Items.map(({ suid }) => suid);
  };
  await inviteThem();
  const waiting = await find('unregistered');
  expect(waiting).toContain(suidOf(NEWCOMER));
  expect(waiting).toEqual(expect.arrayContaining(await find('invited')));
  expect((await find('unregistered', 'any')).toSorted()).toEqual(waiting.toSorted());
  expect(await find('invited')).not.toContain(suidOf(OTHER));
  for (const query of [{}, { q: 'acme.test', field: 'primaryEmail' }]) {
    const { counts } = (await portal.call(countUsers, { query }, admin)).body;
    expect(counts.unregistered).toBe(waiting.length);
    const { active, inactive, unverified, unregistered } = counts;
    expect(counts.all).toBe(active + inactive + unverified + unregistered);
  }
  const { members } = (await portal.call(getSummary, { query: {} }, admin)).body;
  expect(members.unregistered).toBe(waiting.length);
});
