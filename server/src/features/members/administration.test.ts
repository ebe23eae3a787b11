import { activationCodeRepo, deviceRepo, memberRepo } from '@orchestrate/db';
import {
  type AuthState,
  authenticatorLive,
  codeOf,
  deleteUser,
  type EditUserForm,
  editDetails,
  getProfile,
  getUser,
  listActivity,
  loginState,
  manageUser,
  PERMISSIONS,
  type Permission,
  refresh,
  regenerateActivationCode,
  searchUsers,
  testDevice,
  testDeviceLive,
  updateUser,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  beginPush,
  memberByEmail,
  outcomeOfCall,
  setMember,
  setOrganisation,
  signedCallBody,
} from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

const USER = 'user@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';

const row = (email: string, orgCode = 'acme') => memberByEmail(portal, orgCode, email);
const now = (email: string) => memberRepo.findMember(portal.deps.db, 'acme', row(email).suid);
const remove = (email: string, as: AuthState = admin) =>
  portal.call(deleteUser, { body: { suid: row(email).suid, org: 'acme' } }, as);
const manage = (email: string, action: 'pause' | 'unpause', as: AuthState = admin) =>
  portal.call(manageUser, { body: { suid: row(email).suid, action } }, as);

function edit(email: string, form: Partial<EditUserForm> & { roles?: string }, as: AuthState = admin) {
  const { primaryAttr, firstName, lastName, primaryEmail } = row(email);
  return portal.call(updateUser, { body: { primaryAttr, firstName, lastName, primaryEmail, ...form } }, as);
}

/** Signs in a member whose role has exactly these permissions. */
async function signInWith(email: string, permissions: readonly Permission[]): Promise<AuthState> {
  const { suid } = row(email);
  portal.deps.db.$client
    .prepare(
      `INSERT OR REPLACE INTO roles (orgCode, roleCode, name, type, permissions)
       VALUES ('acme', 'MADE', 'Made for a test', 'custom', ?)`,
    )
    .run(JSON.stringify(permissions));
  setMember(portal, suid, { roleCode: 'MADE' });
  return portal.signIn(email);
}

/** Posts a raw body, for requests that no client would send. */
const post = (path: string, body: object) =>
  portal.http.post(`/api${path}`).auth(admin.token, { type: 'bearer' }).send(body);

const DONE = { status: 200, body: { resultCode: 0 } };
const REFUSED = { status: 403, body: { resultName: 'INVALID_PERMISSIONS' } };
const UNKNOWN = { status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } };

