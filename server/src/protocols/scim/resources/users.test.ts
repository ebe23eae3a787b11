import { memberRepo } from '@orchestrate/db';
import { createWebhook, getProfile, searchUsers } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TOPIC } from '#platform/live/bus.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import type { JsonObject } from '../json.ts';
import { type Directory, directoryOf, groupWith, PATCH_OP, userWith } from '../testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const uniqueness = { status: '409', scimType: 'uniqueness' };
const BABS = {
  userName: 'bjensen',
  externalId: 'bjensen',
  name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
};

describe('POST (RFC 7644 §3.3)', () => {
  // covers: scim 7, scim 15, scim 20, scim 38, scim 42, scim 43
  test('creates the RFC’s example user with an ID, a location and a version', async () => {
    const made = await directory.send('POST', '/Users', { schemas: [USER_SCHEMA], ...BABS });
    expect(made.status).toBe(201);
    expect(made.headers['content-type']).toBe('application/scim+json; charset=utf-8');
    const location = `${portal.url}/scim/v2/acme/Users/${made.id}`;
    expect(made.headers.location).toBe(location);
    expect(made.headers.etag).toMatch(/^W\/"[\w-]+"$/);
    expect(made.body).toEqual({
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      id: expect.stringMatching(/^[\w-]{22}$/),
      externalId: 'bjensen',
      userName: 'bjensen',
      name: { formatted: 'Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' },
      displayName: 'Barbara Jensen',
      active: true,
      roles: [{ value: 'USER', display: 'Org User', primary: true }],
      groups: [{ value: 'USER', $ref: `${portal.url}/scim/v2/acme/Groups/USER`, display: 'Org User', type: 'direct' }],
      [ENTERPRISE_SCHEMA]: { employeeNumber: 'bjensen' },
      meta: {
        resourceType: 'User',
        created: '2026-03-02T09:30:00.000Z',
        lastModified: '2026-03-02T09:30:00.000Z',
        location,
        version: made.headers.etag,
      },
    });
    expect((await directory.get(`/Users/${made.id}`)).body).toEqual(made.body);
  });

  test('lists a new user in Manage Users immediately, as not registered', async () => {
    await directory.send(
      'POST',
      '/Users',
      userWith({
        userName: 'Babs.Jensen@acme.test',
        name: { givenName: 'Babs', familyName: 'Jensen' },
        emails: [
          { value: 'babs@home.test', type: 'home' },
          { value: 'babs.jensen@acme.test', type: 'work', primary: true },
        ],
        phoneNumbers: [{ value: 'tel:+46 70 123 45 67', type: 'mobile' }],
        [ENTERPRISE_SCHEMA]: { employeeNumber: '701984', manager: { value: suidOf('user@acme.test') } },
      }),
    );
    const { token } = await portal.signIn('super.admin@acme.test');
    const { body } = await portal.call(searchUsers, { query: { q: 'babs', field: 'primaryEmail' } }, { token });
    expect(body.Items).toMatchObject([
      {
        primaryEmail: 'babs.jensen@acme.test',
        primaryAttr: '701984',
        accountStatus: 'unregistered',
        firstName: 'Babs',
        role: 'USER',
      },
    ]);
    expect(memberByEmail(portal, 'acme', 'babs.jensen@acme.test')).toMatchObject({
      mobileNumber: '+46701234567',
      managerSuid: suidOf('user@acme.test'),
    });
    // Anyone with a direct report becomes a manager.
    expect(memberByEmail(portal, 'acme', 'user@acme.test').isManager).toBe(true);
  });

  // covers: scim 23, scim 45
  test('refuses a user name, email address or number that is already taken', async () => {
    await directory.send('POST', '/Users', userWith({ ...BABS }));
    for (const body of [
      { userName: 'BJensen', emails: [{ value: 'other@acme.test' }] },
      { userName: 'user@acme.test' },
      { userName: 'other', emails: [{ value: 'USER@acme.test' }] },
      { userName: 'other', [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-10006' } },
    ]) {
      expect(await directory.send('POST', '/Users', userWith(body))).toMatchObject({ status: 409, body: uniqueness });
    }
  });

  // covers: scim 16
  test('creates a new member with the email address of a deleted member', async () => {
    const made = await directory.send('POST', '/Users', userWith({ userName: 'margot.ito@acme.test' }));
    expect(made.status).toBe(201);
    expect(made.body.externalId).toBeUndefined();
  });

  // covers: scim 5, scim 23, scim 26, scim 34, scim 64, scim 66, scim 71, scim 73, scim 76
  test.each([
    [{}, 'invalidValue'],
    [{ userName: ' ' }, 'invalidValue'],
    [{ userName: 'x'.repeat(300) }, 'invalidValue'],
    [{ userName: 'new', emails: [{ value: 'nowhere' }] }, 'invalidValue'],
    [{ userName: 'new', roles: [{ value: 'EMPEROR' }] }, 'invalidValue'],
    [{ userName: 'new', active: 'perhaps' }, 'invalidValue'],
  ])('refuses %j with %s', async (input, scimType) => {
    const { status, body } = await directory.send('POST', '/Users', userWith(input));
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: '400', scimType, detail: expect.any(String) });
  });

  // covers: scim 29
  test('creates the user without a manager if the manager is unknown, deleted or the user themself', async () => {
    const gone = memberRepo.findMemberByPrimaryAttr(portal.deps.db, 'acme', 'E-10772')?.suid ?? '';
    const boss = suidOf('manager@acme.test');
    const withManager = (value: string) =>
      userWith({ userName: 'new', [ENTERPRISE_SCHEMA]: { employeeNumber: '1', manager: { value } } });
    const made = await directory.send('POST', '/Users', withManager('nobody'));
    expect(made).toMatchObject({ status: 201, body: { [ENTERPRISE_SCHEMA]: { employeeNumber: '1' } } });
    const path = `/Users/${made.id}`;
    for (const value of ['nobody', gone, made.id]) {
      const set = await directory.send('PUT', path, withManager(boss));
      expect(set.body).toMatchObject({ [ENTERPRISE_SCHEMA]: { manager: { value: boss } } });
      const replaced = await directory.send('PUT', path, withManager(value));
      expect(replaced.status).toBe(200);
      expect(replaced.body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: '1' });
      await directory.send('PUT', path, withManager(boss));
      const patched = await directory.patch(path, [
        { op: 'replace', path: 'name.givenName', value: 'Ann' },
        { op: 'replace', path: `${ENTERPRISE_SCHEMA}:manager`, value: { value } },
      ]);
      expect(patched).toMatchObject({ status: 200, body: { name: { givenName: 'Ann' } } });
      expect(patched.body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: '1' });
    }
  });

  // covers: scim 14
  test('refuses a body without the user schema', async () => {
    const { body } = await directory.send('POST', '/Users', { userName: 'new' });
    expect(body).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
  });
});

