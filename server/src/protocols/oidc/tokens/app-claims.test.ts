import {
  type AppClaim,
  createApiResource,
  type InputOf,
  previewApp,
  previewAppDraft,
  updateApp,
} from '@orchestrate/shared';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { directoryOf, groupWith } from '../../scim/testing.ts';
import {
  authorize,
  createApplication,
  exchange,
  relyingParty,
  secretOf,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

const ADMIN = 'super.admin@acme.test';
const params = { orgCode: 'acme', appId: WIKI.appId };

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal({ now: Date.now() });
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

type Written = NonNullable<NonNullable<InputOf<typeof updateApp>['body']>['oidcConfiguration']>['clients']['claims'];
const save = (claims: NonNullable<Written>) =>
  portal.call(updateApp, { params, body: { oidcConfiguration: { clients: { claims } } } }, { token });

/** Returns a member's claims in the ID token and userinfo. */
async function claimsFor(scope: string, email = USER) {
  const config = await relyingParty(portal);
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, email), { scope }));
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  return { idToken: tokens.claims(), userinfo, scope: tokens.scope };
}

test('turns templates, constants, lists, numbers and booleans into claims', async () => {
  await save([
    { name: 'display', value: '${lastName|upper}, ${firstName}' },
    { name: 'https://acme.test/tenant', value: 'acme' },
    { name: 'groups', value: 'everybody, ${roleName}', type: 'list' },
    { name: 'level', value: '3', type: 'number' },
    { name: 'staff', value: 'true', type: 'boolean' },
    { name: 'nothing', value: '${mobileNumber}' },
  ]);
  const { firstName, lastName, mobileNumber } = memberByEmail(portal, 'acme', USER);
  const expected = {
    display: `${lastName.toUpperCase()}, ${firstName}`,
    'https://acme.test/tenant': 'acme',
    groups: ['everybody', 'Org User'],
    level: 3,
    staff: true,
  };
  const { idToken, userinfo } = await claimsFor('openid');
  expect(idToken).toMatchObject(expected);
  expect(userinfo).toMatchObject(expected);
  expect('nothing' in userinfo).toBe(mobileNumber !== null);
});

test('turns groups into a list with one entry per group, or into text', { tags: 'whole' }, async () => {
  const directory = directoryOf(portal);
  const members = [{ value: memberByEmail(portal, 'acme', USER).suid }];
  for (const displayName of ['Wiki, writers', 'Night shift']) {
    await directory.send('POST', '/Groups', groupWith({ displayName, members }));
  }
  await save([
    { name: 'groups', value: '${groups}', type: 'list' },
    { name: 'authorities', value: '${roleCode}, acme:${groups|lower},everybody', type: 'list' },
    { name: 'all', value: '${groups}' },
  ]);
  const expected = {
    groups: ['Night shift', 'Wiki, writers'],
    authorities: ['USER', 'acme:night shift', 'acme:wiki, writers', 'everybody'],
    all: 'Night shift,Wiki, writers',
  };
  const { idToken, userinfo } = await claimsFor('openid');
  expect(idToken).toMatchObject(expected);
  expect(userinfo).toMatchObject(expected);
  const { suid } = memberByEmail(portal, 'acme', USER);
  const { preview } = (await portal.call(previewApp, { params, query: { suid } }, { token })).body;
  expect(preview).toMatchObject({ userinfo: expected });
  const other = await claimsFor('openid', ADMIN);
  expect(other.userinfo).toMatchObject({ authorities: ['SUPER_ADMIN', 'everybody'] });
  expect(other.userinfo).not.toHaveProperty('groups');
});

