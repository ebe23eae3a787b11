import {
  addDevice,
  addDeviceLive,
  addUser,
  beginApproval,
  beginPasskey,
  deleteDevice,
  emailActivationCode,
  getActivationCode,
  getOidcConfiguration,
  getUser,
  login,
  manageDevice,
  type PortalOidc,
  type Profile,
  readOutbox,
  regenerateActivationCode,
  replaceDevice,
  saveOidcConfiguration,
  searchUsers,
  startVerbal,
  updateUser,
} from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authStateOf, openSession, startSession } from '#core/sign-in/sessions.ts';
import { approveOnPhone } from '#testing/approving.ts';
import { createRecognisedBrowser } from '#testing/browser.ts';
import { outcomeOfCall, setMember, setOrganisation } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const HOUR = 3_600;
const BURNER = { name: 'Burner', type: 'desktop' as const, platform: 'Linux' };
const TABLET = { name: 'Galaxy Tab', type: 'mobile' as const, platform: 'Android 16' };
const PROVIDER: PortalOidc = {
  configurationUrl: 'https://login.evil.test/oidc',
  clientId: 'portal',
  clientSecret: 'a secret',
  buttonLabel: 'Continue with Acme',
  enabled: true,
};
const SAVE = { action: 'save-oidc-configuration', content: PROVIDER } as const;
const ADD = { action: 'add-device', content: {} } as const;

let portal: TestPortal;
let token: string;
let profile: Profile;
beforeEach(async () => {
  portal = await testPortal();
  ({ token, profile } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

const codeRequest = ({ email, primaryAttr }: Profile, type: 'mobile' | 'desktop' = 'desktop') => ({
  email,
  primaryAttr,
  type,
});

/** Issues a desktop code in the owner's session and activates a computer with it. */
async function activateWithOwnCode(by = token, of = profile): Promise<DeviceState> {
  const { activationCode } = (await portal.call(regenerateActivationCode, { body: codeRequest(of) }, { token: by }))
    .body;
  return await activate(activationCode, of.email);
}

const activate = async (activationCode: string, email: string, device: typeof BURNER | typeof TABLET = BURNER) =>
  (await portal.authenticator.activate({ orgCode: 'acme', email, activationCode, device })).device;

/** Adds a tablet by QR code. */
async function addByQr(by = token, suid = profile.suid) {
  const { aid } = (await portal.call(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } }, { token: by })).body;
  const live = await portal.open(addDeviceLive, { suid, aid }, { token: by });
  await live.next();
  const pairing = await portal.authenticator.pair({ orgCode: 'acme', aid, device: TABLET });
  await live.next();
  live.send({ action: 'add-device', type: 'confirm', aid, confirm: 'yes' });
  await live.next();
  live.close();
  const { device, confirmation } = await portal.authenticator.pairStatus(pairing);
  if (!device) throw new Error('Expected the tablet to be added.');
  return { tablet: device, confirmation };
}

const begin = async (by = token, body: typeof SAVE | typeof ADD = SAVE) =>
  (await portal.call(beginApproval, { body }, { token: by })).body;

/** Returns true if this device's approval allows changing the external provider. */
async function approvesWith(device: DeviceState, by = token): Promise<boolean> {
  const { approvalId = 'none', matchNumber: number = '00' } = await begin(by);
  const seen = (await portal.authenticator.pending(device)).map(({ challengeId }) => challengeId);
  const answer = { challengeId: approvalId, decision: 'approve', number } as const;
  const outcome = await outcomeOfCall(portal.authenticator.respond(device, answer));
  await portal.call(saveOidcConfiguration, { body: { ...PROVIDER, approvalId } }, { token: by });
  const { clientId } = (await portal.call(getOidcConfiguration, {}, { token: by })).body;
  const approves = clientId === PROVIDER.clientId;
  expect({ isSent: seen.includes(approvalId), isAccepted: outcome === 'SUCCESS' }).toEqual({
    isSent: approves,
    isAccepted: approves,
  });
  return approves;
}

const devicesOf = async (by = token) => (await portal.call(getUser, { query: {} }, { token: by })).body.devices;
const confirmationOn = async (email: string) =>
  (await portal.authenticator.pending(portal.device(email))).find(({ action }) => action === 'confirm-device');

// covers: security T6, security 7.5.1
test('blocks approvals for 24 hours on a device activated with a code from its owner’s session', async () => {
  const burner = await activateWithOwnCode();
  expect(await approvesWith(burner)).toBe(false);
  // Approval also fails in a session started with this device.
  expect(await approvesWith(burner, startSession(portal.deps, burner).token)).toBe(false);
  portal.clock.advance(24 * HOUR - 60);
  expect(await approvesWith(burner, startSession(portal.deps, burner).token)).toBe(false);
  portal.clock.advance(120);
  expect(await approvesWith(burner, startSession(portal.deps, burner).token)).toBe(true);
});

// covers: security 7.5.1
test('lets a device added by QR code sign in, but approve only once an older device confirms it', async () => {
  const { tablet, confirmation } = await addByQr();
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, tablet, started);
  const { body } = await portal.call(login, { body: { loginId: started.loginId, exchangeToken } });
  expect(await approvesWith(tablet, body.token)).toBe(false);
  const waiting = await confirmationOn(ADMIN);
  expect(waiting).toMatchObject({
    kind: 'approval',
    statement: '“Galaxy Tab” was added to your account. Is it yours?',
    numberChoices: expect.arrayContaining([confirmation?.matchNumber]),
  });
  const number = confirmation?.matchNumber ?? '';
  await approveOnPhone(portal, portal.device(ADMIN), { approvalId: waiting?.challengeId ?? '', number });
  expect(await approvesWith(tablet, body.token)).toBe(true);
});

