import { generateKeyPairSync } from 'node:crypto';
import {
  type AuthState,
  createApp,
  createClientSecret,
  DAY,
  deleteApp,
  deleteClientSecret,
  duplicateApp,
  getApp,
  getAppProvisioning,
  getDefaultLoginOptions,
  type InputOf,
  LIMITS,
  listApps,
  MINUTE,
  saveAppProvisioning,
  updateApp,
  validateAppName,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

const orgCode = 'acme';
const of = (appId: string) => ({ orgCode, appId });
const clients = {
  redirect_uris: ['https://crm.acme.test/callback'],
  post_logout_redirect_uris: ['https://crm.acme.test/'],
};

const list = async () => (await portal.call(listApps, { params: { orgCode } }, admin)).body.apps;
const detail = async (appId: string) => (await portal.call(getApp, { params: of(appId) }, admin)).body.app;
const change = (appId: string, body: InputOf<typeof updateApp>['body']) =>
  portal.call(updateApp, { params: of(appId), body }, admin);
const create = (body: Partial<InputOf<typeof createApp>['body']> = {}) =>
  portal.call(
    createApp,
    { params: { orgCode }, body: { orgCode, name: 'CRM', oidcConfiguration: { clients }, ...body } },
    admin,
  );

describe('listing applications', () => {
  // covers: spec 2.1.3, spec 2.7.2
  test('returns the organisation’s applications of every type, sorted by name', async () => {
    const apps = await list();
    expect(apps.map(({ appId, name, integrationType }) => [appId, name, integrationType])).toEqual([
      ['portal', 'Acme Portal', 'portal'],
      ['payroll', 'Payroll', 'oidc'],
      ['team-wiki', 'Team Wiki', 'oidc'],
      ['travel-desk', 'Travel Desk', 'saml'],
    ]);
    expect(apps[2]).toMatchObject({ maxCookieLife: 28_800, didEnabled: true, webAuthnEnabled: true });
  });

  test('returns nothing from another organisation', async () => {
    const globex = await portal.signIn('admin@globex.test');
    const { apps } = (await portal.call(listApps, { params: { orgCode: 'globex' } }, globex)).body;
    expect(apps.map(({ name }) => name)).toEqual(['Acme Portal SSO', 'Globex Portal']);
  });
});

describe('reading an application', () => {
  test('returns the addresses from the discovery document', async () => {
    const { oidcConfiguration } = await detail('payroll');
    const discovery = await (await fetch(oidcConfiguration?.discoveryUrl ?? '')).json();
    expect(discovery).toMatchObject({
      issuer: oidcConfiguration?.domainUrl,
      authorization_endpoint: oidcConfiguration?.authorizationEndpoint,
      ...oidcConfiguration?.endpoints,
    });
    const named = Object.keys(Object(discovery)).filter((name) => /_endpoint$|^jwks_uri$/.test(name));
    const { endpoints } = oidcConfiguration ?? {};
    // An existing application is already registered, so its endpoints leave out registration.
    expect(['authorization_endpoint', 'registration_endpoint', ...Object.keys(endpoints ?? {})].sort()).toEqual(
      named.sort(),
    );
  });

  // covers: spec 2.3.1, spec 2.3.2, spec 2.7.3, spec 2.7.26
  test('returns its client, addresses and secrets, newest first', async () => {
    const app = await detail('payroll');
    const { clientSecrets, ...oidc } = app.oidcConfiguration ?? {};
    expect(oidc).toEqual({
      domainUrl: `${portal.url}/oidc/acme`,
      authorizationEndpoint: `${portal.url}/oidc/acme/auth`,
      discoveryUrl: `${portal.url}/oidc/acme/.well-known/openid-configuration`,
      endpoints: expect.objectContaining({ token_endpoint: `${portal.url}/oidc/acme/token` }),
      isClosed: false,
      clients: {
        client_id: 'payroll',
        kind: 'web',
        client_secret: clientSecrets?.[0]?.client_secret,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: ['https://payroll.acme.test/callback'],
        post_logout_redirect_uris: ['https://payroll.acme.test/'],
        ttl_IdToken: 3_600,
        ttl_AccessToken: 3_600,
        ttl_AuthorizationCode: 60,
        ttl_RefreshToken: 1_209_600,
        backchannel_logout_uri: '',
        frontchannel_logout_uri: '',
        claims: [],
        token_endpoint_auth_method: 'client_secret_basic',
        jwks: null,
        jwks_uri: '',
        id_token_signed_response_alg: 'RS256',
        access_token_format: 'opaque',
        rotate_refresh_tokens: true,
        token_exchange: false,
      },
    });
    expect(clientSecrets?.map(({ name }) => name)).toEqual(['Rotation', 'Production']);
    expect(app.samlConfiguration).toBeNull();
  });

  // covers: spec 2.7.3, spec 2.8.32
  test.each(['nothing', 'acme-portal-sso', 'saml'])('doesn’t find an application with the ID %s', async (appId) => {
    const missing = { status: 404, body: { resultName: 'ORG_APP_MISSING' } };
    expect(await portal.call(getApp, { params: of(appId) }, admin)).toMatchObject(missing);
    expect(await change(appId, { name: 'Mine' })).toMatchObject(missing);
    expect(await portal.call(deleteApp, { params: of(appId) }, admin)).toMatchObject(missing);
    expect(await portal.call(createClientSecret, { params: of(appId), body: { name: 'Mine' } }, admin)).toMatchObject(
      missing,
    );
  });
});

describe('creating an application', () => {
  // covers: spec 2.3.2, spec 2.7.4
  test('creates an OIDC application with an ID derived from its name, and a first secret', async () => {
    const { body } = await create({ name: 'Sales + CRM', description: ' What we sell ' });
    expect(body.app).toMatchObject({
      appId: 'sales-crm',
      name: 'Sales + CRM',
      description: 'What we sell',
      integrationType: 'oidc',
      createdAt: new Date(TEST_NOW).toISOString(),
    });
    const [secret] = body.app.oidcConfiguration?.clientSecrets ?? [];
    expect(secret).toMatchObject({
      expiresAt: null,
      lastUsedAt: null,
      client_secret: expect.stringMatching(/^.{43}$/),
    });
    expect(body.app.oidcConfiguration?.clients).toMatchObject({
      ...clients,
      client_id: 'sales-crm',
      ttl_IdToken: 3_600,
    });
    expect(await detail('sales-crm')).toEqual(body.app);
  });

  // covers: spec 2.2.35
  test('uses the lifetimes in the request instead of the defaults', async () => {
    const { body } = await create({
      oidcConfiguration: { clients: { ...clients, ttl_IdToken: 60, ttl_RefreshToken: 0 } },
    });
    expect(body.app.oidcConfiguration?.clients).toMatchObject({
      ttl_IdToken: 60,
      ttl_AccessToken: 3_600,
      ttl_RefreshToken: 0,
    });
  });

  // covers: spec 2.1.3
  test.each(['portal', 'ldap', 'radius'] as const)('creates no OIDC client for type %s', async (integrationType) => {
    const { body } = await create({ integrationType, oidcConfiguration: undefined });
    expect(body.app).toMatchObject({ integrationType, oidcConfiguration: null, samlConfiguration: null });
    expect(await create({ name: 'Other', integrationType })).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'oidcConfiguration' }] },
    });
  });

  // covers: spec 2.5.2, spec 2.8.32, security 2.3.3
  test('refuses another application’s name, ignoring case (code 90), and saves nothing', async () => {
    const before = await list();
    expect(await create({ name: '  pAYROLL ' })).toMatchObject({
      status: 200,
      body: { resultName: 'ORG_APP_ALREADY_EXISTS', message: 'App name already exists' },
    });
    expect(await list()).toEqual(before);
  });

  test('allows another organisation to use the same name and ID', async () => {
    const globex = await portal.signIn('admin@globex.test');
    const body = { orgCode: 'globex', name: 'Payroll', oidcConfiguration: { clients } };
    const answer = await portal.call(createApp, { params: { orgCode: 'globex' }, body }, globex);
    expect(answer.body.app.appId).toBe('payroll');
  });
});