describe('GET', () => {
  // covers: scim 47, scim 58
  test('returns only the requested attributes of a user', async () => {
    const id = suidOf('user@acme.test');
    const attributesFor = async (query: string) => (await directory.get(`/Users/${id}?${query}`)).body;
    expect(await attributesFor('attributes=userName,name.familyName')).toEqual({
      schemas: expect.any(Array),
      id,
      userName: 'user@acme.test',
      name: { familyName: 'Ortiz' },
    });
    const rest = await attributesFor(
      `excludedAttributes=roles,groups,meta,name.formatted,${ENTERPRISE_SCHEMA}:manager`,
    );
    expect(Object.keys(rest)).toEqual([
      'schemas',
      'id',
      'userName',
      'name',
      'displayName',
      'active',
      'emails',
      ENTERPRISE_SCHEMA,
    ]);
    expect(rest[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: 'E-10006' });
    expect(rest.name).toEqual({ familyName: 'Ortiz', givenName: 'Daniel' });
  });

  // covers: scim 47
  test('returns 404 for deleted users, users of another organisation and unknown IDs', async () => {
    const deleted = memberRepo.findMemberByPrimaryAttr(portal.deps.db, 'acme', 'E-10772');
    for (const id of [deleted?.suid, memberByEmail(portal, 'globex', 'admin@globex.test').suid, 'nobody']) {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await directory.send(method, `/Users/${id}`);
        expect({ status, body }).toMatchObject({ status: 404, body: { status: '404' } });
      }
    }
  });

  // covers: scim 22, scim 87
  test('returns 304 for the current version (If-None-Match) and the resource for a changed version', async () => {
    const path = `/Users/${suidOf('user@acme.test')}`;
    const first = await directory.get(path);
    const version = first.headers.etag ?? '';
    expect(first.body.meta).toMatchObject({ version });
    const again = await directory.get(path, { 'if-none-match': version });
    expect(again).toMatchObject({ status: 304, body: {} });
    await directory.patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Dan' }]);
    expect((await directory.get(path, { 'if-none-match': version })).status).toBe(200);
  });
});