test('releases a claim only for its scope, in either the ID token or userinfo', { tags: 'whole' }, async () => {
  await save([
    { name: 'desk', value: '7', scope: 'office' },
    { name: 'only_userinfo', value: 'x', idToken: false },
    { name: 'only_id_token', value: 'x', userinfo: false },
  ]);
  const without = await claimsFor('openid');
  expect(without.idToken).not.toHaveProperty('desk');
  expect(without.idToken).not.toHaveProperty('only_userinfo');
  expect(without.userinfo).not.toHaveProperty('only_id_token');
  const { idToken, userinfo, scope } = await claimsFor('openid office');
  expect(scope?.split(' ')).toContain('office');
  expect([idToken?.desk, userinfo.desk]).toEqual(['7', '7']);
  expect((await relyingParty(portal)).serverMetadata().scopes_supported).toContain('office');
});

test("releases the first claim that matches the member's role", { tags: 'whole' }, async () => {
  await save([
    { name: 'access', value: 'all', roles: ['SUPER_ADMIN'] },
    { name: 'access', value: 'some' },
  ]);
  expect((await claimsFor('openid')).idToken?.access).toBe('some');
  expect((await claimsFor('openid', ADMIN)).idToken?.access).toBe('all');
});

test('releases claims by group or role, with the preview matching the token', {
  tags: 'whole',
}, async () => {
  const directory = directoryOf(portal);
  const { suid } = memberByEmail(portal, 'acme', USER);
  const writers = await directory.send(
    'POST',
    '/Groups',
    groupWith({ displayName: 'Writers', members: [{ value: suid }] }),
  );
  const claims = [
    { name: 'access', value: 'writing', groups: [writers.id], roles: ['SUPER_ADMIN'] },
    { name: 'access', value: 'reading' },
    { name: 'desk', value: '7', groups: [writers.id] },
  ];
  const previewed = async () => {
    const body = { suid, claims };
    const { preview } = (await portal.call(previewAppDraft, { params, body }, { token })).body;
    return preview;
  };
  expect(await previewed()).toMatchObject({ idToken: { access: 'writing', desk: '7' } });
  expect(await save(claims)).toMatchObject({ status: 200 });
  expect((await claimsFor('openid')).idToken).toMatchObject({ access: 'writing', desk: '7' });
  const admin = (await claimsFor('openid', ADMIN)).idToken;
  expect(admin?.access).toBe('writing');
  expect(admin).not.toHaveProperty('desk');
  await directory.patch(`/Groups/${writers.id}`, [{ op: 'remove', path: 'members' }]);
  expect((await claimsFor('openid')).idToken?.access).toBe('reading');
  await directory.send('DELETE', `/Groups/${writers.id}`);
  const { idToken } = await claimsFor('openid');
  expect(idToken?.access).toBe('reading');
  expect(idToken).not.toHaveProperty('desk');
  expect(await previewed()).not.toMatchObject({ idToken: { desk: '7' } });
});

test('hides the claims from other applications', async () => {
  await save([{ name: 'desk', value: '7' }]);
  const config = await relyingParty(portal, { appId: 'payroll' });
  const redirect_uri = 'https://payroll.acme.test/callback';
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER), { redirect_uri }));
  expect(tokens.claims()).not.toHaveProperty('desk');
});

test('rejects reserved claim names and unknown fields, roles and groups', async () => {
  const refusedOn = async (claim: Partial<AppClaim>) =>
    (await save([{ name: 'x', value: 'x', ...claim }])).body.issues?.map(({ path }) => path);
  const at = 'oidcConfiguration.clients.claims.0';
  for (const name of ['sub', 'iss', 'nonce', 'sid', 'acr', 'two words']) {
    expect(await refusedOn({ name })).toEqual([`${at}.name`]);
  }
  expect(await refusedOn({ value: '${shoeSize}' })).toEqual([`${at}.value`]);
  expect(await refusedOn({ value: '${firstName' })).toEqual([`${at}.value`]);
  expect(await refusedOn({ roles: ['NOTHING'] })).toEqual([`${at}.roles.0`]);
  expect(await refusedOn({ groups: ['nothing'] })).toEqual([`${at}.groups.0`]);
  expect(await refusedOn({ scope: 'offline_access' })).toEqual([`${at}.scope`]);
});

