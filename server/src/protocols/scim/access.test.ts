import { request } from 'node:http';
import { scimCredentialsRepo } from '@orchestrate/db';
import { createScimToken, listScimTokens, renewScimCredentials, revokeScimToken } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './attributes.ts';
import { isObject, type Json } from './json.ts';
import { type Directory, directoryOf, userWith } from './testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('SCIM credentials', () => {
  // covers: scim 37, scim 39
  test.each([
    '',
    'Basic',
    'Basic !!!',
    'Bearer',
    'Bearer scim-acme',
    `Bearer ${'x'.repeat(43)}`,
    basic('scim-acme'),
    basic('scim-acme:'),
    basic('scim-acme:wrong'),
    basic(':'),
    basic(`scim-acme:${'x'.repeat(43)}`),
  ])('are rejected if they are %j', async (authorization) => {
    const stranger = directoryOf(portal, 'acme', authorization);
    for (const reply of [
      await stranger.get('/Users'),
      await stranger.get('/ServiceProviderConfig'),
      await stranger.send('POST', '/Users', userWith({ userName: 'new@acme.test' })),
      await stranger.get('/nowhere'),
    ]) {
      expect(reply).toMatchObject({ status: 401, body: { schemas: [ERROR], status: '401' } });
      const isBearer = authorization.startsWith('Bearer ');
      expect(reply.headers['www-authenticate']).toBe(
        `Bearer realm="SCIM"${isBearer ? ', error="invalid_token"' : ''}, Basic realm="SCIM", charset="UTF-8"`,
      );
    }
  });

  // covers: scim 37, scim 91
  test('don’t work for another organisation or for an unknown organisation', async () => {
    const { token } = await portal.signIn('admin@globex.test');
    expect((await directoryOf(portal, 'globex').get('/Users')).status).toBe(401);
    const { body } = await portal.call(renewScimCredentials, { body: {} }, { token });
    const globex = basic(`${body.username}:${body.password}`);
    expect((await directoryOf(portal, 'globex', globex).get('/Users')).status).toBe(200);
    for (const orgCode of ['acme', 'nowhere', '__proto__']) {
      expect((await directoryOf(portal, orgCode, globex).get('/Users')).status).toBe(401);
    }
  });

  test('stop working as soon as they are replaced', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    expect((await directory.get('/Users?count=1')).status).toBe(200);
    await portal.call(renewScimCredentials, { body: {} }, { token });
    expect((await directory.get('/Users?count=1')).status).toBe(401);
    expect((await directoryOf(portal).get('/Users?count=1')).status).toBe(200);
  });

  // covers: scim 18, scim 91
  test('hide the data of other organisations', async () => {
    const { suid } = memberByEmail(portal, 'globex', 'admin@globex.test');
    const elsewhere = await directory.patch('/Groups/AUDITOR', [
      { op: 'add', path: 'members', value: [{ value: suid }] },
    ]);
    expect(elsewhere).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    const manager = userWith({ userName: 'new@acme.test', [ENTERPRISE_SCHEMA]: { manager: { value: suid } } });
    const unmanaged = await directory.send('POST', '/Users', manager);
    expect(unmanaged.body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: 'new@acme.test' });
    // A user of another organisation has this address. In acme, the address is free as long as its domain is allowed.
    setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
    expect((await directory.send('POST', '/Users', userWith({ userName: 'admin@globex.test' }))).status).toBe(201);
  });
});