describe('a query (RFC 7644 §3.4.2)', () => {
  const names = (found: JsonObject[]) => found.map(({ userName }) => userName);

  // covers: scim 49, scim 57
  test('pages without gaps and returns only the total for a count of 0', async () => {
    const none = await directory.get('/Users?count=0');
    const total = Number(none.body.totalResults);
    expect(none.body).toMatchObject({ itemsPerPage: 0, startIndex: 1, Resources: [] });
    const ids: unknown[] = [];
    for (let startIndex = 1; startIndex <= total; startIndex += 300) {
      const page = await directory.get(`/Users?startIndex=${startIndex}&count=300`);
      expect(page.body).toMatchObject({ totalResults: total, startIndex });
      ids.push(...page.found.map(({ id }) => id));
    }
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
    const odd = await directory.get('/Users?startIndex=-4&count=-1');
    expect(odd.body).toMatchObject({ totalResults: total, startIndex: 1, itemsPerPage: 0 });
    // Clients may send the maximum 32-bit integer.
    const all = await directory.get('/Users?startIndex=2147483647&count=2147483647');
    expect(all.body).toMatchObject({ totalResults: total, itemsPerPage: 0 });
    expect((await directory.get('/Users?count=many')).body).toMatchObject({ scimType: 'invalidValue' });
  });

  // covers: scim 4, scim 52
  test.each([
    ['userName eq "USER@acme.test"', 1],
    ['userName Eq "user@acme.test" and active eq true', 1],
    ['userName eq "user@acme.test" and active eq "False"', 0],
    ['emails.value eq "user@acme.test"', 1],
    ['emails[type eq "work" and value co "user@acme"]', 1],
    // Microsoft Entra ID sends this filter when it matches users by email address.
    ['emails[type eq "work"].value eq "user@acme.test"', 1],
    ['emails[type eq "home"].value eq "user@acme.test"', 0],
    ['not (emails[type eq "work"].value pr) or emails[type eq "work"].value eq "user@acme.test"', 1],
    ['emails[type eq "home"]', 0],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.familyName sw "ORT"', 1],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "E-10006"', 1],
    ['name.givenName eq "Daniel" and not (name.familyName ne "Ortiz")', 1],
    ['(userName eq "user@acme.test" or userName eq "manager@acme.test") and name.familyName pr', 2],
    ['userName co "super.adm"', 1],
    ['userName ew "super.admin@acme.test"', 1],
    ['name.givenName co "Zoë" and name.familyName co "Lef"', 1],
    ['roles.value eq "SUPER_ADMIN"', 1],
    ['groups.display eq "Super Admin"', 1],
    ['externalId pr', 0],
    ['title pr', 0],
    ['title ne "Boss" and userName eq "user@acme.test"', 1],
    ['meta.resourceType eq "User" and userName eq "user@acme.test"', 1],
    ['meta.created gt "2050-01-01T00:00:00Z"', 0],
    ['meta.lastModified lt "2050-01-01T00:00:00Z" and userName eq "user@acme.test"', 1],
    // Example from RFC 7644 §3.4.2.2.
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User" and userName eq "user@acme.test"', 1],
    ['schemas eq "URN:ietf:params:scim:schemas:core:2.0:User" and userName eq "user@acme.test"', 1],
    ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:Group"', 0],
    ['schemas ne "urn:ietf:params:scim:schemas:core:2.0:User"', 0],
    ['schemas ne "urn:x" and schemas pr and schemas co "enterprise" and userName eq "user@acme.test"', 1],
    ['schemas eq null', 0],
    ['schemas[value sw "urn:ietf"] and userName eq "user@acme.test"', 1],
    ['id eq "nobody"', 0],
    ['userName eq "admin@globex.test"', 0],
    ['userName co "globex.test"', 0],
    ['userName eq "margot.ito@acme.test"', 0],
    ['userName co "margot.ito"', 0],
    ['userName eq "100%_\\"\'; DROP TABLE members"', 0],
  ])('with %s finds %i users', async (filter, count) => {
    const { status, body, found } = await directory.filter('Users', filter);
    expect({ status, totalResults: body.totalResults, found: found.length }).toEqual({
      status: 200,
      totalResults: count,
      found: count,
    });
  });

  // covers: scim 52
  test.each([
    ['addresses.locality eq "rome"', 1],
    ['addresses[type eq "home" and locality eq "Rome"]', 0],
    ['addresses[type eq "home" and not (locality eq "Rome")]', 1],
    ['addresses pr', 1],
    ['addresses.country ne "FR" and userName eq "bjensen"', 0],
    ['ims.value co "bab"', 1],
    ['entitlements eq "parking"', 1],
    ['photos[type eq "photo"].value sw "https://people"', 1],
    ['x509Certificates pr', 0],
    ['phoneNumbers[type eq "work"]', 1],
    ['phoneNumbers[type eq "work" and primary eq true]', 0],
    ['phoneNumbers[type eq "mobile" and primary eq true]', 1],
    ['phoneNumbers[not (type eq "work")] and userName eq "bjensen"', 1],
    ['phoneNumbers.value eq "555-555-0000"', 1],
    ['phoneNumbers.value ne "555-555-0000" and userName eq "bjensen"', 0],
    ['phoneNumbers.display eq "Desk"', 1],
    ['emails[type eq "home"]', 1],
    ['emails[type eq "home" and value eq "babs@home.test"]', 1],
    ['emails[type eq "work" and value eq "babs@home.test"]', 0],
    ['emails.type eq "home"', 1],
    ['emails eq "BABS@home.test"', 1],
    ['emails.value eq "babs@home.test"', 1],
    ['emails co "home.test"', 1],
    ['emails.value co "home.test"', 1],
    ['emails sw "babs@h"', 1],
    ['emails ew "home.test"', 1],
    ['emails eq "babs@acme.test"', 1],
    ['emails co "babs@"', 1],
    ['emails ne "babs@home.test" and userName eq "bjensen"', 0],
    ['emails.value co "home" and not (title pr or addresses.locality eq "Oslo")', 1],
    ['emails.type ew "me"', 1],
    ['emails[type sw "wo" and value sw "babs"]', 1],
  ])('with %s, without a column, finds %i users', async (filter, count) => {
    const lists = {
      addresses: [
        { locality: 'Rome', type: 'work' },
        { locality: 'Lyon', country: 'FR', type: 'home' },
      ],
      ims: [{ value: 'babs' }],
      entitlements: [{ value: 'parking' }],
      photos: [{ value: 'https://people.test/babs.png', type: 'photo' }],
      phoneNumbers: [
        { value: '+46701234567', type: 'mobile', primary: true },
        { value: '555-555-0000', type: 'work', display: 'Desk' },
      ],
      emails: [
        { value: 'babs@acme.test', type: 'work', primary: true },
        { value: 'babs@home.test', type: 'home' },
      ],
    };
    expect((await directory.send('POST', '/Users', userWith({ ...BABS, ...lists }))).status).toBe(201);
    const { status, body } = await directory.filter('Users', filter);
    expect({ status, totalResults: body.totalResults }).toEqual({ status: 200, totalResults: count });
  });

  // covers: scim 52
  test.each([
    ['groups.$ref eq "{base}/Groups/SUPER_ADMIN"', 'roles.value eq "SUPER_ADMIN"'],
    ['groups.$ref ew "/Groups/SUPER_ADMIN"', 'roles.value eq "SUPER_ADMIN"'],
    ['groups[$ref sw "{base}/Groups/SUPER" and type eq "direct"]', 'roles.value eq "SUPER_ADMIN"'],
    ['groups.$ref pr', 'userName pr'],
    ['not (groups.$ref eq "{base}/Groups/USER")', 'roles.value ne "USER"'],
    ['manager.$ref eq "{base}/Users/{manager}"', 'manager.value eq "{manager}"'],
    ['{enterprise}:manager.$ref co "{manager}"', 'manager.value eq "{manager}"'],
    ['manager.$ref pr', 'manager pr'],
    ['manager.$ref eq "https://elsewhere.test/Users/{manager}"', 'id eq "nobody"'],
    ['meta.location eq "{base}/Users/{manager}"', 'id eq "{manager}"'],
    ['meta.resourceType sw "Us"', 'userName pr'],
    // Defined by RFC 7643 §4.3, but never set by the portal.
    ['manager.displayName eq "Daniel Ortiz"', 'id eq "nobody"'],
    ['manager.displayName ne "Daniel Ortiz"', 'userName pr'],
    ['{enterprise}:manager.displayName pr', 'id eq "nobody"'],
  ])('finds the same users by %s as by %s', async (filter, same) => {
    const names: Record<string, string> = {
      base: `${portal.url}/scim/v2/acme`,
      manager: suidOf('manager@acme.test'),
      enterprise: ENTERPRISE_SCHEMA,
    };
    const totalOf = async (text: string) => {
      const filter = text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? '');
      const { status, body } = await directory.filter('Users', filter, 'count=0');
      return { status, total: body.totalResults };
    };
    expect(await totalOf(filter)).toEqual(await totalOf(same));
    expect((await totalOf(same)).status).toBe(200);
  });

  // covers: scim 52
  test('does not find a user without an email address by any address filter', async () => {
    expect((await directory.send('POST', '/Users', userWith(BABS))).body.emails).toBeUndefined();
    const found = async (filter: string) => (await directory.filter('Users', filter)).body.totalResults;
    for (const filter of [
      'emails pr',
      'emails co "bjensen"',
      'emails sw "bjensen"',
      'emails.type eq "work"',
      'emails.primary eq true',
      'emails[type eq "work"]',
    ])
      expect(await found(`${filter} and userName eq "bjensen"`)).toBe(0);
    expect(await found('emails co "bjensen"')).toBe(0);
    expect(await found('emails eq "bjensen@acme.invalid"')).toBe(0);
    expect(await found('not (emails pr)')).toBe(1);
    expect(await found('emails eq null')).toBe(1);
  });

  // covers: scim 54
  test.each([
    'addresses eq "Rome"',
    'addresses.planet eq "Mars"',
    'phoneNumbers.planet pr',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    '(userName eq "x"',
    'userName eq "x")',
    'userName eq "x" or',
    'shoeSize eq 43',
    'name.nickname eq "x"',
    'userName eq "x',
    'active gt true',
    'emails.primary sw "t"',
    'meta.version pr',
    'active eq "perhaps"',
    'meta.created gt "yesterday"',
    `userName eq "${'x'.repeat(3_000)}"`,
    `${'('.repeat(50)}userName pr${')'.repeat(50)}`,
  ])('refuses %s with invalidFilter', async (filter) => {
    expect(await directory.filter('Users', filter)).toMatchObject({
      status: 400,
      body: { status: '400', scimType: 'invalidFilter' },
    });
  });

  // covers: scim 57
  test('pages the results of a contains filter and omits deleted users', async () => {
    const all = await directory.filter('Users', 'userName co "acme.test"', 'count=500');
    const total = Number(all.body.totalResults);
    expect(total).toBe(all.found.length);
    const page = await directory.filter('Users', 'userName co "acme.test"', 'startIndex=3&count=2');
    expect(page.body).toMatchObject({ totalResults: total, startIndex: 3, itemsPerPage: 2 });
    expect(page.found).toEqual(all.found.slice(2, 4));
    // The index is incomplete if user names aren't email addresses, but the result must still be complete.
    await directory.send('POST', '/Users', userWith({ ...BABS, emails: [{ value: 'babs@acme.test' }] }));
    expect((await directory.filter('Users', 'userName co "jense"')).found).toMatchObject([{ userName: 'bjensen' }]);
    const more = await directory.filter('Users', 'userName co "acme.test"', 'count=0');
    expect(more.body.totalResults).toBe(total);
  });

  // covers: scim 55
  test('sorts by the requested attribute', async () => {
    const filter = 'userName eq "user@acme.test" or userName sw "manager@" or userName sw "helpdesk"';
    const sorted = async (order: string) => names((await directory.filter('Users', filter, order)).found);
    expect(await sorted('sortBy=userName')).toEqual([
      'helpdesk.admin@acme.test',
      'manager@acme.test',
      'user@acme.test',
    ]);
    expect(await sorted('sortBy=name.familyName&sortOrder=descending')).toEqual([
      'user@acme.test',
      'manager@acme.test',
      'helpdesk.admin@acme.test',
    ]);
  });

  // covers: scim 55
  test.each([
    ['sortBy=shoeSize', 'invalidPath'],
    ['sortBy=name.shoeSize', 'invalidPath'],
    ['sortBy=name..', 'invalidPath'],
    ['sortBy=userName&sortOrder=sideways', 'invalidValue'],
  ])('refuses the query %s with %s (RFC 7644 §3.12, table 9)', async (query, scimType) => {
    for (const resource of ['Users', 'Groups']) {
      const refused = { status: 400, body: { status: '400', scimType } };
      const named = resource === 'Groups' ? query.replace('userName', 'displayName') : query;
      expect(await directory.get(`/${resource}?${named}`)).toMatchObject(refused);
    }
  });

  // covers: scim 59
  test('lists users and then groups page by page in a root search (RFC 7644 §3.4.3)', async () => {
    const search = (request: JsonObject) =>
      directory.send('POST', '/.search', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        attributes: ['displayName'],
        ...request,
      });
    const [users, groups] = [await directory.get('/Users?count=0'), await directory.get('/Groups?count=0')];
    const [known, roles] = [Number(users.body.totalResults), Number(groups.body.totalResults)];
    expect((await search({ count: 1 })).body).toMatchObject({ totalResults: known + roles, itemsPerPage: 1 });
    const across = await search({ startIndex: known, count: 3, sortBy: 'displayName' });
    expect(across.found.map(({ schemas }) => String(schemas).split(':').at(-1))).toEqual(['User', 'Group', 'Group']);
    const beyond = await search({ startIndex: known + roles, count: 5 });
    expect(beyond).toMatchObject({ status: 200, body: { startIndex: known + roles, itemsPerPage: 1 } });
    const named = await search({ filter: 'userName eq "user@acme.test" or displayName eq "Auditor"' });
    expect(named.found.map(({ displayName }) => displayName)).toEqual(['Daniel Ortiz', 'Auditor']);
    expect(await search({ filter: 'userName is "x"' })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
    expect((await directory.get('/.search')).status).toBe(405);
  });

  // covers: scim 59, scim 92
  test('handles a search by POST like a GET (RFC 7644 §3.4.3)', async () => {
    const { status, found } = await directory.send('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['displayName', 'userName'],
      filter: 'displayName sw "daniel o"',
      startIndex: 1,
      count: 10,
    });
    expect(status).toBe(200);
    expect(found).toEqual([
      { schemas: expect.any(Array), id: expect.any(String), userName: 'user@acme.test', displayName: 'Daniel Ortiz' },
    ]);
  });
});