describe('updating an application', () => {
  // covers: spec 2.7.5
  test('replaces only the fields in the request, and replaces lists as a whole', async () => {
    const before = await detail('team-wiki');
    const redirect_uris = ['https://wiki.acme.test/new'];
    const { body } = await change('team-wiki', {
      didEnabled: false,
      maxCookieLife: 120,
      oidcConfiguration: { clients: { redirect_uris, ttl_AccessToken: 300 } },
    });
    expect(body.app).toMatchObject({
      ...before,
      didEnabled: false,
      maxCookieLife: 120,
      oidcConfiguration: {
        ...before.oidcConfiguration,
        clients: { ...before.oidcConfiguration?.clients, redirect_uris, ttl_AccessToken: 300 },
      },
    });
    expect(body.app.oidcConfiguration?.clients.redirect_uris).toEqual(redirect_uris);
    expect(await detail('team-wiki')).toEqual(body.app);
  });

  test('modifies no data if the request is empty', async () => {
    const before = await detail('payroll');
    expect((await change('payroll', { oidcConfiguration: { clients: {} } })).body.app).toEqual(before);
  });

  test('keeps the ID when the name changes, and allows changing only the case of a name', async () => {
    expect((await change('payroll', { name: 'PAYROLL' })).body.app).toMatchObject({
      appId: 'payroll',
      name: 'PAYROLL',
    });
    expect((await change('payroll', { name: 'Salaries' })).body.app.appId).toBe('payroll');
    expect((await create({ name: 'Payroll' })).body.app.appId).toBe('payroll-2');
  });

  test('refuses another application’s name (code 90) and saves nothing', async () => {
    const before = await detail('payroll');
    expect((await change('payroll', { name: 'TEAM WIKI', didEnabled: false })).body.resultName).toBe(
      'ORG_APP_ALREADY_EXISTS',
    );
    expect(await detail('payroll')).toEqual(before);
  });

  test('refuses an OIDC configuration for an application of another type', async () => {
    const answer = await change('portal', { name: 'Renamed', oidcConfiguration: { clients } });
    expect(answer).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'oidcConfiguration' }] },
    });
    expect((await detail('portal')).name).toBe('Acme Portal');
  });
});