test('displays when a new device can approve, and restarts its confirmation on request', async () => {
  const { tablet } = await addByQr();
  const approvesFrom = new Date(portal.clock.now() + 24 * HOUR * 1_000).toISOString();
  expect((await devicesOf()).map((device) => [device.name, device.approvesFrom])).toEqual(
    expect.arrayContaining([
      ['Galaxy Tab', approvesFrom],
      [portal.device(ADMIN).name, undefined],
    ]),
  );
  const confirm = () =>
    portal.call(beginApproval, { body: { action: 'confirm-device', content: { zid: tablet.zid } } }, { token });
  for (let times = 0; times < 3; times += 1) await confirm();
  const { approvalId, matchNumber: number } = (await confirm()).body;
  expect((await confirmationOn(ADMIN))?.challengeId).toBe(approvalId);
  await approveOnPhone(portal, portal.device(ADMIN), { approvalId, number });
  expect((await devicesOf()).every((device) => device.approvesFrom === undefined)).toBe(true);
  expect((await confirm()).body.resultName).toBe('FORBIDDEN');
});

test('removes a new device on “It wasn’t me”, ends its sessions and notifies administrators', async () => {
  const { tablet } = await addByQr();
  const stolen = startSession(portal.deps, tablet);
  const challengeId = (await confirmationOn(ADMIN))?.challengeId ?? '';
  const phone = portal.device(ADMIN);
  await portal.authenticator.respond(phone, { challengeId, decision: 'deny', reason: 'not-me' });
  expect(await outcomeOfCall(portal.authenticator.pending(tablet))).toBe('DEVICE_NOT_TRUSTED');
  expect((await portal.call(getUser, { query: {} }, { token: stolen.token })).status).toBe(401);
  expect((await devicesOf()).map(({ name }) => name)).not.toContain('Galaxy Tab');
  const { messages } = (await portal.call(readOutbox, { query: { to: ADMIN } })).body;
  expect(messages.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['New device: Galaxy Tab', expect.stringContaining('didn’t request an approval')]),
  );
});

