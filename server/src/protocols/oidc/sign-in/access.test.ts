import {
  type AppUsers,
  deleteUser,
  getApp,
  listAppActivity,
  manageUser,
  previewApp,
  updateApp,
  updateUser,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPage, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { directoryOf, groupWith } from '../../scim/testing.ts';
import {
  authorize,
  createApplication,
  errorOf,
  exchange,
  relyingParty,
  SCOPE,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

const ADMIN = 'super.admin@acme.test';
const MANAGER = 'manager@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const wiki = { orgCode: 'acme', appId: WIKI.appId };
const save = (usableBy: Partial<NonNullable<AppUsers>> | null, appId: string = WIKI.appId) =>
  portal.call(updateApp, { params: { ...wiki, appId }, body: { usableBy } }, { token });

const ONLY_ADMINS = { roles: ['SUPER_ADMIN'], people: [] };

/** Returns the URL that a form on the page opens. */
function formOf({ text }: TestPage, id: string): string {
  const [, action = '', inputs = ''] = new RegExp(`<form id="${id}" action="([^"]+)">(.*?)</form>`).exec(text) ?? [];
  const fields = [...inputs.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const query = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
  return `${action}?${new URLSearchParams(query)}`;
}

/** Returns the URL of an authorization request. */
const request = async (config: client.Configuration) =>
  client.buildAuthorizationUrl(config, {
    redirect_uri: WIKI.callback,
    scope: SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });

test('shows a user without access an explanation and returns access_denied to the application', async () => {
  await save(ONLY_ADMINS);
  const browser = testBrowser(portal, USER);
  const config = await relyingParty(portal);
  const page = await browser.open(await request(config));
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('You can&#39;t use Team Wiki') });
  expect(page.text).toContain(USER);
  const { url } = await browser.open(formOf(page, 'back'));
  expect(url.href.startsWith(WIKI.callback)).toBe(true);
  expect(url.searchParams.get('error')).toBe('access_denied');
  // With an existing session, `prompt=none` gets the same error.
  const { callback } = await authorize(config, browser, { prompt: 'none' });
  expect(callback.searchParams.get('error')).toBe('access_denied');
});

test('offers signing in as another user on the no-access page', async () => {
  await save(ONLY_ADMINS);
  const config = await relyingParty(portal);
  const refused = testBrowser(portal, USER);
  const page = await refused.open(await request(config));
  const admin = testBrowser(portal, ADMIN);
  const { url } = await admin.open(formOf(page, 'again'));
  expect(url.href.startsWith(WIKI.callback)).toBe(true);
  expect(url.searchParams.has('code')).toBe(true);
});

test('rejects the no-access page in a browser without a pending request', async () => {
  await relyingParty(portal);
  const page = await testBrowser(portal).open('/oidc/acme/no-access');
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('this sign-in has ended') });
});

test('reports an unreadable request as a server error instead of an expired request', async () => {
  await save(ONLY_ADMINS);
  const browser = testBrowser(portal, USER);
  const page = await browser.open(await request(await relyingParty(portal)));
  expect(page.status).toBe(403);
  portal.deps.db.$client.exec(`UPDATE oidc_models SET payload = '{' WHERE model = 'Interaction'`);
  expect((await browser.open(page.url)).status).toBe(500);
});

test('allows only members with the given role or listed by name', async () => {
  const config = await relyingParty(portal);
  const subjectFor = async (email: string) =>
    (await exchange(config, await authorize(config, testBrowser(portal, email)))).claims()?.sub;
  await save({ roles: ['USER'], people: [] });
  expect(await subjectFor(USER)).toBe(suidOf(USER));
  await save({ roles: ['SUPER_ADMIN'], people: [suidOf(USER)] });
  expect(await subjectFor(USER)).toBe(suidOf(USER));
  expect(await subjectFor(ADMIN)).toBe(suidOf(ADMIN));
  await save({ roles: [], people: [] });
  const { callback } = await authorize(config, testBrowser(portal, ADMIN));
  expect(callback.pathname).toBe('/oidc/acme/no-access');
  await save(null);
  expect(await subjectFor(ADMIN)).toBe(suidOf(ADMIN));
});

test('rejects refreshes and userinfo requests once access is lost', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await save(ONLY_ADMINS);
  expect(await errorOf(client.fetchUserInfo(config, refreshed.access_token, suidOf(USER)))).toBe('invalid_token');
  expect(await errorOf(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''))).toBe('invalid_grant');
});

test('reports tokens as inactive to their client and to services after access is lost', async () => {
  await createApplication(portal, token, 'Night job', { kind: 'machine' });
  const service = await relyingParty(portal, { appId: 'night-job' });
  const { config, tokens } = await signInToWiki(portal);
  const { access_token: access, refresh_token: refresh = '' } = tokens;
  const answers = async () => {
    const introspections = [client.tokenIntrospection(config, access), client.tokenIntrospection(config, refresh)];
    return Promise.all([...introspections, client.tokenIntrospection(service, access)]);
  };
  const active = { active: true, sub: suidOf(USER) };
  const inactive = { active: false };
  const manage = (action: 'pause' | 'unpause') =>
    portal.call(manageUser, { body: { suid: suidOf(USER), action } }, { token });
  expect(await answers()).toMatchObject([active, active, active]);
  await save(ONLY_ADMINS);
  expect(await answers()).toEqual([inactive, inactive, inactive]);
  await save(null);
  expect(await answers()).toMatchObject([active, active, active]);
  await manage('pause');
  expect(await answers()).toEqual([inactive, inactive, inactive]);
});