describe('PUT (RFC 7644 §3.5.1)', () => {
  // covers: scim 60, scim 61
  test('removes omitted optional attributes and keeps required ones', async () => {
    const { id } = await directory.send(
      'POST',
      '/Users',
      userWith({ ...BABS, active: true, phoneNumbers: [{ value: '+46701234567' }], roles: ['AUDITOR'] }),
    );
    const { status, body } = await directory.send(
      'PUT',
      `/Users/${id}`,
      userWith({ id: 'another', userName: 'bjensen', name: { familyName: 'Smith' }, meta: { created: 'never' } }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      userName: 'bjensen',
      name: { givenName: 'Barbara', familyName: 'Smith' },
      active: true,
      roles: [{ value: 'AUDITOR' }],
    });
    expect(body.externalId).toBeUndefined();
    expect(body.phoneNumbers).toBeUndefined();
  });

  // covers: scim 87
  test('refuses an outdated version (412) and accepts the current version', async () => {
    const path = `/Users/${suidOf('user@acme.test')}`;
    const { headers } = await directory.get(path);
    const version = headers.etag ?? '';
    const rename = (givenName: string, ifMatch: string) =>
      directory.patch(path, [{ op: 'replace', path: 'name.givenName', value: givenName }], { 'if-match': ifMatch });
    expect((await rename('Dan', version)).status).toBe(200);
    expect(await rename('Danny', version)).toMatchObject({ status: 412, body: { status: '412' } });
    const gone = await directory.send('DELETE', path, undefined, { 'if-match': version });
    expect(gone.status).toBe(412);
    expect((await rename('Danny', '*')).body).toMatchObject({ name: { givenName: 'Danny' } });
    // RFC 9110 §13.1.2: write only if the resource doesn't exist.
    const unlessThere = { 'if-none-match': '*' };
    const again = [{ op: 'replace', path: 'name.givenName', value: 'Dan' }];
    expect((await directory.patch(path, again, unlessThere)).status).toBe(412);
    expect((await directory.patch('/Groups/AUDITOR', [{ op: 'remove', path: 'members' }], unlessThere)).status).toBe(
      412,
    );
    expect((await directory.send('DELETE', path, undefined, unlessThere)).status).toBe(412);
  });

  test('keeps the version if nothing changes', async () => {
    const path = `/Users/${suidOf('user@acme.test')}`;
    const before = await directory.get(path);
    portal.clock.advance(60);
    const after = await directory.patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Daniel' }]);
    expect(after.body).toEqual(before.body);
  });
});

