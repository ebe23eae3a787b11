import { organisationRepo, portalOidcRepo } from '@orchestrate/db';
import {
  approvalState,
  deleteUser,
  getProfile,
  listExternalIdentities,
  readOutbox,
  removeExternalIdentity,
  signup,
  updateUser,
  verifySignup,
} from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { approveOnPhone, setUpProvider } from '#testing/approving.ts';
import { signInAt, type TestBrowser, testBrowser } from '#testing/browser.ts';
import { memberByEmail, setMember } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { CLIENT, type ForeignProvider, foreignProvider } from './foreign-provider-testing.ts';

const USER = 'user@acme.test';
const BOSS = 'super.admin@acme.test';
const MANAGER = 'manager@acme.test';

let portal: TestPortal;
let foreign: ForeignProvider;
let browser: TestBrowser;
beforeEach(async () => {
  // The library warns on every start that this setup is not for production.
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  portal = await testPortal();
  foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  browser = testBrowser(portal);
});
afterEach(async () => {
  await foreign.close();
  await portal.close();
});

const providerAt = (configurationUrl: string) => ({
  ...CLIENT,
  configurationUrl,
  buttonLabel: 'Foreign',
  enabled: true,
});
const begin = (orgCode = 'acme') => `/api/oidc/login?orgCode=${orgCode}`;
const pageOf = (url: URL): string => `${url.pathname}${url.search}`;
const fragmentOf = ({ hash }: URL) => Object.fromEntries(new URLSearchParams(hash.slice(1)));
const claim = (email: string, sub = 'u-1') => {
  foreign.person = { sub, email, email_verified: true };
};
/** Signs in at the provider and returns to the portal. */
const comeBack = async (who = browser) => {
  const end = await who.walk(begin());
  return { page: pageOf(end), ...fragmentOf(end) } as {
    page: string;
    code?: string;
    approval?: string;
    number?: string;
  };
};
const exchange = async (code = '', who = browser) => (await who.agent.post('/api/oidc/exchange').send({ code })).body;
const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
/** Signs in through the provider alone, and returns the member's token and suid. */
async function signedIn(): Promise<{ token: string; suid: string }> {
  const { page, code } = await comeBack();
  expect(page).toBe('/acme/sign-in?login=success');
  const body = await exchange(code);
  expect(body.resultCode).toBe(0);
  const token = String(body.token);
  return { token, suid: (await portal.call(getProfile, {}, { token })).body.profile.suid };
}

/** Signs an outsider up at globex, with the outsider's own phone. */
async function outsider(email: string): Promise<DeviceState> {
  const newest = async () => (await portal.call(readOutbox, { query: { to: email } })).body.messages[0]?.code ?? '';
  await portal.call(signup, { body: { orgCode: 'globex', firstName: 'Out', lastName: 'Sider', email } });
  await portal.call(verifySignup, { body: { orgCode: 'globex', email, otp: await newest() } });
  const device = { name: 'Phone', type: 'mobile' as const, platform: 'Android 16' };
  const activationCode = await newest();
  return (await portal.authenticator.activate({ orgCode: 'globex', email, activationCode, device })).device;
}

// covers: security 6.8.1
test('doesn’t make an outsider Super Admin for using the Super Admin’s address at the provider', async () => {
  const phone = await outsider('stranger@outside.test');
  const { token } = startSession(portal.deps, phone);
  const names = { primaryAttr: 'stranger@outside.test', firstName: 'Out', lastName: 'Sider' };
  const taken = await portal.call(updateUser, { body: { ...names, primaryEmail: BOSS } }, { token });
  expect(taken.body).toMatchObject({ resultCode: 0, profile: { primaryEmail: 'stranger@outside.test' } });

  const atGlobex = await browser.walk(begin());
  const returned = await signInAt(portal, phone, atGlobex, browser.agent);
  const end = await browser.walk(returned);
  expect(pageOf(end)).toBe('/static/sso-unknown-email?org=acme');
});