test('a new device can’t confirm another, and stays new if its confirmation is denied', async () => {
  setOrganisation(portal, 'acme', { deviceLimit: 9 });
  const burner = await activateWithOwnCode();
  const { tablet } = await addByQr(startSession(portal.deps, burner).token);
  expect(await portal.authenticator.pending(burner)).toEqual([]);
  const body = { action: 'confirm-device', content: { zid: tablet.zid } } as const;
  const { approvalId: challengeId, matchNumber: number } = (await portal.call(beginApproval, { body }, { token })).body;
  const respond = (device: DeviceState, decision: 'approve' | 'deny') =>
    outcomeOfCall(portal.authenticator.respond(device, { challengeId, decision, number }));
  expect(await respond(burner, 'approve')).toBe('AUTHENTICATION_INCOMPLETE');
  expect(await respond(portal.device(ADMIN), 'deny')).toBe('SUCCESS');
  expect((await devicesOf()).filter(({ approvesFrom }) => approvesFrom).length).toBe(2);
});

test('names the new device and the time from which it can approve if all devices are new', async () => {
  const user = await portal.signIn(USER);
  const burner = await activateWithOwnCode(user.token, user.profile);
  const { zid, suid } = user.profile;
  await portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, { token: user.token });
  expect(await begin(startSession(portal.deps, burner).token, ADD)).toMatchObject({
    resultName: 'AUTHENTICATION_INCOMPLETE',
    message:
      '“Burner” is new. It can approve changes from 2026-03-03 09:30 UTC, or as soon as you confirm it on an older device.',
  });
});