describe('deleting an application', () => {
  // covers: spec 2.7.6
  test('removes an application and its secrets', async () => {
    expect((await portal.call(deleteApp, { params: of('payroll') }, admin)).body).toEqual({ resultCode: 0 });
    expect((await list()).map(({ appId }) => appId)).not.toContain('payroll');
    const rows = portal.deps.db.$client
      .prepare(`SELECT appId FROM client_secrets UNION ALL SELECT appId FROM oidc_clients`)
      .pluck()
      .all();
    expect(rows).not.toContain('payroll');
  });

  test('doesn’t delete the only portal application', async () => {
    expect(await portal.call(deleteApp, { params: of('portal') }, admin)).toMatchObject({
      status: 200,
      body: { resultName: 'FORBIDDEN', message: "An organisation's only portal application cannot be deleted." },
    });
    await create({ name: 'Second portal', integrationType: 'portal', oidcConfiguration: undefined });
    expect((await portal.call(deleteApp, { params: of('portal') }, admin)).body.resultCode).toBe(0);
  });
});

describe('preparing a new application', () => {
  const validate = async (appName: string, appId?: string) =>
    (await portal.call(validateAppName, { params: { orgCode }, body: { appName, orgId: orgCode, appId } }, admin)).body
      .result;

  // covers: spec 2.3.6, spec 2.7.8
  test('reports whether a name is taken, and suggests a free ID', async () => {
    expect(await validate('Expenses')).toEqual({ proposedAppId: 'expenses', available: true });
    expect(await validate('team  wiki')).toEqual({ proposedAppId: 'team-wiki-2', available: false });
    expect(await validate('TEAM WIKI')).toEqual({ proposedAppId: 'team-wiki-2', available: false });
    expect(await validate('Team wiki', 'team-wiki')).toMatchObject({ available: true });
    expect(await validate('SAML')).toEqual({ proposedAppId: 'saml-2', available: true });
  });

  // covers: spec 2.7.7
  test('returns the organisation’s default login options, with the cookie lifetime in seconds', async () => {
    portal.deps.db.$client
      .prepare(
        `UPDATE organisations SET maxCookieLife = 30, didEnabled = 0, webAuthnEnabled = 1, forceAuthnEnabled = 1`,
      )
      .run();
    const { result } = (await portal.call(getDefaultLoginOptions, { params: { orgCode } }, admin)).body;
    expect(result).toEqual({
      maxCookieLife: 1_800,
      didEnabled: false,
      webAuthnEnabled: true,
      desktopAppEnabled: true,
      forceAuthnEnabled: true,
      samlNameId: 'primaryEmail',
      samlNameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      samlNameIdTransformationTemplate: '',
      samlAttributes: ['primaryEmail', 'firstName', 'lastName'],
    });
    expect((await create()).body.app).toMatchObject({ maxCookieLife: 1_800, forceAuthnEnabled: true });
  });
});