describe('a provider that claims a Super Admin’s address', () => {
  beforeEach(async () => {
    await setUpProvider(portal, providerAt(foreign.issuer), 'security.admin@acme.test');
    claim(BOSS);
  });

  // covers: security T10
  test('signs no one in before the Super Admin approves on the phone', async () => {
    const { code, approval = '' } = await comeBack();
    expect(await exchange(code)).toMatchObject({ resultName: 'AUTHENTICATION_INCOMPLETE' });
    const [waiting] = await portal.authenticator.pending(portal.device(BOSS));
    expect(waiting).toMatchObject({
      challengeId: approval,
      kind: 'approval',
      statement: `Let ${BOSS} at ${new URL(foreign.issuer).host} sign in as you`,
    });
    expect((await portal.call(approvalState, { params: { approvalId: approval } })).body.state).toBe('pending');
  });

  test('signs no one in if the Super Admin denies it on the phone', async () => {
    const { code, approval: approvalId = '', number = '' } = await comeBack();
    await approveOnPhone(portal, portal.device(BOSS), { approvalId, number, decision: 'deny' });
    expect(await exchange(code)).toMatchObject({ resultName: 'LOGIN_NO_CONSENT' });
    expect((await portal.call(approvalState, { params: { approvalId } })).body.state).toBe('denied');
  });

  test('makes the member wait after a denial before requesting again', async () => {
    const denyOne = async () => {
      const { approval: approvalId = '', number = '' } = await comeBack();
      await approveOnPhone(portal, portal.device(BOSS), { approvalId, number, decision: 'deny' });
    };
    await denyOne();
    await denyOne();
    expect((await comeBack()).page).toBe('/static/sso-busy?org=acme');
    expect(await portal.authenticator.pending(portal.device(BOSS))).toEqual([]);
    portal.clock.advance(30);
    expect((await comeBack()).approval).toEqual(expect.any(String));
  });

  test('signs in the requesting browser once approved, and requires approval only once', async () => {
    const { code, approval: approvalId = '', number = '' } = await comeBack();
    await approveOnPhone(portal, portal.device(BOSS), { approvalId, number });
    expect(await exchange(code, testBrowser(portal))).toMatchObject({ resultName: 'EXPIRED' });
    expect(await exchange(code)).toMatchObject({ resultCode: 0, role: 'SUPER_ADMIN' });
    expect(await exchange(code)).toMatchObject({ resultName: 'EXPIRED' });
    expect(await signedIn()).toMatchObject({ suid: suidOf(BOSS) });
  });

  test('must be approved within two minutes', async () => {
    const { code } = await comeBack();
    portal.clock.advance(120);
    expect(await exchange(code)).toMatchObject({ resultName: 'EXPIRED' });
  });

  test('is rejected if the Super Admin has no device to approve it on', async () => {
    const { $client } = portal.deps.db;
    $client.prepare("UPDATE devices SET status = 'paused' WHERE suid = ?").run(suidOf(BOSS));
    expect((await comeBack()).page).toBe('/static/sso-needs-device?org=acme');
  });
});

describe('approval on the member’s device', () => {
  test('is required for a manager, who has more permissions than an ordinary member', async () => {
    await setUpProvider(portal, providerAt(foreign.issuer));
    claim(MANAGER);
    expect((await comeBack()).approval).toMatch(/^[\w-]+$/);
  });

  test('is required for a member who gained permissions since linking', async () => {
    await setUpProvider(portal, providerAt(foreign.issuer));
    claim(USER);
    await signedIn();
    setMember(portal, suidOf(USER), { roleCode: 'SUPER_ADMIN' });
    const { code, approval: approvalId = '', number = '' } = await comeBack();
    expect(await exchange(code)).toMatchObject({ resultName: 'AUTHENTICATION_INCOMPLETE' });
    await approveOnPhone(portal, portal.device(USER), { approvalId, number });
    expect(await exchange(code)).toMatchObject({ resultCode: 0, role: 'SUPER_ADMIN' });
    expect((await comeBack()).approval).toBeUndefined();
  });

  test('is needed for members with more permissions than the administrator who set up the provider', async () => {
    const { db } = portal.deps;
    await setUpProvider(portal, providerAt(foreign.issuer));
    expect(portalOidcRepo.findPortalOidc(db, 'acme')?.configuredBy).toBe(suidOf(BOSS));
    db.$client.prepare("UPDATE roles SET permissions = '[]' WHERE roleCode = 'SUPER_ADMIN'").run();
    claim(USER);
    expect((await comeBack()).approval).toMatch(/^[\w-]+$/);
  });
});