test('previews exactly what the client receives, including unsaved claims', async () => {
  const claims = [{ name: 'greeting', value: 'Hello ${firstName}', scope: 'office' }];
  const { suid, firstName } = memberByEmail(portal, 'acme', USER);
  const draft = await portal.call(previewAppDraft, { params, body: { suid, claims } }, { token });
  expect(draft.body.preview).toMatchObject({
    idToken: { greeting: `Hello ${firstName}` },
    userinfo: { greeting: `Hello ${firstName}` },
    scopes: { office: ['greeting'] },
  });
  const saved = async () => (await portal.call(previewApp, { params, query: { suid } }, { token })).body.preview;
  expect(JSON.stringify(await saved())).not.toContain('greeting');
  await save(claims);
  expect(await saved()).toMatchObject({ idToken: { greeting: (await claimsFor('openid office')).idToken?.greeting } });
});

test('releases claims in access tokens and their introspection if the settings say so', async () => {
  const resource = 'https://orders.acme.test/api';
  const api = { identifier: resource, name: 'Orders', scopes: ['orders:read'] };
  await portal.call(createApiResource, { body: api }, { token });
  await save([
    { name: 'department', value: '${roleName}', accessToken: true, idToken: false, userinfo: false },
    { name: 'level', value: '3', type: 'number', scope: 'email', accessToken: true },
    { name: 'hidden', value: 'x' },
  ]);
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, USER);
  const plain = await exchange(config, await authorize(config, browser, { scope: 'openid offline_access' }));
  const { department, level, hidden } = await client.tokenIntrospection(config, plain.access_token);
  expect({ department, level, hidden }).toEqual({ department: 'Org User', level: undefined, hidden: undefined });
  expect(plain.claims()).not.toHaveProperty('department');

  const scope = 'openid email offline_access orders:read';
  const tokens = await exchange(config, await authorize(config, browser, { scope, resource }));
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  const ordered = await portal.lab.tokens({ client: WIKI.appId, as: USER, resource });
  for (const jwt of [tokens.access_token, refreshed.access_token, ordered.accessToken]) {
    expect(decodeJwt(jwt)).toMatchObject({ department: 'Org User', level: 3, scope: 'orders:read' });
    expect(decodeJwt(jwt)).not.toHaveProperty('hidden');
  }
  const { body } = await portal.call(previewApp, { params, query: {} }, { token });
  expect(body.preview).toMatchObject({ accessToken: { department: 'Super Admin', level: 3, client_id: WIKI.appId } });
});

test('releases a service client’s claims in access tokens, and refuses member fields', async () => {
  const kind = 'machine' as const;
  const claims = [
    { name: 'tenant', value: 'north' },
    { name: 'level', value: '3', type: 'number' as const, scope: 'orders:read' },
  ];
  const app = await createApplication(portal, token, 'Nightly export', { kind, claims });
  const auth = client.ClientSecretBasic(secretOf(portal, app.appId));
  const config = await relyingParty(portal, { appId: app.appId, auth });
  const opaque = await client.clientCredentialsGrant(config);
  expect(await client.tokenIntrospection(config, opaque.access_token)).toMatchObject({ tenant: 'north' });
  const resource = 'https://orders.acme.test/api';
  const api = { identifier: resource, name: 'Orders', scopes: ['orders:read'] };
  await portal.call(createApiResource, { body: api }, { token });
  const scoped = await client.clientCredentialsGrant(config, { resource, scope: 'orders:read' });
  expect(decodeJwt(scoped.access_token)).toMatchObject({ sub: app.appId, tenant: 'north', level: 3 });

  const refused = [
    { name: 'mail', value: '${email}' },
    { name: 'admin', value: 'yes', roles: ['USER'] },
  ];
  const body = { oidcConfiguration: { clients: { claims: refused } } };
  const answer = await portal.call(updateApp, { params: { ...params, appId: app.appId }, body }, { token });
  const at = 'oidcConfiguration.clients.claims';
  expect(answer.body.issues).toEqual([
    { path: `${at}.0.value`, message: 'Service clients act without a user. Use a constant' },
    { path: `${at}.1.roles`, message: 'Service clients act without a user' },
  ]);
});