describe('client secrets', () => {
  const add = (appId: string, name: string, expiresAt?: number) =>
    portal.call(
      createClientSecret,
      { params: of(appId), body: { name, ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }) } },
      admin,
    );
  const revoke = (appId: string, secretId: string) =>
    portal.call(deleteClientSecret, { params: { ...of(appId), secretId } }, admin);
  const secrets = async (appId: string) => (await detail(appId)).oidcConfiguration?.clientSecrets ?? [];
  const displayed = async (appId: string) => (await detail(appId)).oidcConfiguration?.clients.client_secret;

  test('accepts two secrets at the same time, so the first can be replaced without downtime', async () => {
    const [old] = await secrets('team-wiki');
    const { secret } = (await add('team-wiki', ' Next ', TEST_NOW + 90 * DAY)).body;
    expect(secret).toMatchObject({ name: 'Next', expiresAt: new Date(TEST_NOW + 90 * DAY).toISOString() });
    expect(await secrets('team-wiki')).toEqual([secret, old]);
    expect(await displayed('team-wiki')).toBe(secret.client_secret);
    expect((await revoke('team-wiki', old?.secretId ?? '')).body.resultCode).toBe(0);
    expect(await secrets('team-wiki')).toEqual([secret]);
  });

  test('displays the newest valid secret, if any', async () => {
    const [old] = await secrets('team-wiki');
    const { secret } = (await add('team-wiki', 'Short', TEST_NOW + MINUTE)).body;
    portal.clock.freeze(TEST_NOW + MINUTE);
    expect(await displayed('team-wiki')).toBe(old?.client_secret);
    await revoke('team-wiki', old?.secretId ?? '');
    expect(await displayed('team-wiki')).toBe('');
    await revoke('team-wiki', secret.secretId);
    expect(await secrets('team-wiki')).toEqual([]);
  });

  test('allows at most five secrets', async () => {
    while ((await secrets('payroll')).length < LIMITS.clientSecrets) await add('payroll', 'More');
    expect(await add('payroll', 'One more')).toMatchObject({
      status: 400,
      body: {
        resultName: 'INVALID_REQUEST',
        issues: [{ path: 'name', message: 'You can have at most 5 secrets. Delete one first' }],
      },
    });
    expect(await secrets('payroll')).toHaveLength(5);
  });

  test('refuses expired secrets, and secrets for applications without OIDC', async () => {
    expect(await add('payroll', 'Late', TEST_NOW)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'expiresAt', message: 'Choose a time in the future' }] },
    });
    expect(await add('portal', 'None')).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
    expect(await secrets('payroll')).toHaveLength(2);
  });

  test('does not find another application’s secret', async () => {
    const [wiki] = await secrets('team-wiki');
    expect((await revoke('payroll', wiki?.secretId ?? '')).body.resultName).toBe('ID_DOESNOT_EXIST');
    expect(await secrets('team-wiki')).toEqual([wiki]);
  });
});

