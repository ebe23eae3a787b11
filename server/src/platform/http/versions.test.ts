import { deviceRepo, resetDatabase } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { codeOf, type EndpointDefinition, type InputOf } from '@orchestrate/shared';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { appInput, editsOf, etagOf, findEditedMember, samlAppInput } from '#testing/editing.ts';
import { type Credentials, TEST_NOW, testPortal } from '#testing/test-portal.ts';
import { readIfMatch, versionOf } from './versions.ts';

// Set up here rather than in a hook, because test names come from the portal's endpoints.
const portal = await testPortal();
afterAll(() => portal.close());

const SIGNED_IN: readonly string[] = ['signed-in', 'permission', 'member'];
const writes = portal.deps.registered.endpoints.filter(
  ({ method, access }) => method !== 'GET' && SIGNED_IN.includes(access.who),
);
const nameOf = ({ method, path }: EndpointDefinition) => `${method} ${path}`;

let token: string;
beforeEach(() => {
  resetDatabase(portal.deps.db, 'demo', TEST_NOW);
  token = tokenOf('super.admin@acme.test');
});

function tokenOf(email: string): string {
  const { orgCode, suid, zid } = portal.device(email);
  return startSession(portal.deps, { orgCode, suid, zid }).token;
}

const call = <const D extends EndpointDefinition>(entry: D, input: InputOf<D>, credentials: Credentials = {}) =>
  portal.call(entry, input, { token, ...credentials });

const member = () => findEditedMember(portal);
const tree = async () => (await call(contract.getFaq, {})).body.categories;
const CASES = editsOf(portal, () => token);

test.each(writes.map((entry) => [nameOf(entry), entry] as const))(
  '%s declares either a versioned object or why its object has no version',
  (_name, { versioned, unversioned, current }) => {
    expect(Boolean(versioned) !== Boolean(unversioned)).toBe(true);
    expect(Boolean(current)).toBe(Boolean(versioned));
  },
);

test('covers concurrent edits of every versioned object', () => {
  const versioned = writes.filter((entry) => entry.versioned).map(nameOf);
  expect(CASES.map(({ entry }) => nameOf(entry)).sort()).toEqual(versioned.sort());
});

describe.each(CASES.map((each) => [nameOf(each.entry), each] as const))('%s', (_name, { read, write, shows }) => {
  // covers: spec 3.1.9
  test('refuses the second edit of the same version and returns the current state', async () => {
    const before = (await read()) ?? '';
    expect(before).toMatch(/^"[\w-]{22}"$/);
    expect(await read()).toBe(before);
    const first = await write('first', { ifMatch: before });
    expect(first).toMatchObject({ status: 200, body: { resultCode: 0 } });
    const present = await read();
    expect(present).not.toBe(before);
    expect(etagOf(first)).toBe(present);

    const second = await write('another', { ifMatch: before });
    expect(second).toMatchObject({
      status: 412,
      body: { resultCode: 1, resultName: 'INVALID_REQUEST', current: shows('first') },
    });
    expect(etagOf(second)).toBe(present);
    expect(await read()).toBe(present);

    // After reading the first edit, the second editor can overwrite it. If no version is sent, the last write wins.
    expect((await write('another', { ifMatch: `"older", ${present}` })).status).toBe(200);
    expect((await write('last', {})).status).toBe(200);
    expect((await write('any', { ifMatch: '*' })).status).toBe(200);
    // Long timeout: the first read of a SAML application generates its keys.
  }, 60_000);
});

test('changes the version when a directory edits a member', async () => {
  const { suid, primaryAttr, firstName, lastName, primaryEmail } = member();
  const read = () => call(contract.getUser, { query: { suid } });
  const before = etagOf(await read()) ?? '';
  await directoryOf(portal).patch(`/Users/${suid}`, [{ op: 'replace', path: 'name.givenName', value: 'Given' }]);
  const body = { primaryAttr, firstName, lastName, primaryEmail };
  const stale = await call(contract.updateUser, { body }, { ifMatch: before });
  expect(stale).toMatchObject({ status: 412, body: { current: { firstName: 'Given' } } });
});

