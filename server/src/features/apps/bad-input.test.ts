import { type AuthState, createApp, getApp, listApps, updateApp, validateAppName } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
let before: unknown;
beforeAll(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterAll(() => portal.close());
beforeEach(async () => {
  before = await everything();
});

const orgCode = 'acme';

/** Everything that a half-applied save could have changed. */
async function everything(): Promise<unknown> {
  const { apps } = (await portal.call(listApps, { params: { orgCode } }, admin)).body;
  const { app } = (await portal.call(getApp, { params: { orgCode, appId: 'payroll' } }, admin)).body;
  return { apps, app };
}

interface Refused {
  status: number;
  body: { resultCode: number; issues: { path: string; message: string }[] };
}

/** Sends what our clients never would. */
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

/** Expects a refusal on the field, both when creating and when changing, and that nothing is saved. */
async function expectRefused(change: object, path: string, message: unknown): Promise<void> {
  const refused = {
    status: 400,
    body: { resultName: 'INVALID_REQUEST', issues: expect.arrayContaining([{ path, message }]) },
  };
  expect(await send('POST', '', { ...app, ...change })).toMatchObject(refused);
  expect(await send('PUT', '/payroll', { description: 'Half of it', ...change })).toMatchObject(refused);
  expect(await everything()).toEqual(before);
}

describe('a name', () => {
  const FORBIDDEN = [...'"#$%&\'()*,:;<>?[\\]^`{|}~', 'é', 'ß', '名', '😀', '\u0000', '\t', '\n', '\u00a0', '\u202e'];
  const MESSAGE = 'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)';

  test.each(FORBIDDEN.map((character) => [JSON.stringify(character), character]))(
    'with %s',
    async (_name, character) => {
      await expectRefused({ name: `C${character}RM` }, 'name', MESSAGE);
      const answer = await send('POST', '/validate', { appName: `C${character}RM`, orgId: orgCode });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'appName', message: MESSAGE }] } });
    },
  );

  test('of 101 characters, of spaces only, or that is not text', async () => {
    await expectRefused({ name: 'x'.repeat(101) }, 'name', 'At most 100 characters');
    await expectRefused({ name: '   ' }, 'name', 'This field is required');
    await expectRefused({ name: '' }, 'name', 'This field is required');
    await expectRefused({ name: 7 }, 'name', expect.any(String));
    await expectRefused({ name: ['CRM'] }, 'name', expect.any(String));
  });

  test('of another application, in another letter case and with spaces around it', async () => {
    for (const name of ['TEAM WIKI', '  team wiki  ']) {
      expect(await send('POST', '', { ...app, name })).toMatchObject({
        status: 200,
        body: { resultName: 'ORG_APP_ALREADY_EXISTS' },
      });
      expect(await send('PUT', '/payroll', { name })).toMatchObject({
        status: 200,
        body: { resultName: 'ORG_APP_ALREADY_EXISTS' },
      });
    }
    expect(await everything()).toEqual(before);
  });
});

test('a description of 501 characters', async () => {
  await expectRefused({ description: 'x'.repeat(501) }, 'description', 'At most 500 characters');
});

describe('an address', () => {
  test.each([
    'crm.acme.test/callback',
    '/callback',
    '//crm.acme.test/callback',
    'https://',
    'https:///callback',
    'https:crm.acme.test',
    'https://crm.acme.test/callback#fragment',
    'https://crm.acme.test/callback#',
    'https://*.acme.test/callback',
    'https://crm.acme.test/*',
    'https://crm.acme.test/a b',
    'https://crm.acme.test/\ncallback',
    'https://me:secret@crm.acme.test/',
    'https://crm.acme.test\\@evil.test/',
    'https://crm.acme.test/\u0000',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://crm.acme.test/',
    'mailto:crm@acme.test',
    'blob:https://crm.acme.test/1',
    'intent://crm',
    7,
    null,
    { href: 'https://crm.acme.test' },
  ])('%j', async (address) => {
    for (const list of ['redirect_uris', 'post_logout_redirect_uris']) {
      const oidcConfiguration = { clients: { ...clients, [list]: ['https://crm.acme.test/', address] } };
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${list}.1`, 'Invalid URL');
    }
  });

  test.each(['', ' '])('%j is missing', async (address) => {
    for (const list of ['redirect_uris', 'post_logout_redirect_uris']) {
      const oidcConfiguration = { clients: { ...clients, [list]: ['https://crm.acme.test/', address] } };
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${list}.1`, 'This field is required');
    }
  });

  test('of 2001 characters, or in a list of none or 51', async () => {
    const path = 'oidcConfiguration.clients.redirect_uris';
    const withUris = (redirect_uris: unknown) => ({ oidcConfiguration: { clients: { ...clients, redirect_uris } } });
    const long = `https://crm.acme.test/${'x'.repeat(2_000)}`;
    await expectRefused(withUris([long]), `${path}.0`, 'At most 2000 characters');
    await expectRefused(withUris([]), path, 'At least one address');
    await expectRefused(withUris(Array(51).fill('https://crm.acme.test/')), path, 'At most 50 addresses');
    await expectRefused(withUris('https://crm.acme.test/'), path, expect.any(String));
  });

  test.each([
    'http://localhost:8080/callback',
    'http://127.0.0.1/callback?from=portal',
    'com.acme.crm:/callback',
    'https://[2001:db8::1]/callback',
  ])('%s is one', async (address) => {
    const oidcConfiguration = { clients: { redirect_uris: [address] } };
    const { body } = await portal.call(
      updateApp,
      { params: { orgCode, appId: 'team-wiki' }, body: { oidcConfiguration } },
      admin,
    );
    expect(body.app.oidcConfiguration?.clients.redirect_uris).toEqual([address]);
  });
});

