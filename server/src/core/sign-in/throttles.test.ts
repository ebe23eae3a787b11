import { scimCredentialsRepo } from '@orchestrate/db';
import { createRegistrationToken, createScimToken, DAY, login, SECOND } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { durationInWords } from '#platform/times.ts';
import { secretOf } from '#protocols/oidc/relying-party-testing.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { outcomeOfCall } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const passwordOf = ({ deps }: TestPortal) => scimCredentialsRepo.findScimCredentials(deps.db, 'acme')?.password ?? '';

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

test('throttles wrong directory passwords after twenty attempts, per network', async () => {
  const ask = (remoteAddress: string) =>
    portal.app.inject({
      method: 'GET',
      url: '/scim/v2/acme/Users',
      remoteAddress,
      headers: { authorization: basic('directory', 'guessed') },
    });
  for (let tries = 0; tries < 20; tries += 1) expect((await ask('203.0.113.9')).statusCode).toBe(401);
  const refused = await ask('203.0.113.9');
  expect({ status: refused.statusCode, after: refused.headers['retry-after'] }).toEqual({ status: 429, after: '60' });
  expect((await ask('203.0.113.10')).statusCode).toBe(401);
  portal.clock.advance(60);
  expect((await ask('203.0.113.9')).statusCode).toBe(401);
});

test('ignores failures dated in the future after the clock was set back, and counts new failures', async () => {
  const ask = async () =>
    (
      await portal.app.inject({
        method: 'GET',
        url: '/scim/v2/acme/Users',
        headers: { authorization: basic('directory', 'guessed') },
      })
    ).statusCode;
  const setting = portal.clock.setting();
  portal.clock.advance((31 * DAY) / SECOND);
  expect(await ask()).toBe(401);
  portal.clock.set(setting);
  for (let tries = 0; tries < 20; tries += 1) expect(await ask()).toBe(401);
  expect(await ask()).toBe(429);
});

// covers: security T4, security 6.3.1
test('accepts the correct SCIM password and token after any number of wrong attempts', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const made = (await portal.call(createScimToken, { body: { name: 'Directory' } }, { token })).body;
  const ask = (authorization: string) => directoryOf(portal, 'acme', authorization).get('/Users?count=1');
  for (let tries = 0; tries < 25; tries += 1) {
    const { status } = await ask(tries % 2 === 0 ? 'Bearer guessed' : basic('scim-acme', 'guessed'));
    expect(status).toBe(tries < 20 ? 401 : 429);
  }
  const right = [`Bearer ${made.secret}`, basic('scim-acme', passwordOf(portal))];
  for (const authorization of right) expect((await ask(authorization)).status).toBe(200);
  expect((await ask('Bearer guessed')).status).toBe(429);
});

test('accepts the correct registration token after wrong attempts from the same network', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { secret } = (await portal.call(createRegistrationToken, { body: { name: 'CI' } }, { token })).body;
  const register = (bearer: string) =>
    portal.http
      .post('/oidc/acme/reg')
      .auth(bearer, { type: 'bearer' })
      .send({ client_name: 'Made', redirect_uris: ['http://localhost:8080/back'] });
  for (let tries = 0; tries < 25; tries += 1) expect((await register('guessed')).status).toBe(401);
  expect((await register(secret)).status).toBe(201);
});

test.each([
  ['in the header', (appId: string) => ({ header: basic(appId, 'guessed'), body: {} })],
  ['in the body', (appId: string) => ({ body: { client_id: appId, client_secret: 'guessed' } })],
  ['in an assertion', (appId: string) => ({ body: assertionOf(appId) })],
])('throttles wrong client secrets %s per application and network', async (_where, as) => {
  const ask = async (appId: string, path = '/token') => {
    const { header, body } = { header: '', ...as(appId) };
    const form = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: 'http://localhost/x',
      token: 'x',
      ...body,
    };
    return portal.http
      .post(`/oidc/acme${path}`)
      .set(header ? { authorization: header } : {})
      .type('form')
      .send(form);
  };
  for (let tries = 0; tries < 20; tries += 1) {
    const path = ['/token', '/request', '/token/introspection', '/token/revocation'][tries % 4];
    expect((await ask('payroll', path)).status).toBe(401);
  }
  const refused = await ask('payroll');
  expect({ status: refused.status, after: refused.headers['retry-after'] }).toEqual({ status: 429, after: '60' });
  expect(refused.body).toMatchObject({ error: 'temporarily_unavailable' });
  expect((await ask('team-wiki')).status).toBe(401);
  // The application itself can still authenticate from the same network.
  const form = { token: 'x', client_id: 'payroll', client_secret: secretOf(portal, 'payroll') };
  for (const path of ['token/introspection', 'token/revocation', 'request']) {
    const { status } = await portal.http.post(`/oidc/acme/${path}`).type('form').send(form);
    expect([401, 429], path).not.toContain(status);
  }
  expect((await ask('payroll')).status).toBe(429);
});

test('also throttles the correct client secret if a person chose it', async () => {
  const secrets = [{ secret: 'PC load letter' }];
  const applications = [
    { id: 'printer', name: 'Printer', type: 'oidc' as const, oidc: { kind: 'web' as const, secrets } },
  ];
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', applications }] } });
  const ask = (secret: string) =>
    portal.http
      .post('/oidc/initech/token/introspection')
      .type('form')
      .send({ token: 'x', client_id: 'printer', client_secret: secret });
  expect((await ask('PC load letter')).status).toBe(200);
  for (let tries = 0; tries < 20; tries += 1) expect((await ask('guessed')).status).toBe(401);
  expect((await ask('PC load letter')).status).toBe(429);
  portal.clock.advance(60);
  expect((await ask('PC load letter')).status).toBe(200);
});

/** Builds a client assertion with an invalid signature. */
function assertionOf(appId: string) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: appId, sub: appId, aud: `${portal.url}/oidc/acme`, jti: String(Math.random()), exp: now + 60 };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${[{ alg: 'ES256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.eA`,
  };
}

test('throttles unknown codes typed on a device, but not scanned codes', async () => {
  const phone = portal.device('user@acme.test');
  const type = (code: string) => outcomeOfCall(portal.authenticator.resolve(phone, code));
  for (let tries = 0; tries < 20; tries += 1) expect(await type('ABCD2345')).toBe('EXPIRED');
  expect(await type('ABCD2345')).toBe('BAD_REQUEST');
  const { qid = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
  expect(await type(qid)).toBe('SUCCESS');
});

test('formats waiting times in seconds, minutes or hours', () => {
  const seconds = [0, 1, 30, 60, 90, 180, 8 * 3_600];
  expect(seconds.map(durationInWords)).toEqual([
    '0 seconds',
    '1 second',
    '30 seconds',
    '1 minute',
    '90 seconds',
    '3 minutes',
    '8 hours',
  ]);
});