test("keeps a service client's own token active", async () => {
  await createApplication(portal, token, 'Night job', { kind: 'machine' });
  const config = await relyingParty(portal, { appId: 'night-job' });
  const { access_token: access } = await client.clientCredentialsGrant(config);
  expect(await client.tokenIntrospection(config, access)).toMatchObject({ active: true });
});

test('applies a new role on the next refresh', async () => {
  await save({ roles: ['USER'], people: [] });
  const { config, tokens } = await signInToWiki(portal);
  const { primaryAttr, firstName, lastName, primaryEmail } = memberByEmail(portal, 'acme', USER);
  const body = { primaryAttr, firstName, lastName, primaryEmail, roles: 'HELPDESK_ADMIN' };
  await portal.call(updateUser, { body }, { token });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
});

test("allows a group's members only while they are in it, and hides the group once it is deleted", async () => {
  const directory = directoryOf(portal);
  const members = [{ value: suidOf(USER) }];
  const { id } = await directory.send('POST', '/Groups', groupWith({ displayName: 'Writers', members }));
  await save({ groups: [id] });
  expect((await authorize(await relyingParty(portal), testBrowser(portal, ADMIN))).callback.pathname).toBe(
    '/oidc/acme/no-access',
  );
  const { config, tokens } = await signInToWiki(portal);
  expect((await portal.call(getApp, { params: wiki }, { token })).body.app.usableBy).toEqual({
    roles: [],
    people: [],
    groups: [{ groupId: id, displayName: 'Writers' }],
  });
  await directory.patch(`/Groups/${id}`, [{ op: 'remove', path: 'members' }]);
  expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, suidOf(USER)))).toBe('invalid_token');
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  await directory.send('DELETE', `/Groups/${id}`);
  expect((await portal.call(getApp, { params: wiki }, { token })).body.app.usableBy).toMatchObject({ groups: [] });
  expect((await save({ roles: ['USER'], groups: [id] })).body.resultCode).toBe(0);
});

test('rejects a code issued before access was removed', async () => {
  const config = await relyingParty(portal);
  const authorization = await authorize(config, testBrowser(portal, USER));
  await save(ONLY_ADMINS);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
});

test('shows roles and people in the editor, and records access changes in the audit trail', async () => {
  await save({ roles: ['USER'], people: [suidOf(MANAGER)] });
  const { app } = (await portal.call(getApp, { params: wiki }, { token })).body;
  const { firstName, lastName } = memberByEmail(portal, 'acme', MANAGER);
  const manager = { suid: suidOf(MANAGER), name: `${firstName} ${lastName}`, email: MANAGER };
  expect(app.usableBy).toEqual({ roles: ['USER'], people: [manager], groups: [] });
  const { Items } = (await portal.call(listAppActivity, { params: wiki, query: {} }, { token })).body;
  expect(Items[0]?.changes).toEqual(
    expect.arrayContaining([
      { field: 'usableBy.roles', after: ['USER'] },
      { field: 'usableBy.people', after: [manager.suid] },
    ]),
  );
});

test('hides deleted members, and accepts changes that still list them', async () => {
  await save({ roles: [], people: [suidOf(USER), suidOf(MANAGER)] });
  const deleted = suidOf(USER);
  await portal.call(deleteUser, { body: { suid: deleted, org: 'acme' } }, { token });
  const { app } = (await portal.call(getApp, { params: wiki }, { token })).body;
  expect(app.usableBy?.people.map(({ email }) => email)).toEqual([MANAGER]);
  expect((await save({ roles: ['USER'], people: [deleted] })).body.resultCode).toBe(0);
});

test('rejects unknown roles, people and groups, and restricting the portal itself', async () => {
  const globex = memberByEmail(portal, 'globex', 'admin@globex.test').suid;
  const issuesOf = async (...usage: Parameters<typeof save>) => (await save(...usage)).body.issues;
  expect(await issuesOf({ roles: ['USER', 'NOTHING'], people: [] })).toMatchObject([{ path: 'usableBy.roles.1' }]);
  expect(await issuesOf({ roles: [], people: [globex] })).toMatchObject([{ path: 'usableBy.people.0' }]);
  expect(await issuesOf({ groups: ['nothing'] })).toMatchObject([{ path: 'usableBy.groups.0' }]);
  expect(await issuesOf(ONLY_ADMINS, 'portal')).toMatchObject([{ path: 'usableBy' }]);
});

test('reports in the preview whether the member has access', async () => {
  await save(ONLY_ADMINS);
  const mayUse = async (suid: string) =>
    (await portal.call(previewApp, { params: wiki, query: { suid } }, { token })).body.mayUse;
  expect(await mayUse(suidOf(ADMIN))).toBe(true);
  expect(await mayUse(suidOf(USER))).toBe(false);
});
