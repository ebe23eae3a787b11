import { bulkInviteLive, getProfile, getSecurity, logout, refresh, saveSecurity } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, relyingParty } from '#protocols/oidc/relying-party-testing.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { setOrganisation } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { TOPIC } from '../live/bus.ts';

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';
/** A network that doesn't include this machine. */
const OFFICE = '203.0.113.0/24';
const BLOCKED = { status: 403, body: { resultName: 'IP_NOT_VALID' } };

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const allow = (...ranges: string[]) => setOrganisation(portal, 'acme', { allowedIps: JSON.stringify(ranges) });

test('blocks an existing session until it is used from an allowed address', async () => {
  const { token } = await portal.signIn(USER);
  allow(OFFICE);
  expect(await portal.call(getProfile, {}, { token })).toMatchObject(BLOCKED);
  allow(OFFICE, '127.0.0.1', '::1');
  expect((await portal.call(getProfile, {}, { token })).status).toBe(200);
});

test('refuses to refresh from other addresses without consuming the token', async () => {
  const { refreshToken } = await portal.signIn(USER);
  allow(OFFICE);
  expect(await portal.call(refresh, { body: { refreshToken } })).toMatchObject(BLOCKED);
  portal.clock.advance(60);
  expect(await portal.call(refresh, { body: { refreshToken } })).toMatchObject(BLOCKED);
  allow();
  expect((await portal.call(refresh, { body: { refreshToken } })).status).toBe(200);
});

test('allows sign-out from any address', async () => {
  const { token } = await portal.signIn(USER);
  allow(OFFICE);
  expect((await portal.call(logout, { body: {} }, { token })).status).toBe(200);
  allow();
  expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
});

test('refuses new live channels and closes open channels when the list is saved', async () => {
  const { token } = await portal.signIn(ADMIN);
  const open = () => portal.open(bulkInviteLive, { uploadId: 'upload-1' }, { token });
  const channel = await open();
  await channel.next();
  allow(OFFICE);
  await expect(open()).rejects.toMatchObject(BLOCKED);
  allow();
  // The administrator calls from this machine too, so the saved list must include its addresses.
  const admin = await portal.signIn(ADMIN);
  const { body } = await portal.call(getSecurity, {}, { token: admin.token });
  const here = ['127.0.0.0/8', '::1'];
  await portal.call(saveSecurity, { body: { ...body, allowedIps: here } }, { token: admin.token });
  allow(OFFICE);
  portal.deps.bus.changed(TOPIC.addresses('acme'));
  expect(await channel.closed).toMatchObject({ reason: expect.stringContaining('IP_NOT_VALID') });
});

test('lets a phone approve from any address', async () => {
  const started = await beginQr(portal);
  allow(OFFICE);
  // The phone is outside the office, but the browser that exchanges the sign-in is inside.
  const exchangeToken = await approveQr(portal, portal.device(USER), started);
  expect(exchangeToken).not.toBe('');
});

test('blocks sign-ins to an application, with or without a session', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, USER);
  const tokens = await exchange(config, await authorize(config, browser));
  allow(OFFICE);
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: 'http://localhost:8080/oidc/callback',
    scope: 'openid',
  });
  const page = await browser.open(url);
  expect(page.status).toBe(403);
  expect(page.text).toContain('allow sign-ins from your network');
  // Server-to-server calls by applications are allowed from anywhere.
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
});

test.each(['/saml/acme/expenses/sso', '/saml/acme/continue?id=x', '/saml/acme/expenses/try?id=x'])(
  'blocks SAML sign-ins from other addresses: %s',
  async (path) => {
    allow(OFFICE);
    const { status, text } = await portal.http.get(path);
    expect(status).toBe(403);
    expect(text).toContain('allow sign-ins from your network');
    expect((await portal.http.get('/saml/acme/expenses/metadata')).status).not.toBe(403);
  },
);

test('refuses SCIM provisioning from other addresses with a SCIM error', async () => {
  const directory = directoryOf(portal);
  expect((await directory.get('/Users?count=1')).status).toBe(200);
  allow(OFFICE);
  const refused = await directory.get('/Users?count=1');
  expect(refused).toMatchObject({
    status: 403,
    body: { status: '403', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] },
  });
  expect((await directoryOf(portal, 'acme', 'Basic eDp5').get('/Users')).status).toBe(401);
});
