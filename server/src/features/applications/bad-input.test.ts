import {
  type AuthState,
  createApp,
  deleteApp,
  getApp,
  listApps,
  updateApp,
  validateAppName,
} from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
let before: unknown;
beforeAll(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterAll(() => portal.close());
beforeEach(async () => {
  before = await savedState();
});

const orgCode = 'acme';

/** Returns all state that a partial save could have changed. */
async function savedState(): Promise<unknown> {
  const { apps } = (await portal.call(listApps, { params: { orgCode } }, admin)).body;
  const { app } = (await portal.call(getApp, { params: { orgCode, appId: 'payroll' } }, admin)).body;
  return { apps, app };
}

interface Refused {
  status: number;
  body: { resultCode: number; issues: { path: string; message: string }[] };
}

/** Sends requests that our own clients never send. */
async function send(method: string, path: string, body: object): Promise<Refused> {
  return new request.Test(portal.url, method, `/api/orgs/acme/apps${path}`)
    .auth(admin.token, { type: 'bearer' })
    .send(body);
}

const clients = {
  redirect_uris: ['https://crm.acme.test/callback'],
  post_logout_redirect_uris: ['https://crm.acme.test/'],
};
const app = { orgCode, name: 'CRM', oidcConfiguration: { clients } };

/** Expects create and update requests to be refused with an issue on the field, and nothing to be saved. */
async function expectRefused(change: object, path: string, message: unknown): Promise<void> {
  const refused = {
    status: 400,
    body: { resultName: 'INVALID_REQUEST', issues: expect.arrayContaining([{ path, message }]) },
  };
  expect(await send('POST', '', { ...app, ...change })).toMatchObject(refused);
  expect(await send('PUT', '/payroll', { description: 'Half of it', ...change })).toMatchObject(refused);
  expect(await savedState()).toEqual(before);
}

describe('refuses a name', () => {
  const FORBIDDEN = [...'"#$%&\'()*,:;<>?[\\]^`{|}~', 'é', 'ß', '名', '😀', '\u0000', '\t', '\n', '\u00a0', '\u202e'];
  const MESSAGE = 'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)';

  test.each(FORBIDDEN.map((character) => [JSON.stringify(character), character]))(
    'with the character %s',
    async (_name, character) => {
      await expectRefused({ name: `C${character}RM` }, 'name', MESSAGE);
      const answer = await send('POST', '/validate', { appName: `C${character}RM`, orgId: orgCode });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'appName', message: MESSAGE }] } });
    },
  );

  // covers: spec 2.5.1
  test('that has 101 characters or only spaces, or isn’t text', async () => {
    await expectRefused({ name: 'x'.repeat(101) }, 'name', 'At most 100 characters');
    await expectRefused({ name: '   ' }, 'name', 'This field is required');
    await expectRefused({ name: '' }, 'name', 'This field is required');
    await expectRefused({ name: 7 }, 'name', expect.any(String));
    await expectRefused({ name: ['CRM'] }, 'name', expect.any(String));
  });

  // covers: spec 2.5.2
  test('that another application has, with different case or spaces', async () => {
    for (const name of ['TEAM WIKI', '  team wiki  ', 'Team  Wiki']) {
      expect(await send('POST', '', { ...app, name })).toMatchObject({
        status: 200,
        body: { resultName: 'ORG_APP_ALREADY_EXISTS' },
      });
      expect(await send('PUT', '/payroll', { name })).toMatchObject({
        status: 200,
        body: { resultName: 'ORG_APP_ALREADY_EXISTS' },
      });
    }
    expect(await savedState()).toEqual(before);
  });
});

test('collapses repeated spaces in a name', async () => {
  const created = await portal.call(
    createApp,
    { params: { orgCode }, body: { ...app, name: 'Shift   planner' } },
    admin,
  );
  expect(created.body.app.name).toBe('Shift planner');
  await portal.call(deleteApp, { params: { orgCode, appId: created.body.app.appId } }, admin);
});

