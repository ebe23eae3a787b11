import {
  type AuthState,
  checkConfiguration,
  createApp,
  createRegistrationToken,
  createSamlApp,
  duplicateApp,
  getApp,
  type InputOf,
  importConfiguration,
  readSamlMetadata,
  resetLab,
  updateApp,
  updateSamlApp,
  type World,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { acs, spMetadata } from '#testing/metadata.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const LAB_TOKEN = 'a-token-of-the-lab-that-is-long-enough';
const CLIENTS = { redirect_uris: ['https://crm.test/cb'], post_logout_redirect_uris: ['https://crm.test/'] };
const OPEN = {
  redirect_uris: ['https://crm.test/cb', 'http://crm.test/cb'],
  post_logout_redirect_uris: ['https://crm.test/', 'http://crm.test/'],
  frontchannel_logout_uri: 'http://crm.test/out',
};
const USE_HTTPS = expect.stringContaining('Use https');
const IN_CLIENTS = [
  'oidcConfiguration.clients.redirect_uris.1',
  'oidcConfiguration.clients.post_logout_redirect_uris.1',
  'oidcConfiguration.clients.frontchannel_logout_uri',
];
const SAML = {
  orgCode: 'acme',
  redirectUrl: 'https://sp.example/start',
  samlNameId: 'primaryEmail',
  samlAttributes: ['firstName'],
  flags: { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: false },
};
const OPEN_ACS = spMetadata({ services: acs('http://sp.example/acs') });
const OPEN_SLO = spMetadata({
  services: `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://sp.example/slo" ResponseLocation="http://sp.example/out"/>${acs('https://sp.example/acs')}`,
});

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal({});
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

/** Makes the portal reachable from other machines. */
function publish() {
  portal.deps.config = { ...portal.deps.config, backchannelUrl: 'https://portal.example', labToken: LAB_TOKEN };
}

const params = { orgCode: 'acme' };
const of = (appId: string) => ({ orgCode: 'acme', appId });
const create = (clients: object) =>
  portal.call(createApp, { params, body: { orgCode: 'acme', name: 'CRM', oidcConfiguration: { clients } } }, admin);
const update = (clients: InputOf<typeof updateApp>['body']) =>
  portal.call(updateApp, { params: of('crm'), body: clients }, admin);
const createSaml = (metadata: string) =>
  portal.call(createSamlApp, { params, body: { ...SAML, name: 'Expenses', metadata } }, admin);
const fileOf = (oidc: object): World => ({
  organisations: [{ code: 'acme', applications: [{ id: 'crm', type: 'oidc', oidc }] }],
});
const IN_FILE = {
  redirectUris: OPEN.redirect_uris,
  postLogoutRedirectUris: OPEN.post_logout_redirect_uris,
  frontchannelLogoutUri: OPEN.frontchannel_logout_uri,
};

const registered = z.looseObject({
  client_id: z.string().optional(),
  registration_client_uri: z.string().optional(),
  registration_access_token: z.string().optional(),
});

async function register(metadata: object) {
  const made = await portal.call(createRegistrationToken, { body: { name: 'Clients' } }, admin);
  return send('POST', `${portal.url}/oidc/acme/reg`, made.body.secret, metadata);
}

async function send(method: string, address: string, token: string, metadata: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(address, { method, headers, body: JSON.stringify(metadata) });
  return { status: answer.status, body: registered.parse(await answer.json()) };
}

describe('a portal open to other machines refuses http', () => {
  // covers: security 10.4.1
  test('on each address of a new or updated application', async () => {
    publish();
    const created = await create(OPEN);
    expect([created.status, created.body.issues?.map(({ path }) => path)]).toEqual([400, IN_CLIENTS]);
    expect(created.body.issues?.[0]?.message).toEqual(USE_HTTPS);
    expect((await create(CLIENTS)).status).toBe(200);
    const changed = await update({ oidcConfiguration: { clients: OPEN } });
    expect([changed.status, changed.body.issues?.map(({ path }) => path)]).toEqual([400, IN_CLIENTS]);
  });

  test('but accepts loopback addresses and native app schemes', async () => {
    publish();
    const redirects = ['http://localhost:8080/cb', 'http://127.0.0.1/cb', 'http://[::1]:7/cb', 'com.acme.crm:/cb'];
    expect((await create({ kind: 'native', redirect_uris: redirects })).status).toBe(200);
  });

  test('except in private networks allowed by ALLOW_PRIVATE_NETWORKS', async () => {
    publish();
    const inside = { redirect_uris: ['http://app:8080/cb', 'http://10.1.2.3/cb'], post_logout_redirect_uris: [] };
    const logout = { post_logout_redirect_uris: ['http://app:8080/'] };
    expect((await create({ ...inside, ...logout })).status).toBe(400);
    portal.deps.config = { ...portal.deps.config, allowPrivateNetworks: true };
    const outside = { ...inside, ...logout, redirect_uris: ['http://app.example/cb', 'http://203.0.113.9/cb'] };
    expect((await create(outside)).body.issues).toHaveLength(2);
    expect((await create({ ...inside, ...logout })).status).toBe(200);
  });

  test('for a SAML application’s sign-in and sign-out addresses', async () => {
    publish();
    for (const metadata of [OPEN_ACS, OPEN_SLO]) {
      const refused = await createSaml(metadata);
      expect([refused.status, refused.body.issues]).toEqual([400, [{ path: 'metadata', message: USE_HTTPS }]]);
    }
    const { appId } = (await createSaml(spMetadata())).body;
    const changed = await portal.call(updateSamlApp, { params: of(appId), body: { metadata: OPEN_ACS } }, admin);
    expect([changed.status, changed.body.issues]).toEqual([400, [{ path: 'metadata', message: USE_HTTPS }]]);
  });

  test.each([
    'ht&#9;tp://sp.example/acs',
    'http&#10;://sp.example/acs',
    '&#32;http://sp.example/acs',
    'https://sp.exa&#13;mple/acs',
  ])('and whitespace in a SAML application’s address: %s', async (location) => {
    publish();
    const slo = OPEN_SLO.replace('http://sp.example/out', location);
    for (const metadata of [spMetadata({ services: acs(location) }), slo]) {
      const refused = await createSaml(metadata);
      expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'metadata' }] } });
    }
  });

  test('from a client that registers itself or updates its registration', async () => {
    publish();
    const refused = { status: 400, body: { error: 'invalid_redirect_uri', error_description: USE_HTTPS } };
    expect(await register({ redirect_uris: ['http://crm.test/cb'] })).toMatchObject(refused);
    const { body } = await register({ redirect_uris: ['https://crm.test/cb'] });
    const { client_id, registration_client_uri = '', registration_access_token = '' } = body;
    const changed = { client_id, redirect_uris: ['https://crm.test/cb', 'http://crm.test/cb'] };
    const address = `${portal.url}${new URL(registration_client_uri).pathname}`;
    expect(await send('PUT', address, registration_access_token, changed)).toMatchObject(refused);
  });

  test('in a configuration file', async () => {
    publish();
    const { mistakes } = (await portal.call(checkConfiguration, { body: { configuration: fileOf(IN_FILE) } }, admin))
      .body;
    const at = 'organisations.0.applications.0.oidc';
    const wrong = [`${at}.redirectUris.1`, `${at}.postLogoutRedirectUris.1`, `${at}.frontchannelLogoutUri`];
    expect(mistakes.map(({ path }) => path)).toEqual(wrong);
    expect((await portal.call(importConfiguration, { body: { configuration: fileOf(IN_FILE) } }, admin)).status).toBe(
      400,
    );
  });

  test('in a world, and names each address’s path', async () => {
    publish();
    const saml = { id: 'expenses', type: 'saml' as const, saml: { metadata: OPEN_ACS } };
    const seed: World = {
      organisations: [{ code: 'initech', applications: [{ id: 'crm', type: 'oidc', oidc: IN_FILE }, saml] }],
    };
    const refused = await portal.call(resetLab, { body: { seed } }, { token: LAB_TOKEN });
    const at = 'seed.organisations.0.applications';
    expect([refused.status, refused.body.issues?.map(({ path }) => path)]).toEqual([
      400,
      [
        `${at}.0.oidc.redirectUris.1`,
        `${at}.0.oidc.postLogoutRedirectUris.1`,
        `${at}.0.oidc.frontchannelLogoutUri`,
        `${at}.1.saml.metadata`,
      ],
    ]);
  });

  test('when duplicating an application that uses http', async () => {
    await create(OPEN);
    const saml = (await createSaml(OPEN_ACS)).body.appId;
    publish();
    for (const appId of ['crm', saml]) {
      const copied = await portal.call(duplicateApp, { params: of(appId), body: { name: 'Copy' } }, admin);
      expect([copied.status, copied.body.message]).toEqual([400, expect.stringContaining('must use https')]);
    }
  });
});