test('keeps a mobile number marked as primary', async () => {
  const mobile = { value: '+46701234567', type: 'mobile', primary: true };
  const work = { value: '555-555-0000', type: 'work' };
  const made = await directory.send('POST', '/Users', userWith({ ...BABS, phoneNumbers: [work, mobile] }));
  const path = `/Users/${made.id}`;
  expect(made.body.phoneNumbers).toEqual([mobile, work]);
  const renamed = await directory.patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Babs' }]);
  expect(renamed.body.phoneNumbers).toEqual([mobile, work]);
  const moved = await directory.patch(path, [
    { op: 'replace', path: 'phoneNumbers[type eq "work"].primary', value: true },
  ]);
  const { primary: _, ...plain } = mobile;
  expect(moved.body.phoneNumbers).toEqual([plain, { ...work, primary: true }]);
});

describe('PATCH (RFC 7644 §3.5.2)', () => {
  let path: string;
  beforeEach(() => {
    path = `/Users/${suidOf('user@acme.test')}`;
  });

  // covers: scim 65, scim 69, security 2.3.3, security 16.5.3
  test('adds, replaces and removes attributes, or applies no operation if one of them fails', async () => {
    const { body } = await directory.patch(path, [
      { op: 'add', value: { externalId: '00u1', name: { familyName: 'Ortega' } } },
      { op: 'add', path: 'phoneNumbers', value: [{ type: 'mobile', value: '+46701234567' }] },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'Dan@acme.test' },
      { op: 'replace', path: `${ENTERPRISE_SCHEMA}:employeeNumber`, value: 'E-1' },
      { op: 'remove', path: `${ENTERPRISE_SCHEMA}:manager` },
    ]);
    expect(body).toMatchObject({
      externalId: '00u1',
      // The user name stays because the request doesn't change it.
      userName: 'user@acme.test',
      name: { familyName: 'Ortega', givenName: 'Daniel' },
      emails: [{ value: 'dan@acme.test' }],
      phoneNumbers: [{ value: '+46701234567' }],
    });
    expect(body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: 'E-1' });
    const failed = await directory.patch(path, [
      { op: 'replace', path: 'name.givenName', value: 'Nobody' },
      { op: 'replace', path: 'shoeSize', value: 43 },
    ]);
    expect(failed).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } });
    const cleared = await directory.patch(path, [
      { op: 'remove', path: 'phoneNumbers[type eq "mobile"]' },
      { op: 'remove', path: 'externalId' },
    ]);
    expect(cleared.body).toMatchObject({ name: { givenName: 'Daniel' } });
    expect(cleared.body.phoneNumbers).toBeUndefined();
    expect(cleared.body.externalId).toBeUndefined();
  });

  test('changes the email address along with a userName that was equal to it', async () => {
    const { body } = await directory.patch(path, [{ op: 'replace', path: 'userName', value: 'dan@acme.test' }]);
    expect(body).toMatchObject({ userName: 'dan@acme.test', emails: [{ value: 'dan@acme.test' }] });
  });

  // covers: scim 5, scim 23, scim 26, scim 34, scim 64, scim 66, scim 71, scim 73, scim 76
  test.each([
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: 'SUPER_ADMIN' }] }, 'mutability'],
    [{ op: 'replace', path: 'phoneNumbers[type eq "fax"].value', value: '1' }, 'noTarget'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'add', path: 'name' }, 'invalidValue'],
    [{ op: 'add', path: 'emails[type is "x"]', value: 'x' }, 'invalidFilter'],
    [{ op: 'add', path: 'name.', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'userName[value eq "x"]', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'replace', path: 'userName', value: null }, 'mutability'],
    [{ op: 'remove', path: 'schemas' }, 'mutability'],
    [{ op: 'remove', path: 'active' }, 'mutability'],
    [{ op: 'remove', path: 'emails' }, 'mutability'],
    [{ op: 'replace', path: 'emails', value: [] }, 'mutability'],
    [{ op: 'remove', path: 'emails[type eq "work"]' }, 'mutability'],
    [{ op: 'remove', path: 'emails[type eq "work"].value' }, 'mutability'],
    [{ op: 'replace', path: '__proto__', value: { polluted: true } }, 'invalidPath'],
  ])('refuses %j with %s', async (operation, scimType) => {
    expect(await directory.patch(path, [operation])).toMatchObject({ status: 400, body: { scimType } });
  });

  // covers: scim 73
  test('removes the sub-attributes of a name or the whole name', async () => {
    const nameAfter = async (...operations: JsonObject[]) => (await directory.patch(path, operations)).body.name;
    expect(await nameAfter({ op: 'remove', path: 'name.givenName' })).toEqual({
      formatted: 'Ortiz',
      familyName: 'Ortiz',
      givenName: '',
    });
    expect(await nameAfter({ op: 'add', path: 'name.givenName', value: 'Daniel' })).toMatchObject({
      formatted: 'Daniel Ortiz',
    });
    const none = { formatted: '', familyName: '', givenName: '' };
    expect(await nameAfter({ op: 'remove', path: 'name' })).toEqual(none);
    expect(await nameAfter({ op: 'add', path: 'title', value: 'Boss' })).toEqual(none);
    expect(await nameAfter({ op: 'add', path: 'name', value: { formatted: 'Dan Ortega' } })).toMatchObject({
      familyName: 'Ortega',
      givenName: 'Dan',
    });
    const both = [
      { op: 'remove', path: 'name' },
      { op: 'replace', path: 'displayName', value: 'Eve Ito' },
    ];
    expect(await nameAfter(...both)).toMatchObject({ familyName: 'Ito', givenName: 'Eve' });
  });

  // covers: scim 73
  test('removes an email address if another one is left', async () => {
    const home = { value: 'daniel.ortiz@acme.test', type: 'home' };
    await directory.patch(path, [{ op: 'add', path: 'emails', value: [home] }]);
    const { body } = await directory.patch(path, [{ op: 'remove', path: 'emails[type eq "work"]' }]);
    expect(body.emails).toEqual([{ value: 'daniel.ortiz@acme.test', type: 'work', primary: true }]);
  });

  test('accepts a password without storing it', async () => {
    const before = await directory.get(path);
    const { status, body } = await directory.patch(path, [{ op: 'add', path: 'password', value: 'secret' }]);
    expect(status).toBe(200);
    expect(body).toEqual(before.body);
  });
});