describe('a provider account', () => {
  beforeEach(() => setUpProvider(portal, providerAt(foreign.issuer)));

  test('isn’t linked by an address that isn’t verified at the portal', async () => {
    setMember(portal, suidOf(USER), { emailVerifiedAt: null });
    claim(USER);
    expect((await comeBack()).page).toBe('/static/sso-unproven-email?org=acme');
  });

  test('signs in the same member after either address has changed', async () => {
    claim(USER);
    const { suid } = await signedIn();
    claim('renamed@elsewhere.test');
    expect((await signedIn()).suid).toBe(suid);
    setMember(portal, suid, { primaryEmail: 'renamed@acme.test' });
    expect((await signedIn()).suid).toBe(suid);
  });

  test('isn’t linked to another member who takes over the address', async () => {
    claim(USER);
    const { suid } = await signedIn();
    setMember(portal, suid, { primaryEmail: 'former@acme.test' });
    setMember(portal, suidOf('tamara.quist@acme.test'), { primaryEmail: USER });
    expect((await signedIn()).suid).toBe(suid);
    claim(USER, 'u-2');
    browser = testBrowser(portal);
    expect((await signedIn()).suid).toBe(suidOf(USER));
  });

  test('differs from an account with the same subject at another issuer', async () => {
    claim(USER);
    await signedIn();
    const other = await foreignProvider(`${portal.url}/api/oidc/callback`);
    other.person = { sub: 'u-1', email: 'nobody@elsewhere.test', email_verified: true };
    await setUpProvider(portal, providerAt(other.issuer));
    expect((await comeBack(testBrowser(portal))).page).toBe('/static/sso-unknown-email?org=acme');
    await other.close();
  });

  test('is linked in only one organisation', async () => {
    claim(USER);
    await signedIn();
    const settings = portalOidcRepo.findPortalOidc(portal.deps.db, 'acme');
    if (!settings) throw new Error('acme has no provider.');
    portalOidcRepo.savePortalOidc(portal.deps.db, { ...settings, orgCode: 'globex' });
    organisationRepo.editOrganisation(portal.deps.db, 'globex', { portalOidcEnabled: true });
    expect(pageOf(await testBrowser(portal).walk(begin('globex')))).toBe('/static/sso-unknown-email?org=globex');
  });
});

describe('a link to a provider account', () => {
  let session: { token: string; suid: string };
  beforeEach(async () => {
    await setUpProvider(portal, providerAt(foreign.issuer));
    claim(USER);
    session = await signedIn();
  });
  const links = async (token: string, suid?: string) =>
    (await portal.call(listExternalIdentities, { query: { suid } }, { token })).body.identities;

  test('is visible to its member, and the sessions that it created end when it is removed', async () => {
    const { token } = await portal.signIn(USER);
    const [link] = await links(token);
    expect(link).toMatchObject({ issuer: foreign.issuer, email: USER });
    const { body } = await portal.call(removeExternalIdentity, { body: { id: link?.id ?? '' } }, { token });
    expect(body.resultCode).toBe(0);
    expect((await portal.call(getProfile, {}, { token: session.token })).body.resultName).toBe('INVALID_SESSION');
    expect((await portal.call(getProfile, {}, { token })).body.resultCode).toBe(0);
    expect(await links(token)).toEqual([]);
  });

  test('can be removed only by an administrator with authority over the member', async () => {
    const { token } = await portal.signIn('helpdesk.admin@acme.test');
    const { suid } = session;
    const [link] = await links(token, suid);
    const remove = () => portal.call(removeExternalIdentity, { body: { id: link?.id ?? '', suid } }, { token });
    setMember(portal, suid, { roleCode: 'SUPER_ADMIN' });
    expect((await remove()).body.resultName).toBe('INVALID_PERMISSIONS');
    setMember(portal, suid, { roleCode: 'USER' });
    expect((await remove()).body.resultCode).toBe(0);
    expect((await remove()).body.resultName).toBe('ID_DOESNOT_EXIST');
  });

  test('is deleted with its member', async () => {
    const { $client } = portal.deps.db;
    const { token } = await portal.signIn(BOSS);
    await portal.call(deleteUser, { body: { suid: session.suid, org: 'acme' } }, { token });
    expect($client.prepare('SELECT count(*) FROM external_identities').pluck().get()).toBe(0);
  });
});
