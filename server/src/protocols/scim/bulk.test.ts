import { groupRepo } from '@orchestrate/db';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type Directory, directoryOf, groupWith, PATCH_OP, userWith } from './testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
async function bulk(Operations: Json[], more: JsonObject = {}) {
  const { status, body } = await directory.send('POST', '/Bulk', { schemas: [BULK], Operations, ...more });
  const listed = Array.isArray(body.Operations) ? body.Operations.filter(isObject) : [];
  return { status, body, results: listed };
}
const post = (bulkId: string, data: JsonObject) => ({ method: 'POST', path: '/Users', bulkId, data: userWith(data) });

// covers: scim 80
test('runs the example in RFC 7644 §3.7.3: create, replace, patch and delete', async () => {
  const alice = await directory.send('POST', '/Users', userWith({ userName: 'old@acme.test' }));
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  const gone = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test').suid;
  const { headers } = await directory.get(`/Users/${suid}`);
  const version = headers.etag ?? '';
  const { status, body, results } = await bulk([
    post('qwerty', { userName: 'alice@acme.test' }),
    { method: 'PUT', path: `/Users/${alice.id}`, data: userWith({ userName: 'bob@acme.test' }) },
    {
      method: 'PATCH',
      path: `/Users/${suid}`,
      version,
      data: { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'name.givenName', value: 'Dave' }] },
    },
    { method: 'DELETE', path: `/Users/${gone}`, version: 'W/"stale"' },
    { method: 'DELETE', path: `/Users/${gone}` },
  ]);
  expect(status).toBe(200);
  expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:BulkResponse']);
  const base = `${portal.url}/scim/v2/acme/Users`;
  expect(results).toMatchObject(
    [
      { location: expect.stringContaining(`${base}/`), method: 'POST', bulkId: 'qwerty', version: /./, status: '201' },
      { location: `${base}/${alice.id}`, method: 'PUT', status: '200' },
      { location: `${base}/${suid}`, method: 'PATCH', status: '200' },
      { location: `${base}/${gone}`, method: 'DELETE', status: '412', response: { status: '412' } },
      { location: `${base}/${gone}`, method: 'DELETE', status: '204' },
    ].map((result) => ('version' in result ? { ...result, version: expect.stringMatching(/^W\//) } : result)),
  );
  expect(memberByEmail(portal, 'acme', 'user@acme.test').firstName).toBe('Dave');
});

// covers: scim 82
test('creates a referenced user before the operations that refer to it (§3.7.2)', async () => {
  const { results } = await bulk([
    {
      method: 'POST',
      path: '/Groups',
      bulkId: 'guides',
      data: groupWith({ displayName: 'Tour Guides', members: [{ type: 'User', value: 'bulkId:alice' }] }),
    },
    post('alice', {
      userName: 'alice@acme.test',
      [ENTERPRISE_SCHEMA]: { employeeNumber: '1', manager: { value: 'bulkId:boss' } },
    }),
    post('boss', { userName: 'boss@acme.test' }),
    {
      method: 'PATCH',
      path: '/Users/bulkId:boss',
      data: { schemas: [PATCH_OP], Operations: [{ op: 'add', path: 'externalId', value: 'b-1' }] },
    },
  ]);
  expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
    ['boss', '201'],
    [undefined, '200'],
    ['alice', '201'],
    ['guides', '201'],
  ]);
  const alice = memberByEmail(portal, 'acme', 'alice@acme.test');
  expect(alice).toMatchObject({ managerSuid: memberByEmail(portal, 'acme', 'boss@acme.test').suid });
  expect(groupRepo.listMemberGroups(portal.deps.db, 'acme', alice.suid)).toMatchObject([
    { displayName: 'Tour Guides' },
  ]);
  expect(memberByEmail(portal, 'acme', 'boss@acme.test')).toMatchObject({ externalId: 'b-1', isManager: true });
});

// covers: scim 80
test('returns an absolute location for every operation except failed creations (§3.7)', async () => {
  const base = `${portal.url}/scim/v2/acme`;
  const { results } = await bulk([
    post('new', { userName: 'new@acme.test' }),
    { method: 'PATCH', path: '/Users/bulkId:new', data: { schemas: [PATCH_OP], Operations: [{ op: 'fly' }] } },
    { method: 'PUT', path: '/Users/nobody', data: userWith({ userName: 'nobody' }) },
    { method: 'DELETE', path: '/Groups/HELPDESK_ADMIN' },
    { method: 'DELETE', path: '/Users/bulkId:new' },
    post('taken', { userName: 'user@acme.test' }),
    { method: 'DELETE', path: '/Users/bulkId:taken' },
  ]);
  const address = results[0]?.location;
  expect(address).toEqual(expect.stringContaining(`${base}/Users/`));
  expect(results.map(({ status, location }) => [status, location])).toEqual([
    ['201', address],
    ['400', address],
    ['404', `${base}/Users/nobody`],
    ['403', `${base}/Groups/HELPDESK_ADMIN`],
    ['204', address],
    ['409', undefined],
    ['409', undefined],
  ]);
});

const managed = (by: string) => ({ [ENTERPRISE_SCHEMA]: { department: 'Tours', manager: { value: `bulkId:${by}` } } });