describe('attributes without a column', () => {
  const CORE: JsonObject = {
    nickName: 'Babs',
    profileUrl: 'https://people.test/babs',
    title: 'Tour guide',
    userType: 'Employee',
    preferredLanguage: 'en-US',
    locale: 'en-US',
    timezone: 'America/Los_Angeles',
    addresses: [
      { formatted: '100 Universal City Plaza\nHollywood, CA', locality: 'Hollywood', type: 'work', primary: true },
      { locality: 'Paris', country: 'FR', type: 'home' },
    ],
    ims: [{ value: 'babs', type: 'xmpp' }],
    photos: [{ value: 'https://people.test/babs.png', type: 'photo' }],
    entitlements: [{ value: 'parking' }],
  };
  const EXTENSION: JsonObject = {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
  };
  const SAID: JsonObject = {
    ...CORE,
    userName: 'babs@acme.test',
    name: {
      givenName: 'Barbara',
      familyName: 'Jensen',
      middleName: 'Jane',
      honorificPrefix: 'Ms.',
      honorificSuffix: 'III',
    },
    displayName: 'Babs Jensen',
    emails: [
      { value: 'babs@acme.test', type: 'work', primary: true },
      { value: 'babs@home.test', type: 'home' },
    ],
    phoneNumbers: [
      { value: '+46701234567', type: 'mobile' },
      { value: '555-555-8377', type: 'work', primary: true },
    ],
    [ENTERPRISE_SCHEMA]: EXTENSION,
  };
  const shown = { ...SAID, name: { ...Object(SAID.name), formatted: 'Barbara Jensen' } };

  // covers: scim 15
  test('are stored, returned and replaced as a whole (RFC 7643 §4)', async () => {
    const made = await directory.send('POST', '/Users', userWith(SAID));
    expect(made).toMatchObject({ status: 201, body: shown });
    const path = `/Users/${made.id}`;
    const read = await directory.get(path);
    expect(read.body).toEqual(made.body);
    expect((await directory.send('PUT', path, read.body)).body).toEqual(read.body);
    const response = await directory.get(`${path}?attributes=title,addresses.locality,department`);
    expect(response.body).toEqual({
      schemas: expect.any(Array),
      id: made.id,
      title: 'Tour guide',
      addresses: [{ locality: 'Hollywood' }, { locality: 'Paris' }],
      [ENTERPRISE_SCHEMA]: { department: 'Tour Operations' },
    });
    portal.clock.advance(60);
    const least = userWith({ userName: 'babs@acme.test', title: 'Guide', emails: SAID.emails });
    const replaced = await directory.send('PUT', path, least);
    expect(replaced.body).toMatchObject({ title: 'Guide', emails: SAID.emails, displayName: 'Barbara Jensen' });
    expect(Object.keys(replaced.body)).not.toContain('addresses');
    expect(replaced.body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: '701984' });
    expect(replaced.headers.etag).not.toBe(read.headers.etag);
    expect(replaced.body.meta).toMatchObject({ lastModified: '2026-03-02T09:31:00.000Z' });
  });

  // covers: scim 72, scim 75
  test('are added, replaced and removed one by one', async () => {
    const { id } = await directory.send('POST', '/Users', userWith(SAID));
    const path = `/Users/${id}`;
    const { status, body } = await directory.patch(path, [
      { op: 'replace', path: 'title', value: 'Head of tours' },
      { op: 'Add', path: 'addresses[type eq "other"].locality', value: 'Rome' },
      { op: 'replace', path: 'addresses[type eq "home"].locality', value: 'Lyon' },
      { op: 'remove', path: 'ims' },
      { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '555-555-0000' },
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'babs@new.test' },
      { op: 'replace', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Tours' },
      { op: 'remove', path: `${ENTERPRISE_SCHEMA}:division` },
      { op: 'remove', path: 'name.honorificSuffix' },
    ]);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        title: 'Head of tours',
        displayName: 'Babs Jensen',
        addresses: [
          { locality: 'Hollywood' },
          { locality: 'Lyon', country: 'FR' },
          { locality: 'Rome', type: 'other' },
        ],
        emails: [
          { value: 'babs@acme.test', primary: true },
          { value: 'babs@new.test', type: 'home' },
        ],
        phoneNumbers: [
          { value: '+46701234567', type: 'mobile' },
          { value: '555-555-0000', type: 'work', primary: true },
        ],
      },
    });
    expect(body.ims).toBeUndefined();
    expect(body.name).not.toHaveProperty('honorificSuffix');
    const { division: _, ...rest } = EXTENSION;
    expect(body[ENTERPRISE_SCHEMA]).toEqual({ ...rest, department: 'Tours' });
    expect((await directory.get(path)).body).toEqual(body);
    // Uses the mobile number instead of the other number.
    expect(memberByEmail(portal, 'acme', 'babs@acme.test').mobileNumber).toBe('+46701234567');
  });

  test('don’t affect the mobile number or a display name that follows the name', async () => {
    const made = await directory.send(
      'POST',
      '/Users',
      userWith({
        userName: 'new@acme.test',
        displayName: 'Ann Other',
        phoneNumbers: [{ value: '+46 8 123 456', type: 'work' }],
      }),
    );
    expect(made.body).toMatchObject({ phoneNumbers: [{ value: '+46 8 123 456', type: 'work' }] });
    expect(memberByEmail(portal, 'acme', 'new@acme.test').mobileNumber).toBeNull();
    const renamed = await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'name.familyName', value: 'Smith' },
    ]);
    expect(renamed.body).toMatchObject({ displayName: 'Ann Smith' });
  });

  test('can be used in filters', async () => {
    await directory.send('POST', '/Users', userWith(SAID));
    for (const filter of [
      'title eq "tour guide"',
      'displayName eq "Babs Jensen"',
      'name.formatted eq "Barbara Jensen"',
      'timezone pr',
      'addresses.locality eq "Paris"',
      `${ENTERPRISE_SCHEMA}:department co "Tour" and costCenter eq "4130"`,
    ]) {
      expect((await directory.filter('Users', filter)).found).toMatchObject([{ userName: 'babs@acme.test' }]);
    }
  });

  // covers: scim 56
  test('can all be used in filters and for sorting', async () => {
    await directory.send('POST', '/Users', userWith({ userName: 'aa@acme.test' }));
    await directory.send('POST', '/Users', userWith(SAID));
    const texts = [
      ...Object.entries(CORE),
      ...Object.entries(EXTENSION).map(([name, value]) => [`${ENTERPRISE_SCHEMA}:${name}`, value] as const),
      ...Object.entries(Object(SAID.name)).map(([name, value]) => [`name.${name}`, value] as const),
    ].filter(([, value]) => typeof value === 'string');
    expect(texts).toHaveLength(17);
    const babs = [{ userName: 'babs@acme.test' }];
    for (const [path, value] of texts) {
      const equal = await directory.filter('Users', `${path} eq "${String(value).toUpperCase()}" and ${path} pr`);
      const both = 'userName eq "babs@acme.test" or userName eq "aa@acme.test"';
      const sorted = await directory.filter('Users', both, `count=1&sortBy=${path}`);
      expect({ path, equal: equal.found, sorted: sorted.found }).toMatchObject({ path, equal: babs, sorted: babs });
    }
  });

  // covers: scim 32
  test('are listed in the schemas', async () => {
    const { found } = await directory.get('/Schemas');
    const announced = JSON.stringify(found);
    for (const name of [...Object.keys(CORE), 'costCenter', 'organization', 'division', 'department', 'middleName']) {
      expect(announced).toContain(`"name":"${name}"`);
    }
  });

  // covers: scim 12
  test.each([
    [{ title: 5 }],
    [{ title: 'Gui\u202ede' }],
    [{ displayName: 'Bab\u202es', name: { givenName: 'Ann', familyName: 'Other' } }],
    [{ addresses: [{ locality: ['Paris'] }] }],
    [{ addresses: [{ locality: 'Paris', primary: 'perhaps' }] }],
    [{ emails: ['one', 'two'].map((name) => ({ value: `${name}@acme.test`, primary: true })) }],
    [{ phoneNumbers: ['+4420', '+4930'].map((number) => ({ value: `${number}7946000`, primary: 'True' })) }],
    [{ addresses: Array.from({ length: 51 }, () => ({ locality: 'Paris' })) }],
    [{ nickName: 'x'.repeat(20_000) }],
  ])('are refused with invalidValue: %j', async (body) => {
    const reply = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test', ...body }));
    expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });
});