describe('duplicating an application', () => {
  const duplicate = async (appId: string, name = 'Copy') =>
    (await portal.call(duplicateApp, { params: of(appId), body: { name } }, admin)).body;
  /** Returns an application's settings without the fields that are unique to it. */
  const settingsOf = async (appId: string) => {
    const { appId: _id, name: _name, createdAt: _since, ...settings } = await detail(appId);
    return settings;
  };

  test('copies the settings of an OIDC application and creates a new secret', async () => {
    const { suid } = admin.profile;
    const usableBy = { roles: ['USER'], people: [suid], groups: [] };
    const claims = [{ name: 'team', value: '${roleCode}' }];
    await change('payroll', { description: 'Pay', forceAuthnEnabled: true, usableBy });
    await change('payroll', { oidcConfiguration: { clients: { claims, ttl_IdToken: 77 } } });
    expect((await duplicate('payroll', 'Payroll Staging')).appId).toBe('payroll-staging');
    const [before, after] = [await settingsOf('payroll'), await settingsOf('payroll-staging')];
    const own = { client_id: 'payroll-staging', client_secret: expect.stringMatching(/^.{40,}$/) };
    expect(after).toEqual({
      ...before,
      oidcConfiguration: {
        ...before.oidcConfiguration,
        clients: { ...before.oidcConfiguration?.clients, ...own },
        clientSecrets: [expect.objectContaining({ name: 'First secret', expiresAt: null, lastUsedAt: null })],
      },
    });
    const secrets = before.oidcConfiguration?.clientSecrets.map(({ client_secret }) => client_secret);
    expect(secrets).not.toContain(after.oidcConfiguration?.clients.client_secret);
  });

  test('creates a secret for the copy instead of copying client keys', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ kty: '', ...publicKey.export({ format: 'jwk' }) }] };
    await change('payroll', { oidcConfiguration: { clients: { jwks } } });
    await duplicate('payroll');
    const client = (await detail('copy')).oidcConfiguration?.clients;
    expect(client).toMatchObject({ jwks: null, jwks_uri: '', token_endpoint_auth_method: 'client_secret_basic' });
    expect(client?.client_secret).not.toBe('');
  });

  test('copies a SAML application with its service provider’s metadata', async () => {
    await duplicate('travel-desk');
    const [before, after] = [await settingsOf('travel-desk'), await settingsOf('copy')];
    const { identityProvider, ...saml } = before.samlConfiguration ?? {};
    expect(after).toMatchObject({ ...before, samlConfiguration: saml });
    expect(after.samlConfiguration?.identityProvider).toEqual({
      ...identityProvider,
      entityId: `${portal.url}/saml/acme/copy`,
      singleSignOnUrl: `${portal.url}/saml/acme/copy/sso`,
      singleLogoutUrl: `${portal.url}/saml/acme/copy/slo`,
      metadataUrl: `${portal.url}/api/login/idp-metadata.xml?orgCode=acme&appId=copy`,
    });
  });

  test('copies a RADIUS application’s method, with a new shared secret', async () => {
    const radius = { integrationType: 'radius', oidcConfiguration: undefined, radiusConfiguration: { method: 'push' } };
    const created = await create({ name: 'Gateway', ...radius } as Parameters<typeof create>[0]);
    await duplicate(created.body.app.appId);
    const { radiusConfiguration } = await detail('copy');
    expect(radiusConfiguration).toMatchObject({ method: 'push', secret: expect.stringMatching(/./) });
    expect(radiusConfiguration?.secret).not.toBe(created.body.app.radiusConfiguration?.secret);
  });

  test('does not copy the SCIM service', async () => {
    const service = { url: 'http://localhost:9/scim', secret: 'a token of the service', enabled: false };
    await portal.call(saveAppProvisioning, { params: of('payroll'), body: service }, admin);
    await duplicate('payroll');
    const { body } = await portal.call(getAppProvisioning, { params: of('copy') }, admin);
    expect(body).toMatchObject({ provisioning: null });
  });

  test('refuses a taken name or an unknown application', async () => {
    expect((await duplicate('payroll', 'team WIKI')).resultName).toBe('ORG_APP_ALREADY_EXISTS');
    expect((await duplicate('nothing')).resultName).toBe('ORG_APP_MISSING');
    expect((await duplicate('payroll', 'a*b')).resultName).toBe('INVALID_REQUEST');
    expect(await list()).toHaveLength(4);
  });

  test('does not find another organisation’s applications', async () => {
    const globex = await portal.signIn('admin@globex.test');
    const request = { params: { orgCode: 'globex', appId: 'payroll' }, body: { name: 'Copy' } };
    expect((await portal.call(duplicateApp, request, globex)).body.resultName).toBe('ORG_APP_MISSING');
  });
});

describe('sending back what was read', () => {
  test('changes nothing, for every type of application', async () => {
    await change('payroll', { usableBy: { roles: ['USER'], people: [admin.profile.suid], groups: [] } });
    await create({ name: 'VPN', integrationType: 'radius', oidcConfiguration: undefined });
    await create({ name: 'Mail', integrationType: 'ldap', oidcConfiguration: undefined });
    const apps = await list();
    expect(new Set(apps.map(({ integrationType }) => integrationType)).size).toBe(5);
    for (const { appId } of apps) {
      const app = await detail(appId);
      expect(await change(appId, app)).toMatchObject({ status: 200, body: { app } });
    }
    const globex = await portal.signIn('admin@globex.test');
    const listed = await portal.call(listApps, { params: { orgCode: 'globex' } }, globex);
    // Its redirect URIs are pages of the portal itself, which are stored as paths.
    const params = { orgCode: 'globex', appId: listed.body.apps[0]?.appId ?? '' };
    const { headers, body } = await portal.call(getApp, { params }, globex);
    const sent = await portal.call(updateApp, { params, body: body.app }, globex);
    expect(sent).toMatchObject({ status: 200, body, headers: { etag: headers.etag } });
  });

  test.each([
    ['payroll', { integrationType: 'saml' }, 'integrationType', 'This field cannot be changed'],
    ['payroll', { radiusConfiguration: { method: 'push' } }, 'radiusConfiguration', 'Only RADIUS applications'],
    ['payroll', { oidcConfiguration: { clients: { kind: 'native' } } }, 'oidcConfiguration.clients.kind', 'cannot be'],
    [
      'travel-desk',
      { samlConfiguration: { redirectUrl: 'https://x.test/' } },
      'samlConfiguration.redirectUrl',
      '/saml/',
    ],
  ] as const)('refuses a change of %s that has no effect: %j', async (appId, body, path, message) => {
    const app = await detail(appId);
    const sent = await change(appId, body as Parameters<typeof change>[1]);
    const issues = [{ path, message: expect.stringContaining(message) }];
    expect(sent).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues } });
    expect(await detail(appId)).toEqual(app);
  });
});