describe('effects of administration', () => {
  /**
   * Signs a member in and creates everything that must end with their account: a browser with a channel, a waiting
   * phone, a push and a device test.
   */
  async function present(email: string) {
    const auth = await portal.signIn(email);
    const phone = portal.device(email);
    const codes = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, auth)).body;
    const browser = await portal.open(testDeviceLive, { qid: codes.qid, org: 'acme' }, auth);
    const waiting = await portal.open(authenticatorLive, {});
    waiting.send(signedCallBody(portal, phone));
    await Promise.all([browser.next(), waiting.next()]);
    const { loginId } = await beginPush(portal, email);
    await waiting.next();
    return { auth, phone, browser, waiting, loginId, qid: codes.qid };
  }

  test.each([
    ['disabling', (email: string) => manage(email, 'pause'), 'USER_INACTIVE'],
    ['deleting', (email: string) => remove(email), 'DEVICE_NOT_TRUSTED'],
  ] as const)('%s a member ends their sessions, channels and requests immediately', async (_, act, deviceResult) => {
    const { auth, phone, browser, waiting, loginId, qid } = await present(USER);
    expect(await act(USER)).toMatchObject(DONE);
    expect(await portal.call(getProfile, {}, auth)).toMatchObject({
      status: 401,
      body: { resultCode: codeOf('INVALID_SESSION') },
    });
    const renewed = await portal.call(refresh, { body: { refreshToken: auth.refreshToken } });
    expect(renewed).toMatchObject({ status: 401, body: { resultCode: codeOf('INVALID_SESSION') } });
    expect(await browser.closed).toMatchObject({ code: 4401 });
    expect(await waiting.closed).toMatchObject({ code: 1008, reason: expect.stringContaining(deviceResult) });
    expect(await outcomeOfCall(portal.authenticator.pending(phone))).toBe(deviceResult);
    const push = await portal.call(loginState, { params: { loginId } });
    expect(push.body).toMatchObject({ resultCode: codeOf('LOGIN_REJECTED') });
    const other = portal.device('manager@acme.test');
    expect(await outcomeOfCall(portal.authenticator.resolve(other, qid))).toBe('EXPIRED');
    await expect(portal.signIn(USER)).rejects.toThrow();
  });

  // covers: spec 1.7.8
  test('lets an enabled member sign in again, but ended sessions stay ended', async () => {
    const { auth } = await present(USER);
    expect((await manage(USER, 'pause')).body).toEqual({ resultCode: 0, accountStatus: 'inactive' });
    expect((await manage(USER, 'pause')).body).toEqual({ resultCode: 0, accountStatus: 'inactive' });
    expect((await manage(USER, 'unpause')).body).toEqual({ resultCode: 0, accountStatus: 'active' });
    expect((await manage(USER, 'unpause')).body).toEqual({ resultCode: 0, accountStatus: 'active' });
    expect((await portal.call(getProfile, {}, auth)).status).toBe(401);
    expect((await portal.signIn(USER)).profile.active).toBe(true);
  });

  test('disables an unregistered member, and enabling restores the previous status', async () => {
    const activate = async () => {
      const { primaryAttr } = row(NEWCOMER);
      const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const };
      return (await portal.call(regenerateActivationCode, { body }, admin)).body;
    };
    expect((await manage(NEWCOMER, 'pause')).body.accountStatus).toBe('inactive');
    expect(await activate()).toMatchObject({ resultName: 'USER_INACTIVE' });
    expect((await manage(NEWCOMER, 'unpause')).body.accountStatus).toBe('unregistered');
    expect(await activate()).toMatchObject({ resultCode: 0 });
  });

  test('reports that an unregistered member can’t be enabled', async () => {
    const { body } = await manage(NEWCOMER, 'unpause');
    expect(body).toMatchObject({ resultCode: codeOf('USER_NOT_REGISTERED_FOR_ORG') });
    expect(row(NEWCOMER).accountStatus).toBe('unregistered');
  });

  // covers: spec 1.7.7
  test('deletes a member’s devices and codes with the member, but keeps a searchable card', async () => {
    const { suid, primaryAttr } = row('manager@acme.test');
    const body = { email: 'manager@acme.test', primaryAttr, type: 'desktop' as const };
    await portal.call(regenerateActivationCode, { body }, admin);
    const laptop = portal.device('manager@acme.test', 'desktop');
    expect(await remove('manager@acme.test')).toMatchObject(DONE);
    expect(deviceRepo.listRegisteredDevices(portal.deps.db, 'acme', suid)).toEqual([]);
    expect(activationCodeRepo.findActivationCode(portal.deps.db, 'acme', suid, 'desktop')).toBeUndefined();
    expect(await outcomeOfCall(portal.authenticator.pending(laptop))).toBe('DESKTOP_APP_REMOVED');
    const { Items } = (await portal.call(searchUsers, { query: { q: 'grace', status: 'deleted' } }, admin)).body;
    expect(Items).toMatchObject([{ suid, accountStatus: 'deleted', deviceCount: 0, role: 'USER' }]);
    for (const named of [{ suid }, { primaryAttr }]) {
      const { profile, devices } = (await portal.call(getUser, { query: named }, admin)).body;
      expect({ suid: profile.suid, status: profile.accountStatus, devices }).toEqual({
        suid,
        status: 'deleted',
        devices: [],
      });
    }
  });

  test('refuses all actions on a deleted member (ID_DOESNOT_EXIST)', async () => {
    await remove(USER);
    expect(await remove(USER)).toMatchObject(UNKNOWN);
    expect(await manage(USER, 'unpause')).toMatchObject(UNKNOWN);
    expect(await manage(USER, 'pause')).toMatchObject(UNKNOWN);
    expect(await edit(USER, { firstName: 'Back' })).toMatchObject(UNKNOWN);
    expect(now(USER)?.accountStatus).toBe('deleted');
  });

  test('frees a deleted member’s email and primary attribute', async () => {
    const { primaryAttr } = row(USER);
    await remove(USER);
    expect(await edit(NEWCOMER, { primaryEmail: USER })).toMatchObject(DONE);
    expect(memberRepo.findMemberByEmail(portal.deps.db, 'acme', USER)).toMatchObject({ firstName: 'Mara' });
    expect(memberRepo.findMemberByPrimaryAttr(portal.deps.db, 'acme', primaryAttr)?.accountStatus).toBe('deleted');
  });
});