describe('the Users endpoint', () => {
  test('ends every session when active is false and enables the user again when it is true', async () => {
    const { token } = await portal.signIn('user@acme.test');
    const path = `/Users/${suidOf('user@acme.test')}`;
    const off = await directory.patch(path, [{ op: 'replace', value: { active: false } }]);
    expect(off.body).toMatchObject({ active: false });
    expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
    expect(memberByEmail(portal, 'acme', 'user@acme.test').accountStatus).toBe('inactive');
    expect((await directory.filter('Users', 'active eq false and userName sw "user@"')).found).toHaveLength(1);
    const on = await directory.patch(path, [{ op: 'replace', path: 'active', value: true }]);
    expect(on.body).toMatchObject({ active: true });
    await expect(portal.signIn('user@acme.test')).resolves.toMatchObject({ orgId: 'acme' });
  });

  test('restores the unregistered status when a disabled user is enabled again', async () => {
    const { id } = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test', active: false }));
    expect(memberByEmail(portal, 'acme', 'new@acme.test').accountStatus).toBe('inactive');
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]);
    expect(memberByEmail(portal, 'acme', 'new@acme.test').accountStatus).toBe('unregistered');
  });

  // covers: scim 77
  test('deletes a user along with their sessions, devices and name', async () => {
    const { token } = await portal.signIn('user@acme.test');
    const path = `/Users/${suidOf('user@acme.test')}`;
    expect(await directory.send('DELETE', path)).toMatchObject({ status: 204, body: {} });
    expect((await directory.get(path)).status).toBe(404);
    expect((await directory.patch(path, [{ op: 'replace', path: 'active', value: true }])).status).toBe(404);
    expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
    expect((await directory.filter('Users', 'userName eq "user@acme.test"')).body.totalResults).toBe(0);
    expect((await directory.send('POST', '/Users', userWith({ userName: 'user@acme.test' }))).status).toBe(201);
  });

  test('refuses to disable, delete or demote the last Super Admin', async () => {
    const path = `/Users/${suidOf('super.admin@acme.test')}`;
    for (const refused of [
      await directory.send('DELETE', path),
      await directory.patch(path, [{ op: 'replace', path: 'active', value: false }]),
      await directory.patch(path, [{ op: 'replace', path: 'roles', value: [{ value: 'USER' }] }]),
    ]) {
      expect(refused).toMatchObject({
        status: 403,
        body: { status: '403', detail: 'At least one Super Admin must remain active.' },
      });
    }
    expect(memberByEmail(portal, 'acme', 'super.admin@acme.test')).toMatchObject({
      accountStatus: 'active',
      roleCode: 'SUPER_ADMIN',
      provisionedAt: null,
    });
  });

  test('wakes webhooks after a committed change but not after a rollback', async () => {
    const { token } = await portal.signIn('security.admin@acme.test');
    const form = { url: 'http://localhost:9', description: '', enabled: true, events: ['member.updated' as const] };
    await portal.call(createWebhook, { body: form }, { token });
    const { bus, db } = portal.deps;
    const wakes: string[] = [];
    bus.listen([TOPIC.webhooks], () => wakes.push(db.$client.inTransaction ? 'in transaction' : 'committed'));
    const change = (email: string) =>
      directory.patch(`/Users/${suidOf(email)}`, [
        { op: 'replace', value: { name: { givenName: 'Robin' }, active: false } },
      ]);

    // The new name is written and recorded before the change is refused for disabling the last Super Admin.
    expect((await change('super.admin@acme.test')).status).toBe(403);
    expect(wakes).toEqual([]);
    expect((await change('user@acme.test')).status).toBe(200);
    expect(wakes).toEqual(['committed']);
  });
});