test('keeps the version if only non-editable fields change', async () => {
  const { db } = portal.deps;
  const { suid } = member();
  const tags = async () => [
    etagOf(await call(contract.getUser, { query: { suid } })),
    etagOf(await call(contract.getApp, appInput)),
    (await call(contract.listRoles, {})).body.Items.map(({ version }) => version),
  ];
  const before = await tags();
  portal.clock.advance(60);
  tokenOf('user@acme.test');
  const [device] = deviceRepo.listRegisteredDevices(db, 'acme', suid);
  const owner = tokenOf('user@acme.test');
  await call(contract.nameDevice, { body: { suid, zid: device?.zid ?? '', nickname: 'Pocket' } }, { token: owner });
  await call(contract.createClientSecret, { ...appInput, body: { name: 'Second' } });
  expect(await tags()).toEqual(before);
});

test('returns the same versions in lists as for individual objects', async () => {
  const { Items } = (await call(contract.listRoles, {})).body;
  for (const { roleCode, version } of Items) {
    expect(etagOf(await call(contract.getRole, { params: { roleCode } }))).toBe(version);
  }
});

test('does not reveal the current state without write permission', async () => {
  const outsider = tokenOf('user@acme.test');
  const body = { allowedIps: [], activationLinkDelayHours: 1, deviceLimit: 5, allowedEmailDomains: [] };
  const answer = await call(contract.saveSecurity, { body }, { token: outsider, ifMatch: '"old"' });
  expect(answer).toMatchObject({ status: 403, body: { resultCode: codeOf('INVALID_PERMISSIONS') } });
  expect(answer.body).not.toHaveProperty('current');
  expect(etagOf(answer)).toBeUndefined();
});

test('accepts exactly one of many concurrent saves of the same version', async () => {
  const ifMatch = etagOf(await call(contract.getApp, samlAppInput)) ?? '';
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      call(
        contract.updateSamlApp,
        { ...samlAppInput, body: { redirectUrl: `https://app-${number}.test/` } },
        { ifMatch },
      ),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
});

test('refuses a version when creating an object', async () => {
  const answer = await call(contract.saveFaqCategory, { body: { name: 'Brand new' } }, { ifMatch: '*' });
  expect(answer).toMatchObject({ status: 412, body: { resultCode: codeOf('INVALID_REQUEST') } });
  expect((await call(contract.saveFaqCategory, { body: { name: 'Brand new' } })).status).toBe(200);
});

test.each(['abc', '"abc', '"a" "b"', '*, "a"', ',', 'W/abc', '"a",b'])(
  'rejects the malformed If-Match %s and saves nothing: 400, code 65',
  async (ifMatch) => {
    const [category] = await tree();
    const body = { categoryId: category?.categoryId ?? '', name: 'Renamed' };
    const answer = await call(contract.saveFaqCategory, { body }, { ifMatch });
    expect(answer).toMatchObject({ status: 400, body: { resultCode: codeOf('BAD_REQUEST') } });
    expect((await tree())[0]).toEqual(category);
  },
);

test.each([
  ['"a"', ['"a"']],
  ['"a", "b,c" ,"d"', ['"a"', '"b,c"', '"d"']],
  [', "a",,', ['"a"']],
  ['""', ['""']],
  ['*', '*'],
  // The comparison is strong, so a weak tag matches nothing (RFC 9110 §8.8.3.2).
  ['W/"a"', ['W/"a"']],
])('parses If-Match: %s according to RFC 9110 §13.1.1', (header, versions) => {
  expect(readIfMatch(header)).toEqual(versions);
});

test('never matches a weak version', async () => {
  const [category] = await tree();
  const body = { categoryId: category?.categoryId ?? '', name: 'Renamed' };
  const answer = await call(contract.saveFaqCategory, { body }, { ifMatch: `W/${category?.version}` });
  expect(answer.status).toBe(412);
});

test('derives equal versions from equal fields and different versions from different fields', () => {
  expect(versionOf({ a: 1, b: [2] })).toBe(versionOf({ a: 1, b: [2] }));
  expect(versionOf({ a: 1, b: [2] })).not.toBe(versionOf({ a: 1, b: [3] }));
});