describe('limits of administration', () => {
  test('refuses to let members delete or disable themselves (INVALID_PERMISSIONS)', async () => {
    const me = 'super.admin@acme.test';
    for (const answer of [remove(me), manage(me, 'pause'), manage(me, 'unpause')]) {
      expect(await answer).toMatchObject(REFUSED);
    }
  });

  test('refuses to delete, disable or demote the last Super Admin (INVALID_PERMISSIONS)', async () => {
    const powerful = await signInWith('maya.fernandes@acme.test', PERMISSIONS);
    const me = 'super.admin@acme.test';
    const acts = () => [remove(me, powerful), manage(me, 'pause', powerful), edit(me, { roles: 'USER' }, powerful)];
    for (const answer of acts()) expect(await answer).toMatchObject(REFUSED);
    expect(await edit(me, { lastName: 'Lindqvist-Berg' }, powerful)).toMatchObject(DONE);
    // Disabled Super Admins don't count.
    setMember(portal, row('marek.dvorak@acme.test').suid, { roleCode: 'SUPER_ADMIN', accountStatus: 'inactive' });
    for (const answer of acts()) expect(await answer).toMatchObject(REFUSED);
    expect(await manage('marek.dvorak@acme.test', 'unpause', powerful)).toMatchObject(DONE);
    expect(await manage(me, 'pause', powerful)).toMatchObject(DONE);
    expect(await remove('marek.dvorak@acme.test', powerful)).toMatchObject(REFUSED);
    expect(await remove(me, powerful)).toMatchObject(DONE);
  });

  test('keeps one Super Admin even if two demote each other at the same time', async () => {
    const other = 'marie.delacroix@acme.test';
    await edit(other, { roles: 'SUPER_ADMIN' });
    const second = await portal.signIn(other);
    const answers = await Promise.all([
      edit(other, { roles: 'USER' }),
      edit('super.admin@acme.test', { roles: 'USER' }, second),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const admins = [other, 'super.admin@acme.test'].filter((email) => now(email)?.roleCode === 'SUPER_ADMIN');
    expect(admins).toHaveLength(1);
  });

  test('refuses actions on a member with more permissions (INVALID_PERMISSIONS)', async () => {
    const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
    for (const email of ['super.admin@acme.test', 'security.admin@acme.test']) {
      expect(await manage(email, 'pause', helpdesk)).toMatchObject(REFUSED);
      expect(await edit(email, { primaryEmail: 'mine@acme.test' }, helpdesk)).toMatchObject(REFUSED);
      expect(await edit(email, { firstName: 'Renamed' }, helpdesk)).toMatchObject(REFUSED);
    }
    const security = await portal.signIn('security.admin@acme.test');
    expect(await manage('helpdesk.admin@acme.test', 'pause', security)).toMatchObject(REFUSED);
    for (const email of [USER, 'manager@acme.test', 'callcenter.admin@acme.test', 'maya.fernandes@acme.test']) {
      expect(await manage(email, 'pause', helpdesk)).toMatchObject(DONE);
    }
  });

  test('allows actions on members whose extra permissions cover only their own devices and reports', async () => {
    const plain = await signInWith('maya.fernandes@acme.test', ['SEARCH_USER', 'UPDATE_USER', 'PAUSE_USER']);
    expect(await manage('manager@acme.test', 'pause', plain)).toMatchObject(DONE);
    expect(await edit('manager@acme.test', { firstName: 'Gracia' }, plain)).toMatchObject(DONE);
  });

  test('refuses to grant permissions the member lacks (INVALID_PERMISSIONS) or unknown roles', async () => {
    const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
    for (const roles of ['SUPER_ADMIN', 'SECURITY_ADMIN']) {
      expect(await edit(USER, { roles, firstName: 'Changed' }, helpdesk)).toMatchObject(REFUSED);
    }
    expect(await edit(USER, { roles: 'NOTHING', firstName: 'Changed' }, helpdesk)).toMatchObject(UNKNOWN);
    expect(await edit(USER, { roles: 'nothing' })).toMatchObject(UNKNOWN);
    expect(now(USER)).toMatchObject({ roleCode: 'USER', firstName: 'Daniel' });
    for (const roles of ['HELPDESK_ADMIN', 'CALL_CENTER_ADMIN', 'ONBOARDING_TEAM', 'AUDITOR', 'USER']) {
      expect((await edit(USER, { roles }, helpdesk)).body.profile).toMatchObject({ role: roles });
    }
  });

  test('refuses a change to the member’s own role (INVALID_PERMISSIONS), even to the current role', async () => {
    const me = 'super.admin@acme.test';
    for (const roles of ['USER', 'SUPER_ADMIN']) expect(await edit(me, { roles })).toMatchObject(REFUSED);
    const user = await portal.signIn(USER);
    expect(await edit(USER, { roles: 'SUPER_ADMIN' }, user)).toMatchObject(REFUSED);
    expect(now(USER)?.roleCode).toBe('USER');
  });

  test('doesn’t find members of another organisation (ID_DOESNOT_EXIST)', async () => {
    const { suid, primaryAttr } = row('hugo.lemaitre@globex.test', 'globex');
    const names = { firstName: 'A', lastName: 'B', primaryEmail: 'a@b.test' };
    const answers = [
      portal.call(deleteUser, { body: { suid, org: 'acme' } }, admin),
      portal.call(manageUser, { body: { suid, action: 'pause' } }, admin),
      portal.call(updateUser, { body: { primaryAttr, ...names } }, admin),
    ];
    for (const answer of answers) expect(await answer).toMatchObject(UNKNOWN);
    const elsewhere = await portal.call(deleteUser, { body: { suid, org: 'globex' } }, admin);
    expect(elsewhere).toMatchObject({ status: 403, body: { resultName: 'FORBIDDEN' } });
  });

  // covers: spec 2.8.24
  test('requires the permission (INVALID_PERMISSIONS), even of managers for direct reports', async () => {
    for (const email of ['manager@acme.test', 'callcenter.admin@acme.test', USER]) {
      const as = await portal.signIn(email);
      const target = email === USER ? NEWCOMER : USER;
      for (const answer of [remove(target, as), manage(target, 'pause', as), edit(target, { lastName: 'X' }, as)]) {
        expect(await answer).toMatchObject(REFUSED);
      }
    }
    const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
    expect(await remove(USER, helpdesk)).toMatchObject(REFUSED);
  });
});

describe('editing a member', () => {
  // covers: spec 1.7.9
  test('saves a member’s own name, and a new email only once its code is entered', async () => {
    const user = await portal.signIn(USER);
    const form = { firstName: ' Dani ', lastName: 'Ortiz García', primaryEmail: ' Dani@Acme.TEST ' };
    const { status, body } = await edit(USER, form, user);
    expect({ status, profile: body.profile }).toMatchObject({
      status: 200,
      profile: { firstName: 'Dani', lastName: 'Ortiz García', email: USER, primaryEmail: USER },
    });
    expect(body.pendingEmail).toMatchObject({ email: 'dani@acme.test' });
    expect((await portal.call(getProfile, {}, user)).body.profile).toMatchObject({ firstName: 'Dani', email: USER });
    const { Items } = (await portal.call(searchUsers, { query: { q: 'garcia', field: 'lastName' } }, admin)).body;
    expect(Items.map(({ suid }) => suid)).toContain(user.profile.suid);
  });

  test('stores a name in composed form, however it was typed', async () => {
    const { body } = await edit(USER, { firstName: 'Zoe\u0308' });
    expect(body.profile.firstName).toBe('Zoë');
  });

  test('applies a new role immediately', async () => {
    const user = await portal.signIn(USER);
    const search = () => portal.call(searchUsers, { query: { q: 'mar' } }, user);
    expect((await search()).status).toBe(403);
    expect((await edit(USER, { roles: 'AUDITOR' })).body.profile).toMatchObject({
      role: 'AUDITOR',
      roleName: 'Auditor',
    });
    expect((await search()).status).toBe(200);
    await edit(USER, { roles: 'USER' });
    expect((await search()).status).toBe(403);
  });

  test('rejects an email address in use on its field (EMAIL_EXISTS, HTTP 200) and saves nothing', async () => {
    const form = { firstName: 'Changed', primaryEmail: 'MANAGER@acme.test', roles: 'AUDITOR' };
    const { status, body } = await edit(USER, form);
    expect({ status, code: body.resultCode, name: body.resultName }).toEqual({
      status: 200,
      code: 76,
      name: 'EMAIL_EXISTS',
    });
    expect(now(USER)).toMatchObject({ firstName: 'Daniel', primaryEmail: USER, roleCode: 'USER' });
    expect(await edit(USER, { primaryEmail: USER.toUpperCase() })).toMatchObject(DONE);
    // An address used in another organisation is free in this one, if its domain is allowed.
    setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
    expect(await edit(USER, { primaryEmail: 'admin@globex.test' })).toMatchObject(DONE);
  });

  test('invalidates codes sent to the old email when it changes', async () => {
    const { suid, primaryAttr } = row(NEWCOMER);
    const codeOf = async () => (await portal.call(getUser, { query: { suid } }, admin)).body.profile;
    const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const };
    await portal.call(regenerateActivationCode, { body }, admin);
    await edit(NEWCOMER, { lastName: 'Lindholm-Holm' });
    expect((await codeOf()).activationCode).toMatch(/^\d{6}$/);
    const edited = await edit(NEWCOMER, { primaryEmail: 'mara@acme.test' });
    expect(edited.body.profile).toMatchObject({ activationCode: '', activationExpired: true });
    expect(await codeOf()).toMatchObject({ activationCode: '', activationExpired: true });
  });

  test('keeps the last of two concurrent saves as a whole', async () => {
    const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
    const forms = Array.from({ length: 10 }, (_, index) => ({
      firstName: `First${index}`,
      lastName: `Last${index}`,
      primaryEmail: `p${index}@acme.test`,
    }));
    const { primaryAttr } = row(USER);
    const answers = await Promise.all(
      forms.map((form, index) =>
        portal.call(updateUser, { body: { primaryAttr, ...form } }, index % 2 ? admin : helpdesk),
      ),
    );
    for (const answer of answers) expect(answer).toMatchObject(DONE);
    const { firstName, lastName, primaryEmail } =
      memberRepo.findMemberByPrimaryAttr(portal.deps.db, 'acme', primaryAttr) ?? {};
    expect(forms).toContainEqual({ firstName, lastName, primaryEmail });
  });

  test('assigns an address to only one of two members who request it concurrently', async () => {
    const wanted = { primaryEmail: 'wanted@acme.test' };
    const answers = await Promise.all([edit(USER, wanted), edit(NEWCOMER, wanted)]);
    expect(answers.map(({ body }) => body.resultCode).toSorted((a, b) => a - b)).toEqual([0, 76]);
  });

  // covers: spec 1.5.13, spec 2.5.16
  test('reports missing and invalid fields with the specification’s wording', async () => {
    const { primaryAttr } = row(USER);
    const refusalOf = (form: object) => post(updateUser.path, { primaryAttr, ...form });
    expect(await refusalOf({ firstName: ' ', primaryEmail: 'nonsense' })).toMatchObject({
      status: 400,
      body: {
        resultName: 'INVALID_REQUEST',
        issues: [
          { path: 'firstName', message: 'First Name is required' },
          { path: 'lastName', message: 'Last Name is required' },
          { path: 'primaryEmail', message: 'Please enter a valid email address' },
        ],
      },
    });
    expect(await refusalOf({ firstName: 'A', lastName: 'x'.repeat(101) })).toMatchObject({
      status: 400,
      body: {
        issues: [
          { path: 'lastName', message: 'At most 100 characters' },
          { path: 'primaryEmail', message: 'Email is required' },
        ],
      },
    });
  });

  test('rejects missing IDs (SUID_MISSING, ORG_MISSING) and unknown actions (UNSUPPORTED_ACTION)', async () => {
    const { suid } = row(USER);
    expect(await post(deleteUser.path, { org: 'acme' })).toMatchObject({
      status: 400,
      body: { resultName: 'SUID_MISSING' },
    });
    expect(await post(deleteUser.path, { suid })).toMatchObject({ status: 400, body: { resultName: 'ORG_MISSING' } });
    expect(await post(manageUser.path, { action: 'pause' })).toMatchObject({
      status: 400,
      body: { resultName: 'SUID_MISSING' },
    });
    expect(await post(manageUser.path, { suid, action: 'enable' })).toMatchObject({
      status: 400,
      body: { resultName: 'UNSUPPORTED_ACTION' },
    });
    expect(now(USER)?.accountStatus).toBe('active');
  });
});

describe('member details', () => {
  const details = (email: string, form: object, as: AuthState = admin) =>
    portal.call(editDetails, { body: { suid: row(email).suid, ...form } }, as);
  const read = async (email: string, as: AuthState = admin) =>
    (await portal.call(getUser, { query: { suid: row(email).suid } }, as)).body;

  test('can be edited later for every field in the Add user form', async () => {
    const managerSuid = row(NEWCOMER).suid;
    const form = { newPrimaryAttr: 'E-77', mobileNumber: '0046 70 999 00 33', managerSuid };
    const apps = { hasPermissionForMobileApp: false, hasPermissionForWindowsApp: true };
    const changed = await details(USER, { ...form, ...apps });
    expect(changed).toMatchObject({ status: 200, body: { profile: { primaryAttr: 'E-77', ...apps } } });
    const { profile, details: displayed } = await read(USER);
    expect(profile).toMatchObject({ primaryAttr: 'E-77', ...apps });
    expect(displayed).toEqual({ mobileNumber: '+46709990033', managerSuid, isProvisioned: false });
    expect(now(NEWCOMER)?.isManager).toBe(true);
    const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
    expect(Items[0]).toMatchObject({ action: 'member.updated', object: { id: row(USER).suid } });
    await details(USER, { mobileNumber: '', managerSuid: null });
    expect((await read(USER)).details).toMatchObject({ mobileNumber: '', managerSuid: null });
    expect((await read(USER)).profile).toMatchObject({ primaryAttr: 'E-77', ...apps });
  });

  test('report every error on its field', async () => {
    const { primaryAttr } = row(NEWCOMER);
    setMember(portal, row(NEWCOMER).suid, { mobileNumber: '+46709990044' });
    for (const [form, resultName, path] of [
      [{ newPrimaryAttr: primaryAttr }, 'USER_EXISTS', 'newPrimaryAttr'],
      [{ mobileNumber: '12' }, 'INVALID_MOBILE_NUMBER', 'mobileNumber'],
      [{ mobileNumber: '+46709990044' }, 'PHONE_ALREADY_EXISTS', 'mobileNumber'],
      [{ managerSuid: 'nobody' }, 'ID_DOESNOT_EXIST', 'managerSuid'],
      [{ managerSuid: row(USER).suid }, 'INVALID_REQUEST', 'managerSuid'],
      [{}, 'INVALID_REQUEST', 'suid'],
    ] as const) {
      expect((await details(USER, form)).body).toMatchObject({ resultName, issues: [{ path }] });
    }
  });

  test('are locked if they come from a directory, except for app permissions', async () => {
    setMember(portal, row(USER).suid, { provisionedAt: portal.clock.now() });
    expect((await read(USER)).details).toMatchObject({ isProvisioned: true });
    for (const [path, value] of [
      ['newPrimaryAttr', 'E-78'],
      ['mobileNumber', '+46709990055'],
      ['managerSuid', row(NEWCOMER).suid],
    ] as const) {
      const { body } = await details(USER, { [path]: value });
      expect(body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path }] });
    }
    expect(await details(USER, { hasPermissionForMobileApp: false })).toMatchObject(DONE);
  });

  test('require UPDATE_USER and authority over the member', async () => {
    const { token } = await portal.signIn('callcenter.admin@acme.test');
    const form = { hasPermissionForMobileApp: false };
    const reader = { ...admin, token };
    expect(await details(USER, form, reader)).toMatchObject(REFUSED);
    expect((await read(USER, reader)).details).toBeNull();
    const helpdesk = await portal.signIn('helpdesk.admin@acme.test');
    expect(await details('super.admin@acme.test', form, helpdesk)).toMatchObject(REFUSED);
  });
});
