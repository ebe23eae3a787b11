import { createApp, type InputOf, manageUser, previewApp, previewAppDraft } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, relyingParty } from '#protocols/oidc/relying-party-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal({ now: Date.now() });
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const preview = (appId: string, suid?: string, by = token) =>
  portal.call(previewApp, { params: { orgCode: 'acme', appId }, query: { suid } }, { token: by });

/** Claims that differ between sign-ins. */
const OF_ONE_SIGN_IN = ['nonce', 'at_hash', 'sid', 'iat', 'exp', 'auth_time'];
const lasting = (claims: object) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_ONE_SIGN_IN.includes(name)));

/** Expects the preview to match what a client that requests every scope receives. */
async function expectTruePreview(): Promise<void> {
  const { body } = await preview('team-wiki', suidOf(USER));
  if (body.preview.protocol !== 'oidc') throw new Error('The wiki speaks OIDC.');
  const config = await relyingParty(portal);
  const scope = 'openid profile email roles';
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER), { scope }));
  const idToken = tokens.claims();
  if (!idToken) throw new Error('The ID token is missing.');
  expect(lasting(body.preview.idToken)).toEqual(lasting(idToken));
  expect(Number(body.preview.idToken.exp) - Number(body.preview.idToken.iat)).toBe(
    Number(idToken.exp) - Number(idToken.iat),
  );
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, suidOf(USER));
  expect(body.preview.userinfo).toEqual(userinfo);
  expect(body.preview.scopes.email).toEqual(['email', 'email_verified']);
}

// covers: security 10.4.11, security 10.7.1–10.7.3
test('previews an OIDC application’s claims for a client that requests every scope', expectTruePreview);

test('previews an OIDC application that requires step-up', async () => {
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  await expectTruePreview();
});

test('previews a SAML application’s name ID, attributes and unsigned response', async () => {
  const { body } = await preview('travel-desk', suidOf(USER));
  if (body.preview.protocol !== 'saml') throw new Error('The travel desk speaks SAML.');
  const { nameId, xml, attributes } = body.preview;
  expect(xml).toContain(`>${nameId}</saml:NameID>`);
  for (const { name, value } of attributes) {
    expect(xml).toContain(`Name="${name}"`);
    expect(xml).toContain(`>${value}</saml:AttributeValue>`);
  }
  expect(xml).not.toContain('Signature');
});

test('previews the administrator’s own claims if no member is specified', async () => {
  const { body } = await preview('team-wiki');
  expect(body.preview).toMatchObject({ userinfo: { sub: suidOf(ADMIN), email: ADMIN } });
});

test('refuses unknown applications, unknown or disabled members, and other protocols', async () => {
  const app = { orgCode: 'acme', integrationType: 'radius', name: 'Gateway' } as const;
  const radius = await portal.call(createApp, { params: { orgCode: 'acme' }, body: app }, { token });
  const answers = [
    await preview('nothing'),
    await preview('team-wiki', 'nobody'),
    await preview('portal'),
    await preview(radius.body.app.appId),
  ];
  expect(answers.map(({ body }) => body.resultCode)).toEqual([38, 21, 6, 6]);
  await portal.call(manageUser, { body: { suid: suidOf(USER), action: 'pause' } }, { token });
  expect((await preview('team-wiki', suidOf(USER))).body.resultName).toBe('USER_INACTIVE');
});

test('treats another organisation’s members and applications as unknown', async () => {
  const globex = await portal.signIn('admin@globex.test');
  expect((await preview('team-wiki', undefined, globex.token)).status).toBe(403);
  const foreign = memberByEmail(portal, 'globex', 'admin@globex.test').suid;
  expect((await preview('team-wiki', foreign)).body.resultName).toBe('ID_DOESNOT_EXIST');
});

const PREVIEW = {
  samlNameId: 'primaryEmail',
  samlNameIdFormat: '',
  samlNameIdTransformationTemplate: '${firstName|upper}',
  samlAttributes: ['primaryEmail', 'whole'],
  samlAttributesConfig: [{ name: 'whole', transform: '${firstName} ${lastName}' }],
} as const;
const draft = (appId: string, body: NonNullable<InputOf<typeof previewAppDraft>['body']>) =>
  portal.call(previewAppDraft, { params: { orgCode: 'acme', appId }, body }, { token });

test('previews a SAML application with unsaved settings without saving them', async () => {
  const before = (await preview('travel-desk')).body.preview;
  const saml = {
    ...PREVIEW,
    samlAttributes: [...PREVIEW.samlAttributes],
    samlAttributesConfig: [...PREVIEW.samlAttributesConfig],
  };
  const { body } = await draft('travel-desk', { saml });
  if (body.preview.protocol !== 'saml') throw new Error('The travel desk speaks SAML.');
  expect(body.preview.nameId).toBe('AVERY');
  expect(body.preview.attributes.map(({ name, value }) => [name, value])).toEqual([
    ['primaryEmail', ADMIN],
    ['whole', 'Avery Lindqvist'],
  ]);
  expect(body.preview.xml).toContain('>AVERY</saml:NameID>');
  const after = (await preview('travel-desk')).body.preview;
  expect(after).toMatchObject({ ...before, xml: expect.any(String) });
});

test('reports errors in a draft on their fields, and requires a draft of the right protocol', async () => {
  const saml = { ...PREVIEW, samlAttributes: ['nick'], samlAttributesConfig: [], samlNameId: 'nick' };
  expect(await draft('travel-desk', { saml })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'saml.samlNameId' }, { path: 'saml.samlAttributes.0' }] },
  });
  expect((await draft('team-wiki', { saml })).body.resultName).toBe('UNSUPPORTED_ACTION');
  expect((await draft('travel-desk', { claims: [] })).body.resultName).toBe('UNSUPPORTED_ACTION');
  const both = await draft('travel-desk', { claims: [], saml });
  expect(both).toMatchObject({ status: 400, body: { issues: [{ path: 'saml' }] } });
});