test('doesn’t trust the next device just because the only device was reported lost first', async () => {
  const user = await portal.signIn(USER);
  const own = { token: user.token };
  const { activationCode } = (await portal.call(regenerateActivationCode, { body: codeRequest(user.profile) }, own))
    .body;
  const { zid, suid } = user.profile;
  await portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, own);
  const burner = await activate(activationCode, USER);
  const { token: later } = startSession(portal.deps, burner);
  expect((await devicesOf(later)).map(({ name, approvesFrom }) => [name, approvesFrom !== undefined])).toEqual([
    ['Burner', true],
  ]);
  expect((await begin(later, ADD)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('makes new devices wait another 24 hours after the last confirmed device is removed', async () => {
  const { token: own, profile: owner } = await portal.signIn(USER);
  const { tablet } = await addByQr(own, owner.suid);
  portal.clock.advance(23 * HOUR);
  const { token: later } = startSession(portal.deps, portal.device(USER));
  const removed = await portal.call(
    deleteDevice,
    { body: { zid: owner.zid, suid: owner.suid, action: 'LOST_DEVICE' } },
    { token: later },
  );
  expect(removed.body.resultCode).toBe(0);

  portal.clock.advance(23 * HOUR);
  const { token: withTablet } = startSession(portal.deps, tablet);
  expect((await begin(withTablet, ADD)).resultName).toBe('AUTHENTICATION_INCOMPLETE');
  portal.clock.advance(2 * HOUR);
  expect((await begin(startSession(portal.deps, tablet).token, ADD)).resultCode).toBe(0);
});

test('trusts a device activated with an administrator’s code unless a session displayed it', async () => {
  const user = await portal.signIn(USER);
  const issue = async () => {
    await portal.call(regenerateActivationCode, { body: codeRequest(user.profile) }, { token });
    const { messages } = (await portal.call(readOutbox, { query: { to: USER } })).body;
    return messages;
  };
  const mailed = async () => {
    const { body } = await portal.call(emailActivationCode, { body: codeRequest(user.profile) }, { token });
    return body.activationCode;
  };
  await issue();
  await activate(await mailed(), USER);
  expect((await devicesOf(user.token)).filter(({ approvesFrom }) => approvesFrom)).toEqual([]);
  await issue();
  const displayed = (await portal.call(getUser, { query: {} }, { token: user.token })).body.profile;
  expect(displayed).toMatchObject({ desktopActivationCode: '', desktopActivationExpired: false });
  const { activationCode } = (await portal.call(getActivationCode, { query: {} }, { token: user.token })).body;
  await activate(activationCode, USER);
  expect((await devicesOf(user.token)).filter(({ approvesFrom }) => approvesFrom).length).toBe(1);
});

test('lets a member’s first device approve immediately', async () => {
  const { db } = portal.deps;
  const { suid } = await portal.lab.person({ org: 'acme', devices: [] });
  const opened = db.transaction((tx) =>
    openSession(portal.deps, tx, { orgCode: 'acme', suid, zid: null, mode: 'OIDC' }),
  );
  const { token: external, profile: newcomer } = authStateOf(portal.deps, opened);
  const first = await activateWithOwnCode(external, newcomer);
  expect((await devicesOf(external)).map(({ zid, approvesFrom }) => ({ zid, approvesFrom }))).toEqual([
    { zid: first.zid, approvesFrom: undefined },
  ]);
  const { body } = await portal.call(regenerateActivationCode, { body: codeRequest(newcomer) }, { token: external });
  expect(body.resultName).toBe('AUTHENTICATION_INCOMPLETE');
});

test('doesn’t let a new device verify a caller to the help desk', async () => {
  const burner = await activateWithOwnCode();
  const { token: agent } = await portal.signIn('callcenter.admin@acme.test');
  const { code } = (await portal.call(startVerbal, { query: {} }, { token: agent })).body;
  expect(await outcomeOfCall(portal.authenticator.resolve(burner, code))).toBe('AUTHENTICATION_INCOMPLETE');
  expect(await outcomeOfCall(portal.authenticator.resolve(portal.device(ADMIN), code))).toBe('SUCCESS');
});

for (const mode of ['COOKIE', 'OIDC']) {
  test(`requires an approval to add devices and read codes in a ${mode} session`, async () => {
    setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
    const { zid, suid } = profile;
    const session = { token: startSession(portal.deps, { orgCode: 'acme', suid, zid, mode }).token };
    const own = codeRequest(profile);
    const attempts = (approvalId?: string) => [
      portal.call(addDevice, { body: { suid, type: 'QID', mode: 'mobile', approvalId } }, session),
      portal.call(addDevice, { body: { suid, type: 'DID', mode: 'desktop', approvalId } }, session),
      portal.call(beginPasskey, { body: { approvalId } }, session),
      portal.call(getActivationCode, { query: { approvalId } }, session),
      portal.call(regenerateActivationCode, { body: { ...own, approvalId } }, session),
      portal.call(emailActivationCode, { body: { ...own, approvalId } }, session),
    ];
    const results = async (approvalId?: string) =>
      (await Promise.all(attempts(approvalId))).map(({ body }) => body.resultName ?? 'SUCCESS');
    expect(new Set(await results())).toEqual(new Set(['AUTHENTICATION_INCOMPLETE']));
    const displayed = (await portal.call(getUser, { query: {} }, session)).body.profile;
    expect([displayed.activationCode, displayed.desktopActivationCode]).toEqual(['', '']);
    const { approvalId, matchNumber: number } = await begin(session.token, ADD);
    expect(new Set(await results(approvalId))).toEqual(new Set(['AUTHENTICATION_INCOMPLETE']));
    await approveOnPhone(portal, portal.device(ADMIN), { approvalId, number });
    expect(new Set(await results(approvalId))).toEqual(new Set(['SUCCESS']));
    portal.clock.advance(600);
    session.token = startSession(portal.deps, { orgCode: 'acme', suid, zid, mode }).token;
    expect(new Set(await results(approvalId))).toEqual(new Set(['AUTHENTICATION_INCOMPLETE']));
  });
}

test('emails a remembered browser’s lost-phone code only to an address verified over a day ago', async () => {
  const { zid, suid } = profile;
  const session = { token: startSession(portal.deps, { orgCode: 'acme', suid, zid, mode: 'COOKIE' }).token };
  const replace = () => portal.call(replaceDevice, { body: { zid, suid, type: 'desktop' } }, session);
  setMember(portal, suid, { emailVerifiedAt: portal.clock.now() - 23 * HOUR * 1_000 });
  expect((await replace()).body.resultName).toBe('AUTHENTICATION_INCOMPLETE');
  expect((await devicesOf()).map((device) => device.zid)).toContain(zid);
  setMember(portal, suid, { emailVerifiedAt: portal.clock.now() - 24 * HOUR * 1_000 });
  expect((await replace()).body).toMatchObject({ resultCode: 0, activationCode: '', activationExpired: false });
  const { messages } = (await portal.call(readOutbox, { query: { to: ADMIN } })).body;
  expect(messages[0]?.subject).toContain('activation code');
});

const OLDER = 'Sign in with an older device to change your devices.';

/**
 * Tries to pause, enable and delete a device and to report it lost, and returns the messages. Every attempt must
 * fail.
 */
async function changesTo({ zid, suid }: DeviceState, by: string): Promise<(string | undefined)[]> {
  const session = { token: by };
  const answers = await Promise.all([
    portal.call(manageDevice, { body: { zid, suid, action: 'pause' } }, session),
    portal.call(manageDevice, { body: { zid, suid, action: 'enable' } }, session),
    portal.call(deleteDevice, { body: { zid, suid } }, session),
    portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, session),
  ]);
  return answers.map(({ body }) => body.message);
}

test('a new device’s session can’t change older devices, but can report its own device lost', async () => {
  setOrganisation(portal, 'acme', { deviceLimit: 9 });
  const { tablet } = await addByQr();
  portal.clock.advance(24 * HOUR);
  ({ token } = startSession(portal.deps, portal.device(ADMIN)));
  const burner = await activateWithOwnCode();
  const stolen = startSession(portal.deps, burner).token;
  const before = await devicesOf();
  for (const device of [tablet, portal.device(ADMIN)]) {
    expect(new Set(await changesTo(device, stolen))).toEqual(new Set([OLDER]));
    const { zid, suid } = device;
    const replaced = await portal.call(replaceDevice, { body: { zid, suid, type: 'desktop' } }, { token: stolen });
    expect(replaced.body.message).toBe(OLDER);
  }
  expect(await devicesOf()).toEqual(before);
  const { zid, suid } = burner;
  const lost = await portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, { token: stolen });
  expect(lost.body.resultCode).toBe(0);
  // A session of the tablet can report the phone lost, because the tablet is also an older device.
  const phone = { zid: portal.device(ADMIN).zid, suid, action: 'LOST_DEVICE' } as const;
  const honest = await portal.call(deleteDevice, { body: phone }, startSession(portal.deps, tablet));
  expect(honest.body.resultCode).toBe(0);
});

for (const mode of ['COOKIE', 'OIDC']) {
  test(`refuses to change the owner’s other devices in a ${mode} session`, async () => {
    const { tablet } = await addByQr();
    portal.clock.advance(24 * HOUR);
    const { zid, suid } = portal.device(ADMIN);
    const { token: unapproved } = startSession(portal.deps, { orgCode: 'acme', suid, zid, mode });
    const before = await devicesOf(unapproved);
    expect(new Set(await changesTo(tablet, unapproved))).toEqual(new Set([OLDER]));
    expect(await devicesOf(unapproved)).toEqual(before);
  });
}

const MANAGE = 'Sign in with your device to manage administrators.';
const EVE = { firstName: 'Eve', lastName: 'Stone', primaryEmail: 'eve@acme.test', primaryAttr: 'E-666' };

for (const mode of ['COOKIE', 'OIDC']) {
  test(`refuses to create administrators or issue their codes in a ${mode} session`, async () => {
    const { zid, suid } = profile;
    const session = { token: startSession(portal.deps, { orgCode: 'acme', suid, zid, mode }).token };
    const add = (roles?: string) => portal.call(addUser, { body: { ...EVE, roles } }, session);
    const edit = (fields: { roles?: string; primaryEmail?: string }) =>
      portal.call(updateUser, { body: { ...EVE, ...fields } }, session);
    const code = { email: EVE.primaryEmail, primaryAttr: EVE.primaryAttr, type: 'desktop' as const };
    const issue = (by = session) => portal.call(regenerateActivationCode, { body: code }, by);

    expect((await add('SUPER_ADMIN')).body.message).toBe(MANAGE);
    const { profile: eve } = (await add()).body;
    expect((await issue()).body.activationCode).toMatch(/^\d+$/);
    expect((await edit({ roles: 'SUPER_ADMIN' })).body.message).toBe(MANAGE);
    setMember(portal, eve.suid, { roleCode: 'SUPER_ADMIN' });
    const refused = await Promise.all([
      issue(),
      portal.call(regenerateActivationCode, { body: { ...code, sendEmail: true } }, session),
      portal.call(emailActivationCode, { body: code }, session),
      portal.call(replaceDevice, { body: { zid, suid: eve.suid, type: 'desktop' } }, session),
      edit({ primaryEmail: 'thief@acme.test' }),
    ]);
    expect(refused.map(({ body }) => body.message)).toEqual(refused.map(() => MANAGE));
    const listed = async (by: { token: string }) =>
      (await portal.call(searchUsers, { query: { q: 'Eve' } }, by)).body.Items;
    const { activationCode } = (await issue({ token })).body;
    expect(await listed(session)).toMatchObject([{ desktopActivationCode: '', desktopActivationExpired: false }]);
    expect(await listed({ token })).toMatchObject([{ desktopActivationCode: activationCode }]);
  });

  test(`refuses to change the owner’s email address in a ${mode} session`, async () => {
    const { zid, suid, firstName, lastName, primaryAttr, email } = profile;
    const session = { token: startSession(portal.deps, { orgCode: 'acme', suid, zid, mode }).token };
    const edit = (primaryEmail: string) =>
      portal.call(updateUser, { body: { primaryAttr, firstName, lastName, primaryEmail } }, session);
    expect((await edit('thief@acme.test')).body).toMatchObject({
      resultName: 'AUTHENTICATION_INCOMPLETE',
      message: 'Sign in with your device to change your email address.',
    });
    expect((await portal.call(getUser, { query: {} }, session)).body.pendingEmail).toBeNull();
    expect((await edit(email)).body.resultCode).toBe(0);
  });
}

test('doesn’t delay a confirmation requested in the member’s own browser after denials', async () => {
  const { cookie } = createRecognisedBrowser(portal);
  const phone = portal.device(ADMIN);
  const started = await beginQr(portal, 'acme', { cookie });
  const exchangeToken = await approveQr(portal, phone, started);
  await portal.call(login, { body: { loginId: started.loginId, exchangeToken } }, { cookie });
  const { tablet } = await addByQr();
  const ask = (body: typeof ADD | { action: 'confirm-device'; content: { zid: string } }, from?: string) =>
    portal.call(beginApproval, { body }, { token, ...(from && { cookie: from }) });
  const confirm = (from?: string) => ask({ action: 'confirm-device', content: { zid: tablet.zid } }, from);
  const { approvalId: challengeId } = (await ask(ADD, cookie)).body;
  await portal.authenticator.respond(phone, { challengeId, decision: 'deny', reason: 'not-me' });
  expect((await ask(ADD, cookie)).status).toBe(429);
  expect((await confirm()).status).toBe(429);
  const { approvalId, matchNumber: number } = (await confirm(cookie)).body;
  await approveOnPhone(portal, phone, { approvalId, number });
  expect((await devicesOf()).filter(({ approvesFrom }) => approvesFrom)).toEqual([]);
});