// covers: spec 2.5.3
test('refuses a description of 501 characters', async () => {
  await expectRefused({ description: 'x'.repeat(501) }, 'description', 'At most 500 characters');
});

describe('address validation', () => {
  const SCHEMES =
    'Use https or http. Web and native applications can also use a reversed domain name as the scheme, such as com.example.app:/callback';
  const NO_SCHEME = 'The scheme is missing. Start with https://';
  const NO_SLASHES = 'Write // after the scheme, as in https://app.example.com';
  const NO_HOST = 'The host name is missing.';
  const FRAGMENT = 'Remove the fragment: # and everything after it.';
  const WILDCARD = 'Wildcards (*) are not supported. Enter each URL in full.';
  const PORT = 'The port must be a number between 1 and 65535.';
  const hidden = (sign: string) => `Invisible characters are not allowed here (${sign})`;

  // covers: spec 2.5.5
  test.each<[unknown, string]>([
    ['crm.acme.test/callback', NO_SCHEME],
    ['localhost:8080/callback', NO_SCHEME],
    ['/callback', NO_SCHEME],
    ['//crm.acme.test/callback', NO_SCHEME],
    ['https://', NO_HOST],
    ['https:///callback', NO_HOST],
    ['https://:8080/callback', NO_HOST],
    ['https:crm.acme.test', NO_SLASHES],
    ['https:/crm.acme.test', NO_SLASHES],
    ['https://crm acme.test/', 'URLs cannot contain spaces. Write %20 instead.'],
    ['https://[crm.acme.test/', 'The host name is not valid.'],
    ['https://[::1', 'The host name is not valid.'],
    ['https://crm..acme.test/', 'The host name is not valid.'],
    ['https://crm.acme.test"/', 'The host name is not valid.'],
    ['https://crm.acme.test!/', 'The host name is not valid.'],
    ['https://crm.acme.test,https://hr.acme.test', 'Enter each URL separately, without commas or semicolons.'],
    ['https://crm.acme.test;', 'Enter each URL separately, without commas or semicolons.'],
    ['https://crm.acme.test:99999/', PORT],
    ['https://crm.acme.test:0/', PORT],
    ['https://crm.acme.test:port/', PORT],
    ['https://crm.acme.test/callback#fragment', FRAGMENT],
    ['https://crm.acme.test/callback#', FRAGMENT],
    ['https://*.acme.test/callback', WILDCARD],
    ['https://crm.acme.test/*', WILDCARD],
    ['https://crm.acme.test/a b', 'URLs cannot contain spaces. Write %20 instead.'],
    ['https://crm.acme.test/\ncallback', hidden('U+000A')],
    ['https://crm.acme.test/\u0000', hidden('U+0000')],
    ['https://crm.acme.test/callback\u200b', hidden('U+200B')],
    ['https://me:secret@crm.acme.test/', 'Remove the user name and password before the @.'],
    ['https://crm.acme.test\\@evil.test/', 'Write / instead of \\.'],
    ['javascript:alert(1)', SCHEMES],
    ['JaVaScRiPt:alert(1)', SCHEMES],
    [' javascript:alert(1)', SCHEMES],
    ['data:text/html,x', SCHEMES],
    ['vbscript:x', SCHEMES],
    ['file:///etc/passwd', SCHEMES],
    ['ftp://crm.acme.test/', SCHEMES],
    ['mailto:crm@acme.test', SCHEMES],
    ['blob:https://crm.acme.test/1', SCHEMES],
    ['intent://crm', SCHEMES],
    ['myapp://cb', SCHEMES],
    [7, 'Invalid URL'],
    [null, 'Invalid URL'],
    [{ href: 'https://crm.acme.test' }, 'Invalid URL'],
  ])('refuses %j and states the reason', async (address, reason) => {
    for (const list of ['redirect_uris', 'post_logout_redirect_uris']) {
      const oidcConfiguration = { clients: { ...clients, [list]: ['https://crm.acme.test/', address] } };
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${list}.1`, reason);
    }
  });

  test('refuses an address that is already in the list, even if it is written differently', async () => {
    for (const again of ['https://crm.acme.test/', 'HTTPS://CRM.acme.test/']) {
      const oidcConfiguration = { clients: { ...clients, redirect_uris: ['https://crm.acme.test/', again] } };
      const path = 'oidcConfiguration.clients.redirect_uris.1';
      await expectRefused({ oidcConfiguration }, path, 'This URL is already in the list.');
    }
  });

  test('refuses a custom scheme for a single-page application and explains why', async () => {
    const redirect_uris = ['com.acme.crm:/callback'];
    const refused = await send('POST', '', {
      ...app,
      oidcConfiguration: { clients: { ...clients, kind: 'single-page', redirect_uris } },
    });
    const message = 'Single-page applications run in the browser. Use https or http instead of a custom scheme';
    expect(refused.body.issues).toEqual([{ path: 'oidcConfiguration.clients.redirect_uris.0', message }]);
  });

  test.each(['', ' '])('treats %j as missing', async (address) => {
    for (const list of ['redirect_uris', 'post_logout_redirect_uris']) {
      const oidcConfiguration = { clients: { ...clients, [list]: ['https://crm.acme.test/', address] } };
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${list}.1`, 'This field is required');
    }
  });

  // covers: spec 2.5.5
  test('refuses addresses of 2001 characters, and lists with 0 or 51 addresses', async () => {
    const path = 'oidcConfiguration.clients.redirect_uris';
    const withUris = (redirect_uris: unknown) => ({ oidcConfiguration: { clients: { ...clients, redirect_uris } } });
    const long = `https://crm.acme.test/${'x'.repeat(2_000)}`;
    await expectRefused(withUris([long]), `${path}.0`, 'At most 2000 characters');
    await expectRefused(withUris([]), path, 'Add at least one address');
    await expectRefused(withUris(Array(51).fill('https://crm.acme.test/')), path, 'At most 50 URLs');
    await expectRefused(withUris('https://crm.acme.test/'), path, expect.any(String));
  });

  // covers: spec 2.5.5
  test.each([
    'http://localhost:8080/callback',
    'http://127.0.0.1/callback?from=portal',
    'com.acme.crm:/callback',
    'https://[2001:db8::1]/callback',
    'https://crm.acme.test:443',
    'https://crm.acme.test/Callback?Next=%2F',
  ])('accepts %s', async (address) => {
    const oidcConfiguration = { clients: { redirect_uris: [address] } };
    const { body } = await portal.call(
      updateApp,
      { params: { orgCode, appId: 'team-wiki' }, body: { oidcConfiguration } },
      admin,
    );
    expect(body.app.oidcConfiguration?.clients.redirect_uris).toEqual([address]);
  });

  test.each([
    ['HTTPS://CRM.Acme.Test', 'https://crm.acme.test'],
    ['https://CRM.Acme.Test:8443/Callback?A=B', 'https://crm.acme.test:8443/Callback?A=B'],
    ['https://bücher.acme.test/Callback', 'https://xn--bcher-kva.acme.test/Callback'],
    ['HTTP://LOCALHOST:3000/', 'http://localhost:3000/'],
    ['Com.Acme.CRM:/Callback', 'com.acme.crm:/Callback'],
    [' https://crm.acme.test/ ', 'https://crm.acme.test/'],
  ])('saves %s as %s', async (address, saved) => {
    const change = { redirect_uris: [address], post_logout_redirect_uris: [address] };
    const params = { orgCode, appId: 'team-wiki' };
    const { body } = await portal.call(updateApp, { params, body: { oidcConfiguration: { clients: change } } }, admin);
    expect(body.app.oidcConfiguration?.clients).toMatchObject({
      redirect_uris: [saved],
      post_logout_redirect_uris: [saved],
    });
  });
});