const LIFETIMES = [
  ['ttl_IdToken', 1],
  ['ttl_AccessToken', 1],
  ['ttl_AuthorizationCode', 1],
  ['ttl_RefreshToken', 0],
] as const;

test('a lifetime of 0, but for refresh tokens, which there are none of then', async () => {
  for (const [lifetime, least] of LIFETIMES) {
    const oidcConfiguration = { clients: { ...clients, [lifetime]: 0 } };
    if (least === 1) {
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${lifetime}`, 'A whole number, at least 1');
    } else expect((await send('POST', '', { ...app, oidcConfiguration })).status).toBe(200);
  }
});

describe('a number', () => {
  test.each([
    [-1, 'A whole number, at least 0'],
    [0.5, 'A whole number, at least 0'],
    [315_360_001, 'At most ten years'],
    [1e308, expect.any(String)],
    ['60', 'A whole number, at least 0'],
    ['', 'A whole number, at least 0'],
    [null, 'A whole number, at least 0'],
    [true, 'A whole number, at least 0'],
    [[60], 'A whole number, at least 0'],
  ])('%j', async (number, message) => {
    for (const [lifetime, least] of LIFETIMES) {
      const oidcConfiguration = { clients: { ...clients, [lifetime]: number } };
      const told = String(message).replace('at least 0', `at least ${least}`);
      const expected = typeof message === 'string' ? told : message;
      await expectRefused({ oidcConfiguration }, `oidcConfiguration.clients.${lifetime}`, expected);
    }
    const refused = await send('PUT', '/payroll', { maxCookieLife: number, didEnabled: false });
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: expect.arrayContaining([{ path: 'maxCookieLife', message }]) },
    });
    expect(await everything()).toEqual(before);
  });
});

test('an OIDC application without addresses, or of an unknown type', async () => {
  expect(await send('POST', '', { orgCode, name: 'CRM' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'oidcConfiguration', message: 'This field is required' }] },
  });
  expect(await send('POST', '', { ...app, integrationType: 'kerberos' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'integrationType' }] },
  });
  expect(await everything()).toEqual(before);
});

test('a name with everything that is allowed, of 100 characters, is one', async () => {
  const name = `Az09 /_+=.@!-${'x'.repeat(87)}`;
  const { result } = (
    await portal.call(validateAppName, { params: { orgCode }, body: { appName: name, orgId: orgCode } }, admin)
  ).body;
  expect(result.available).toBe(true);
  const { body } = await portal.call(createApp, { params: { orgCode }, body: { ...app, name: ` ${name} ` } }, admin);
  expect(body.app).toMatchObject({ name, appId: result.proposedAppId });
});

test.each([
  ['the id', { appId: 'sales-crm' }, 'appId'],
  ['the id in another case', { appId: 'Payroll' }, 'appId'],
])('%s of a body that is not that of the address is refused', async (_what, change, path) => {
  const refused = await send('PUT', '/payroll', { description: 'Half of it', ...change });
  const issues = [{ path, message: 'The address of this request names another one' }];
  expect(refused).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues } });
  expect(await everything()).toEqual(before);
  expect((await send('PUT', '/payroll', { appId: 'payroll' })).status).toBe(200);
});