describe('an application that already has http addresses', () => {
  test('can be saved unchanged, because only new addresses are checked', async () => {
    expect((await create(OPEN)).status).toBe(200);
    publish();
    const clients = (await portal.call(getApp, { params: of('crm') }, admin)).body.app.oidcConfiguration?.clients;
    const { redirect_uris = [], post_logout_redirect_uris = [], frontchannel_logout_uri } = clients ?? {};
    const same = { redirect_uris, post_logout_redirect_uris, frontchannel_logout_uri };
    expect((await update({ description: 'Ours', oidcConfiguration: { clients: same } })).status).toBe(200);
    const more = { ...same, redirect_uris: [...redirect_uris, 'http://crm.test/more'] };
    const refused = await update({ oidcConfiguration: { clients: more } });
    expect(refused.body.issues?.map(({ path }) => path)).toEqual(['oidcConfiguration.clients.redirect_uris.2']);
    const moved = { ...same, redirect_uris: [...redirect_uris, 'http://crm.test/'] };
    expect((await update({ oidcConfiguration: { clients: moved } })).body.issues).toEqual([
      { path: 'oidcConfiguration.clients.redirect_uris.2', message: USE_HTTPS },
    ]);
    const file = fileOf({ ...IN_FILE, ttlIdToken: 600 });
    expect((await portal.call(importConfiguration, { body: { configuration: file } }, admin)).status).toBe(200);
  });

  test('keeps its SAML metadata when saved again', async () => {
    const { appId } = (await createSaml(OPEN_ACS)).body;
    publish();
    const body = { metadata: `${OPEN_ACS}\n`, name: 'Costs' };
    expect((await portal.call(updateSamlApp, { params: of(appId), body }, admin)).status).toBe(200);
  });
});

test('accepts http everywhere in a local portal, and warns about http in SAML metadata', async () => {
  expect((await create(OPEN)).status).toBe(200);
  expect((await createSaml(OPEN_ACS)).status).toBe(200);
  expect((await register({ redirect_uris: ['http://crm.test/cb'] })).status).toBe(201);
  for (const [metadata, what] of [
    [OPEN_ACS, 'Sign-ins to http://sp.example/acs are not encrypted'],
    [OPEN_SLO, 'Sign-outs to http://sp.example/out are not encrypted'],
  ] as const) {
    const { serviceProvider } = (await portal.call(readSamlMetadata, { params, body: { metadata } }, admin)).body;
    expect(serviceProvider.warnings).toEqual([expect.stringContaining(what)]);
  }
});