const LIFETIMES = ['ttl_IdToken', 'ttl_AccessToken', 'ttl_AuthorizationCode', 'ttl_RefreshToken'] as const;

describe('refuses a lifetime', () => {
  // covers: spec 2.5.6, spec 2.5.8
  test.each([
    [-1, 'Enter a whole number of at least 0'],
    [0.5, 'Enter a whole number of at least 0'],
    [315_360_001, 'Enter at most ten years'],
    [1e308, expect.any(String)],
    ['60', 'Enter a whole number of at least 0'],
    ['', 'Enter a whole number of at least 0'],
    [null, 'Enter a whole number of at least 0'],
    [true, 'Enter a whole number of at least 0'],
    [[60], 'Enter a whole number of at least 0'],
  ])('of %j', async (number, message) => {
    for (const lifetime of LIFETIMES) {
      const oidcConfiguration = { clients: { ...clients, [lifetime]: number } };
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${lifetime}`, message);
    }
    const refused = await send('PUT', '/payroll', { maxCookieLife: number, didEnabled: false });
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: expect.arrayContaining([{ path: 'maxCookieLife', message }]) },
    });
    expect(await savedState()).toEqual(before);
  });
});

// covers: spec 2.5.4
test('refuses an OIDC application without addresses, or of an unknown type', async () => {
  expect(await send('POST', '', { orgCode, name: 'CRM' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'oidcConfiguration', message: 'This field is required' }] },
  });
  expect(await send('POST', '', { ...app, integrationType: 'kerberos' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'integrationType' }] },
  });
  expect(await savedState()).toEqual(before);
});

// covers: spec 2.5.1
test('accepts a name of 100 characters that uses every kind of allowed character', async () => {
  const name = `Az09 /_+=.@!-${'x'.repeat(87)}`;
  const { result } = (
    await portal.call(validateAppName, { params: { orgCode }, body: { appName: name, orgId: orgCode } }, admin)
  ).body;
  expect(result.available).toBe(true);
  const { body } = await portal.call(createApp, { params: { orgCode }, body: { ...app, name: ` ${name} ` } }, admin);
  expect(body.app).toMatchObject({ name, appId: result.proposedAppId });
});

test.each([
  ['the ID', { appId: 'sales-crm' }, 'appId'],
  ['the letter case of the ID', { appId: 'Payroll' }, 'appId'],
])('refuses %s if it differs between body and URL', async (_what, change, path) => {
  const refused = await send('PUT', '/payroll', { description: 'Half of it', ...change });
  const issues = [{ path, message: 'This differs from the value in the request path' }];
  expect(refused).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues } });
  expect(await savedState()).toEqual(before);
  expect((await send('PUT', '/payroll', { appId: 'payroll' })).status).toBe(200);
});

test.each([
  ['oidcConfiguration.kind', { oidcConfiguration: { kind: 'machine', clients } }, '. Did you mean clients.kind?'],
  ['oidcConfiguration.clients.redirectUris', { oidcConfiguration: { clients: { ...clients, redirectUris: [] } } }, ''],
  ['descripton', { descripton: 'Half' }, '. Did you mean description?'],
  ['toString', { toString: 1 }, ''],
  ['suid', { suid: null }, ''],
])('refuses the unknown field %s', async (path, change, hint) => {
  await expectRefused(
    change,
    path,
    expect.stringMatching(new RegExp(`^This field does not exist.*${hint.slice(-14)}`)),
  );
});

test('accepts a body without the organisation code, and refuses another organisation', async () => {
  const { orgCode: _path, ...body } = { ...app, name: 'Rota' };
  expect(await send('POST', '', body)).toMatchObject({ status: 200, body: { resultCode: 0 } });
  expect(await send('POST', '', { ...body, name: 'Rota 2', orgCode: 'globex' })).toMatchObject({ status: 403 });
  expect(await send('PUT', '/saml/travel-desk', { orgCode, appId: 'payroll' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'appId', message: 'This differs from the value in the request path' }] },
  });
});