describe('a bearer token', () => {
  let token: string;
  beforeEach(async () => {
    ({ token } = await portal.signIn('super.admin@acme.test'));
  });
  const make = async (name: string) => (await portal.call(createScimToken, { body: { name } }, { token })).body;
  const listed = async () => (await portal.call(listScimTokens, {}, { token })).body.tokens;
  const by = (secret: string, orgCode = 'acme') => directoryOf(portal, orgCode, `Bearer ${secret}`);

  // covers: scim 40
  test('works at every endpoint, but only for its own organisation', async () => {
    const { secret } = await make('Entra ID');
    const made = await by(secret).send('POST', '/Users', userWith({ userName: 'new@acme.test' }));
    expect(made.status).toBe(201);
    for (const path of ['/Users?count=1', `/Users/${made.id}`, '/Groups', '/ServiceProviderConfig', '/Schemas']) {
      expect(await by(secret).get(path)).toMatchObject({ status: 200 });
    }
    expect((await directoryOf(portal, 'acme', `bearer  ${secret}`).get('/Users?count=1')).status).toBe(200);
    for (const orgCode of ['globex', 'nowhere']) {
      expect((await by(secret, orgCode).get('/Users')).status).toBe(401);
    }
    expect((await directoryOf(portal, 'acme', basic(`scim-acme:${secret}`)).get('/Users')).status).toBe(401);
  });

  // covers: spec 2.3.8, scim 40
  test('can be rotated without downtime because two stay valid until one is revoked', async () => {
    const old = await make('Entra ID');
    const next = await make('Entra ID, next');
    for (const { secret } of [old, next]) expect((await by(secret).get('/Users?count=1')).status).toBe(200);
    await portal.call(revokeScimToken, { params: { tokenId: old.token.tokenId } }, { token });
    const refused = await by(old.secret).get('/Users?count=1');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('Bearer realm="SCIM", error="invalid_token"');
    expect((await by(next.secret).get('/Users?count=1')).status).toBe(200);
    expect((await directory.get('/Users?count=1')).status).toBe(200);
  });

  test('is shown once, and after that only its name, creator and last use', async () => {
    const { secret, token: made } = await make('Entra ID');
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(made).toMatchObject({ name: 'Entra ID', madeBy: 'Avery Lindqvist', lastUsedAt: null, limitedBy: 'nothing' });
    expect(await listed()).toEqual([made]);
    await by(secret).get('/Users?count=1');
    const used = await listed();
    expect(used).toEqual([{ ...made, lastUsedAt: expect.any(String) }]);
    expect(JSON.stringify(used)).not.toContain(secret);
    const stored = JSON.stringify(portal.deps.db.$client.prepare('SELECT * FROM scim_tokens').all());
    expect(stored).not.toContain(secret);
  });

  // covers: scim 40
  test('has a limited lifetime', async () => {
    const { secret, token: made } = await make('Entra ID');
    expect(made.expiresAt).toBe('2027-03-02T09:30:00.000Z');
    portal.clock.advance(365 * 86_400 - 1);
    expect((await by(secret).get('/Users?count=1')).status).toBe(200);
    portal.clock.advance(1);
    expect((await by(secret).get('/Users?count=1')).status).toBe(401);
  });

  // covers: security T10
  test('has no more permissions than its creator', async () => {
    const maker = await portal.signIn('security.admin@acme.test');
    const { body } = await portal.call(createScimToken, { body: { name: 'Ours' } }, { token: maker.token });
    const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
    const add = [{ op: 'add', path: 'members', value: [{ value: suid }] }];
    expect((await by(body.secret).patch('/Groups/SUPER_ADMIN', add)).status).toBe(403);
  });

  test('can be created only by users who can manage provisioning, at most five per organisation', async () => {
    for (let nth = 0; nth < 5; nth += 1) await make(`Directory ${nth}`);
    expect(await make('One too many')).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'name' }] });
    const { token: user } = await portal.signIn('user@acme.test');
    expect((await portal.call(createScimToken, { body: { name: 'Mine' } }, { token: user })).status).toBe(403);
    const { token: other } = await portal.signIn('admin@globex.test');
    const [{ tokenId = '' } = {}] = await listed();
    const elsewhere = await portal.call(revokeScimToken, { params: { tokenId } }, { token: other });
    expect(elsewhere.body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
    expect(await listed()).toHaveLength(5);
  });
});