// covers: scim 81
test('creates new users who are managers of each other, including the references (§3.7.1)', async () => {
  const { results } = await bulk([
    post('a', { userName: 'a@acme.test', ...managed('b') }),
    {
      method: 'PATCH',
      path: '/Users/bulkId:a',
      data: { schemas: [PATCH_OP], Operations: [{ op: 'add', path: 'title', value: 'Guide' }] },
    },
    post('b', { userName: 'b@acme.test', ...managed('c') }),
    post('c', { userName: 'c@acme.test', ...managed('a') }),
    post('outside', { userName: 'outside@acme.test', ...managed('a') }),
    post('x', { userName: 'x@acme.test', ...managed('y') }),
    post('y', { userName: 'y@acme.test', ...managed('x') }),
    post('own', { userName: 'own@acme.test', ...managed('own') }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['200', ...Array(7).fill('201')]);
  const suidOf = (name: string) => memberByEmail(portal, 'acme', `${name}@acme.test`).suid;
  const managers = { a: 'b', b: 'c', c: 'a', outside: 'a', x: 'y', y: 'x' };
  for (const [name, manager] of Object.entries(managers)) {
    expect([name, memberByEmail(portal, 'acme', `${name}@acme.test`).managerSuid]).toEqual([name, suidOf(manager)]);
  }
  expect(memberByEmail(portal, 'acme', 'own@acme.test').managerSuid).toBeNull();
  const { body } = await directory.get(`/Users/${suidOf('a')}`);
  const extension = { department: 'Tours', manager: { value: suidOf('b') } };
  expect(body).toMatchObject({ title: 'Guide', [ENTERPRISE_SCHEMA]: extension });
  const x = await directory.get(`/Users/${suidOf('x')}`);
  expect(results.find(({ bulkId }) => bulkId === 'x')).toMatchObject({ version: x.headers.etag });
});

test('creates the valid users in a reference cycle, treating a failed user as an unknown manager', async () => {
  const { results } = await bulk([
    post('a', { userName: 'a@acme.test', ...managed('b') }),
    post('b', { userName: 'user@acme.test', ...managed('a') }),
  ]);
  expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
    ['a', '201'],
    ['b', '409'],
  ]);
  expect(memberByEmail(portal, 'acme', 'a@acme.test').managerSuid).toBeNull();
});

test('rejects a reference cycle between groups, because group members are users', async () => {
  const group = (bulkId: string, member: string) => ({
    method: 'POST',
    path: '/Groups',
    bulkId,
    data: groupWith({ displayName: `Group ${bulkId}`, members: [{ value: `bulkId:${member}` }] }),
  });
  const { results } = await bulk([group('a', 'b'), group('b', 'a')]);
  expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
    ['a', '400'],
    ['b', '409'],
  ]);
});

test('fails operations that depend on a failed creation', async () => {
  const { results } = await bulk([
    post('c', { userName: 'user@acme.test' }),
    post('d', { userName: 'd@acme.test', ...managed('c') }),
    post('e', { userName: 'e@acme.test' }),
    { method: 'PATCH', path: '/Users/bulkId:g', bulkId: 'f', data: { schemas: [PATCH_OP], Operations: [] } },
    post('g', { userName: 'g@acme.test', ...managed('f') }),
  ]);
  expect(Object.fromEntries(results.map(({ bulkId, status }) => [bulkId, status]))).toEqual({
    c: '409',
    d: '409',
    e: '201',
    f: '409',
    g: '409',
  });
});

// covers: scim 79
test('stops after failOnErrors errors', async () => {
  const taken = (bulkId: string) => post(bulkId, { userName: 'user@acme.test' });
  const operations = [
    taken('1'),
    post('2', { userName: 'two@acme.test' }),
    taken('3'),
    post('4', { userName: 'x@acme.test' }),
  ];
  const stopped = await bulk(operations, { failOnErrors: 2 });
  expect(stopped.results.map(({ status }) => status)).toEqual(['409', '201', '409']);
  expect(stopped.results[0]).toMatchObject({ response: { scimType: 'uniqueness' } });
  expect(stopped.results[0]?.location).toBeUndefined();
  const whole = await bulk([taken('1'), taken('2'), taken('3')]);
  expect(whole.results).toHaveLength(3);
});

// covers: scim 78, scim 83
test('enforces its limits and validates the request before running any operation', async () => {
  const many = await bulk(Array.from({ length: 1_001 }, () => ({ method: 'DELETE', path: '/Users/nobody' })));
  expect(many).toMatchObject({ status: 413, body: { status: '413', scimType: 'tooMany' } });
  for (const operation of [
    { method: 'GET', path: '/Users' },
    { method: 'POST', path: '/Users', data: userWith({ userName: 'x@acme.test' }) },
    { method: 'DELETE' },
    'DELETE',
    // Repeats the first operation's bulkId.
    post('1', { userName: 'another@acme.test' }),
  ]) {
    const reply = await bulk([post('1', { userName: 'new@acme.test' }), operation]);
    expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
  }
  expect((await directory.send('POST', '/Bulk', { Operations: [] })).status).toBe(400);
  expect((await bulk([], { failOnErrors: 'two' })).status).toBe(400);
  expect((await directory.filter('Users', 'userName eq "new@acme.test"')).body.totalResults).toBe(0);
});
