import { beginAppTry, createApp, getAppTry, MINUTE, manageUser } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { returnFromProtocol, testSignIns } from './test-sign-ins-testing.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const WIKI = 'team-wiki';
const params = { orgCode: 'acme', appId: WIKI };

let portal: TestPortal;
let token: string;
let admin: ReturnType<typeof testSignIns>;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
  admin = testSignIns(portal, token);
});
afterEach(() => portal.close());

/** Starts a test and signs a member in, up to the redirect to the test's callback. */
async function signInFor(email = USER) {
  const started = await admin.begin(WIKI);
  // This browser doesn't have the test's cookie, so its request is refused and the code in the URL stays valid.
  const { url, status } = await testBrowser(portal, email).open(started.url);
  return { ...started, callback: url, status };
}

test('passes every check with the saved settings, and exposes nothing reusable', async () => {
  const { callback, cookie, tryId } = await signInFor();
  expect((await admin.result(WIKI, tryId)).status).toBe('waiting');
  const { status, headers } = await returnFromProtocol(callback, cookie);
  expect({ status, location: headers.location }).toEqual({
    status: 302,
    location: `/applications/${WIKI}/try/${tryId}`,
  });
  const { result, ...found } = await admin.result(WIKI, tryId);
  expect(result?.checks.filter(({ isMet }) => !isMet)).toEqual([]);
  expect(found).toMatchObject({ status: 'passed', appName: 'Team Wiki', protocol: 'oidc' });
  expect(result?.checks.map(({ name }) => name)).toEqual([
    'State',
    'Authorization',
    'Answer',
    'Discovery',
    'Tokens',
    'Signature',
    'Issuer',
    'Audience',
    'Nonce',
    'Expiry',
    'Access token hash',
    'Userinfo',
  ]);
  expect(result?.documents.map(({ name }) => name)).toEqual(['Token response', 'ID token', 'Userinfo']);
  const { sub, email } = JSON.parse(result?.documents[2]?.text ?? '');
  expect({ sub, email }).toEqual({ sub: memberByEmail(portal, 'acme', USER).suid, email: USER });
  const displayed = JSON.stringify(result);
  expect(displayed).not.toMatch(/eyJ/);
  expect(JSON.parse(result?.documents[0]?.text ?? '')).toMatchObject({ access_token: '(left out)' });
  const left = portal.deps.db.$client.prepare("SELECT count(*) FROM oidc_models WHERE model = 'AccessToken'").pluck();
  expect(left.get()).toBe(0);
});

test('tests a public client without a secret', async () => {
  const addresses = ['https://notes.acme.test/'];
  const clients = { kind: 'single-page', redirect_uris: addresses, post_logout_redirect_uris: addresses } as const;
  const body = { orgCode: 'acme', name: 'Notes', oidcConfiguration: { clients } };
  await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
  const started = await admin.begin('notes');
  const { url } = await testBrowser(portal, USER).open(started.url);
  await returnFromProtocol(url, started.cookie);
  const { status, result } = await admin.result('notes', started.tryId);
  expect(status).toBe('passed');
  expect(result?.checks[4]?.detail).toContain('as a public client');
});

test('accepts the test’s redirect_uri only while the application is being tested', async () => {
  const { url } = await admin.begin(WIKI);
  const other = new URL(url);
  other.searchParams.set('client_id', 'payroll');
  const refused = await testBrowser(portal, USER).open(other);
  expect(refused.text).toContain('invalid_redirect_uri');
  portal.clock.advance((10 * MINUTE) / 1_000);
  expect((await testBrowser(portal, USER).open(url)).text).toContain('invalid_redirect_uri');
});

test('allows completing a test sign-in once, in the same browser and in time', async () => {
  const first = await signInFor();
  expect(first.status).toBe(400);
  expect((await returnFromProtocol(first.callback, first.cookie)).status).toBe(302);
  expect((await returnFromProtocol(first.callback, first.cookie)).status).toBe(400);
  expect((await testBrowser(portal, USER).open(first.url)).text).toContain('invalid_redirect_uri');

  const late = await signInFor();
  portal.clock.advance((10 * MINUTE) / 1_000);
  expect((await returnFromProtocol(late.callback, late.cookie)).status).toBe(400);
  // The administrator's token has expired by now too, so sign in again.
  const { token: renewed } = await portal.signIn(ADMIN);
  expect((await testSignIns(portal, renewed).result(WIKI, late.tryId)).status).toBe('expired');
  expect((await returnFromProtocol(`${portal.url}/oidc/acme/try`, '')).status).toBe(400);
});

test('reports an error returned by the provider', async () => {
  const { url, cookie, tryId } = await admin.begin(WIKI);
  const refused = new URL('/oidc/acme/try', url);
  refused.search = String(new URLSearchParams({ state: tryId, error: 'access_denied', error_description: 'no' }));
  await returnFromProtocol(refused, cookie);
  const { status, result } = await admin.result(WIKI, tryId);
  expect(status).toBe('failed');
  expect(result?.checks.at(1)).toMatchObject({
    isMet: false,
    detail: 'The provider returned an error: access_denied, no.',
  });
});

test('issues no tokens to a member who is disabled while signing in', async () => {
  const { callback, cookie, tryId } = await signInFor();
  await portal.call(
    manageUser,
    { body: { suid: memberByEmail(portal, 'acme', USER).suid, action: 'pause' } },
    { token },
  );
  await returnFromProtocol(callback, cookie);
  const { status, result } = await admin.result(WIKI, tryId);
  expect(status).toBe('failed');
  expect(result?.checks.at(-1)).toMatchObject({ name: 'Tokens', isMet: false });
});

test('doesn’t let other organisations’ administrators see or start test sign-ins', async () => {
  const { tryId, callback, cookie } = await signInFor();
  const { token: foreign } = await portal.signIn('admin@globex.test');
  expect((await portal.call(getAppTry, { params: { ...params, tryId } }, { token: foreign })).status).toBe(403);
  expect((await portal.call(beginAppTry, { params, body: {} }, { token: foreign })).status).toBe(403);
  callback.pathname = '/oidc/globex/try';
  expect((await returnFromProtocol(callback, cookie)).status).toBe(400);
  const elsewhere = { params: { orgCode: 'acme', appId: 'payroll', tryId } };
  expect((await portal.call(getAppTry, elsewhere, { token })).body.resultName).toBe('ID_DOESNOT_EXIST');
});

test('requires an existing application that uses OIDC or SAML', async () => {
  const body = { orgCode: 'acme', integrationType: 'ldap', name: 'Directory' } as const;
  const { app } = (await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token })).body;
  const codes = ['nothing', 'portal', app.appId].map(async (appId) => {
    const { body: answer } = await portal.call(
      beginAppTry,
      { params: { orgCode: 'acme', appId }, body: {} },
      { token },
    );
    return answer.resultCode;
  });
  expect(await Promise.all(codes)).toEqual([38, 6, 6]);
});