describe('discovery (RFC 7644 §4)', () => {
  // covers: scim 30, scim 83
  test('describes the supported features in ServiceProviderConfig', async () => {
    const { status, body } = await directory.get('/ServiceProviderConfig');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1_000, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 500 },
      sort: { supported: true },
      etag: { supported: true },
      changePassword: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }, { type: 'httpbasic', primary: true }],
    });
  });

  // covers: scim 31, scim 88
  test('lists two resource types', async () => {
    const { body, found } = await directory.get('/ResourceTypes');
    expect(body).toMatchObject({ totalResults: 2, itemsPerPage: 2, startIndex: 1 });
    expect(found.map(({ endpoint, schema }) => [endpoint, schema])).toEqual([
      ['/Users', USER_SCHEMA],
      ['/Groups', GROUP_SCHEMA],
    ]);
    expect((await directory.get('/ResourceTypes/User')).body).toEqual(found[0]);
    expect((await directory.get('/ResourceTypes/Printer')).status).toBe(404);
    expect((await directory.get('/ResourceTypes?filter=id%20pr')).status).toBe(403);
  });

  // covers: scim 2, scim 3, scim 32
  test('describes every attribute that occurs in responses', async () => {
    const { found } = await directory.get('/Schemas');
    expect(found.map(({ id }) => id)).toEqual([USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_SCHEMA]);
    expect((await directory.get(`/Schemas/${USER_SCHEMA}`)).body).toEqual(found[0]);
    const namesOf = (attributes: Json | undefined) =>
      (Array.isArray(attributes) ? attributes.filter(isObject) : []).map(({ name }) => name);
    const [user] = (await directory.filter('Users', 'userName eq "user@acme.test"')).found;
    const own = Object.keys(user ?? {}).filter((name) => !['schemas', 'id', 'meta', ENTERPRISE_SCHEMA].includes(name));
    expect(namesOf(found[0]?.attributes)).toEqual(expect.arrayContaining(own));
    for (const schema of found) {
      for (const attribute of Array.isArray(schema.attributes) ? schema.attributes : []) {
        expect(attribute).toMatchObject({
          name: expect.any(String),
          type: expect.any(String),
          multiValued: expect.any(Boolean),
          mutability: expect.any(String),
          returned: expect.any(String),
        });
      }
    }
  });
});

describe('unsupported requests', () => {
  // covers: scim 85, scim 86
  test.each([
    ['GET', '/nowhere', 404],
    ['GET', '/', 404],
    ['GET', '', 404],
    ['GET', '/Users/a/b', 404],
    ['PUT', '/Users', 405],
    ['POST', '/Schemas', 405],
    ['DELETE', '/Bulk', 405],
    ['GET', '/Me', 501],
    ['GET', '/Users?attributes=id&excludedAttributes=name', 400],
    ['GET', '/Users/%2e%2e%2fGroups', 404],
    ['GET', '/Users/%zz', 400],
    ['PATCH', '/Groups/%', 400],
  ])('include %s %s, which returns %i', async (method, path, status) => {
    expect(await directory.send(method, path)).toMatchObject({ status, body: { status: String(status) } });
  });

  // covers: scim 86
  test.each(['', '{', '[]', '"text"', 'null', '7'])('create no user from the body %j', async (body) => {
    expect(await directory.send('POST', '/Users', body)).toMatchObject({
      status: 400,
      body: { schemas: [ERROR], scimType: 'invalidSyntax' },
    });
  });

  // covers: scim 42
  test('get a SCIM error if the body is huge or of another type', async () => {
    const typed = await directory.send('POST', '/Users', '{}', { 'content-type': 'text/plain' });
    expect(typed).toMatchObject({ status: 415, body: { schemas: [ERROR], status: '415' } });
    const plain = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }), {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(plain.status).toBe(201);
    expect(await announcedLength(2_000_000)).toBe(413);
  });

  /**
   * Sends headers that announce a body of this length, but no body, because the server rejects the request without
   * reading it. Returns the response status.
   */
  function announcedLength(length: number): Promise<number | undefined> {
    const credentials = { 'content-type': 'application/scim+json', 'content-length': length };
    const { deps, url } = portal;
    const { username, password } = scimCredentialsRepo.findScimCredentials(deps.db, 'acme') ?? {};
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/scim/v2/acme/Users`, {
        method: 'POST',
        headers: { ...credentials, authorization: basic(`${username}:${password}`) },
      });
      sent.on('response', ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
  }
});