describe('names and schemas are case-insensitive (RFC 7643 §2.1, RFC 7644 §3.10)', () => {
  const CORE = USER_SCHEMA.toUpperCase();
  const EXTENSION = ENTERPRISE_SCHEMA.toUpperCase();
  const ORTIZ = { userName: 'user@acme.test' };

  // covers: scim 52, scim 84
  test.each([
    'USERNAME eq "user@acme.test"',
    `${CORE}:UserName eq "user@acme.test"`,
    `${USER_SCHEMA}:userName eq "user@acme.test"`,
    `${EXTENSION}:EmployeeNumber eq "E-10006"`,
    `${CORE}:Emails[TYPE eq "work" and VALUE eq "user@acme.test"]`,
    `${CORE}:Name.FamilyName eq "Ortiz" AND ${CORE}:NAME.givenname eq "Daniel"`,
  ])('in a filter: %s', async (filter) => {
    expect((await directory.filter('Users', filter)).found).toMatchObject([ORTIZ]);
  });

  // covers: scim 1
  test('in a filter and when sorting groups', async () => {
    const { found } = await directory.filter('Groups', `${GROUP_SCHEMA.toUpperCase()}:DISPLAYNAME eq "Auditor"`);
    expect(found).toMatchObject([{ id: 'AUDITOR' }]);
    const sorted = (sortBy: string) => directory.get(`/Groups?sortOrder=Descending&sortBy=${sortBy}`);
    expect((await sorted(`${GROUP_SCHEMA.toUpperCase()}:DisplayName`)).body).toEqual(
      (await sorted('displayName')).body,
    );
  });

  // covers: scim 35, scim 58, scim 84
  test('in attributes and excludedAttributes', async () => {
    const path = `/Users/${suidOf('user@acme.test')}`;
    const attributesFor = async (query: string) => (await directory.get(`${path}?${query}`)).body;
    const always = { schemas: expect.any(Array), id: expect.any(String) };
    expect(await attributesFor(`attributes=${CORE}:USERNAME,${CORE}:Name.FAMILYNAME`)).toEqual({
      ...always,
      ...ORTIZ,
      name: { familyName: 'Ortiz' },
    });
    const extended = { ...always, [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-10006' } };
    for (const name of [`${EXTENSION}:EMPLOYEENUMBER`, 'EmployeeNumber']) {
      expect(await attributesFor(`attributes=${name}`)).toEqual(extended);
    }
    const rest = await attributesFor(`excludedAttributes=${CORE}:EMAILS.TYPE,${EXTENSION},ID,Schemas,${CORE}:Meta`);
    expect(rest).toMatchObject({ ...always, emails: [{ value: 'user@acme.test', primary: true }] });
    expect(rest.emails).not.toMatchObject([{ type: 'work' }]);
    expect(Object.keys(rest)).not.toContain('meta');
    expect(Object.keys(rest)).not.toContain(ENTERPRISE_SCHEMA);
    const boss = suidOf('manager@acme.test');
    await directory.patch(path, [{ op: 'add', path: 'manager', value: boss }]);
    expect(await attributesFor(`attributes=${EXTENSION}:Manager.Value`)).toEqual({
      ...always,
      [ENTERPRISE_SCHEMA]: { manager: { value: boss } },
    });
  });

  // covers: scim 1
  test('in users, groups and their schemas', async () => {
    const made = await directory.send('POST', '/Users', {
      SCHEMAS: [CORE, EXTENSION],
      USERNAME: 'new',
      NAME: { GIVENNAME: 'Ann', familyname: 'Other' },
      [EXTENSION]: { EMPLOYEENUMBER: 'E-1' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { userName: 'new', name: { givenName: 'Ann' }, [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-1' } },
    });
    const group = await directory.send('POST', '/Groups', {
      Schemas: [GROUP_SCHEMA.toUpperCase()],
      DISPLAYNAME: 'Guides',
      Members: [{ VALUE: made.id }],
    });
    expect(group).toMatchObject({ status: 201, body: { displayName: 'Guides', members: [{ value: made.id }] } });
    expect((await directory.get(`/Schemas/${CORE}`)).body).toMatchObject({ id: USER_SCHEMA });
  });

  // covers: scim 1, scim 64
  test('in a PATCH, alone and in a bulk request', async () => {
    const path = `/Users/${suidOf('user@acme.test')}`;
    const data = {
      Schemas: [PATCH_OP.toUpperCase()],
      OPERATIONS: [
        { OP: 'replace', PATH: `${CORE}:NAME.GivenName`, VALUE: 'Dan' },
        { op: 'replace', path: `${CORE}:EMAILS[TYPE eq "work"].VALUE`, value: 'dan@acme.test' },
        { op: 'replace', path: `${EXTENSION}:EMPLOYEENUMBER`, value: 'E-1' },
        {
          op: 'add',
          value: { SCHEMAS: [CORE], [`${CORE}:ExternalId`]: 'x-1', [EXTENSION]: { EmployeeNumber: 'E-2' } },
        },
      ],
    };
    const changed = {
      externalId: 'x-1',
      name: { givenName: 'Dan' },
      emails: [{ value: 'dan@acme.test' }],
      [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-2' },
    };
    const alone = await directory.send('PATCH', path, data);
    expect(alone).toMatchObject({ status: 200, body: changed });
    const bulk = await directory.send('POST', '/Bulk', {
      SCHEMAS: ['URN:ietf:params:scim:api:messages:2.0:BulkRequest'],
      operations: [{ METHOD: 'patch', Path: path, DATA: data }],
    });
    expect(bulk.body).toMatchObject({ Operations: [{ status: '200' }] });
  });

  test('in a search by POST', async () => {
    const { found } = await directory.send('POST', '/Users/.search', {
      Schemas: ['urn:ietf:params:scim:API:messages:2.0:SearchRequest'],
      FILTER: `${CORE}:USERNAME eq "user@acme.test"`,
      Attributes: [`${CORE}:USERNAME`],
    });
    expect(found).toEqual([{ schemas: expect.any(Array), id: expect.any(String), ...ORTIZ }]);
  });
});

describe('values with hidden characters', () => {
  const HIDING = 'Ann\u202eeeL';

  test('are refused in every attribute', async () => {
    const made = await directory.send(
      'POST',
      '/Users',
      userWith({ userName: 'ann@acme.test', displayName: 'Ann Lee' }),
    );
    for (const body of [
      { userName: `${HIDING}` },
      { userName: 'new@acme.test', name: { givenName: HIDING } },
      { userName: 'new@acme.test', name: { familyName: HIDING } },
      { userName: 'new@acme.test', displayName: `${HIDING} Lee` },
      { userName: 'new@acme.test', [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-\u0000' } },
    ]) {
      const refused = { status: 400, body: { scimType: 'invalidValue', detail: expect.stringContaining('U+') } };
      expect(await directory.send('POST', '/Users', userWith(body))).toMatchObject(refused);
      expect(await directory.send('PUT', `/Users/${made.id}`, userWith(body))).toMatchObject(refused);
    }
    const renamed = await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'name.givenName', value: HIDING },
    ]);
    expect(renamed).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    const group = await directory.send('POST', '/Groups', groupWith({ displayName: HIDING }));
    expect(group).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  test('don’t prevent disabling a member if they are already stored', async () => {
    const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
    portal.deps.db.$client.prepare('UPDATE members SET firstName = ? WHERE suid = ?').run(HIDING, suid);
    const disabled = await directory.patch(`/Users/${suid}`, [{ op: 'replace', path: 'active', value: false }]);
    expect(disabled).toMatchObject({ status: 200, body: { active: false } });
  });
});
