import {
  addGroupMember,
  createGroup,
  deleteGroup,
  deleteUser,
  previewAppProvisioning,
  removeGroupMember,
  renameGroup,
  resendProvisionedGroup,
  sendAllProvisioning,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bringUpToDate } from '#protocols/scim/client/bring-up-to-date.ts';
import { startForeignService } from '#protocols/scim/client/foreign-service-testing.ts';
import { groupChanges, membersOf, withMembers } from '#protocols/scim/client/group-changes.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { globexScim, teamWiki, teamWikiRequest } from './team-wiki-testing.ts';

const USER = 'user@acme.test';
const MANAGER = 'manager@acme.test';
const TOKEN = 'a token of the service';
const NAME = 'Night shift';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;

async function group(displayName: string, ...emails: string[]): Promise<string> {
  const { groupId } = (await portal.call(createGroup, { body: { displayName } }, { token })).body.group;
  for (const email of emails) await join(groupId, email);
  return groupId;
}
const join = (groupId: string, email: string) =>
  portal.call(addGroupMember, { params: { groupId, suid: suidOf(email) }, body: {} }, { token });
const leave = (groupId: string, email: string) =>
  portal.call(removeGroupMember, { params: { groupId, suid: suidOf(email) } }, { token });
const rename = (groupId: string, displayName: string) =>
  portal.call(renameGroup, { params: { groupId }, body: { displayName } }, { token });
const remove = (groupId: string) => portal.call(deleteGroup, { params: { groupId } }, { token });

describe('a third-party SCIM service', () => {
  let service: Awaited<ReturnType<typeof startForeignService>>;
  let wiki: ReturnType<typeof teamWiki>;
  beforeEach(async () => {
    service = await startForeignService(TOKEN);
    wiki = teamWiki(portal, token, { url: service.url, secret: TOKEN });
  });
  afterEach(() => service.close());

  /** Returns the methods of the service's group requests since the last call, such as `PATCH`. */
  function groupRequests(): string[] {
    const methods = service.asked.filter((one) => one.includes('/Groups')).map((one) => one.split(' ')[0] ?? '');
    service.asked.length = 0;
    return methods;
  }

  /** Sets up the service with two people and one group, which contains the user. */
  async function started(settings: object = {}): Promise<string> {
    const groupId = await group(NAME, USER);
    await wiki.usableBy(USER, MANAGER);
    await wiki.save({ sendGroups: true, ...settings });
    await wiki.settled();
    service.asked.length = 0;
    return groupId;
  }

  // covers: scim 93, scim 101
  test.each(['put', 'patch'] as const)('stores the group, with changes sent by %s', async (changesBy) => {
    const groupId = await started({ changesBy });
    expect([...service.groups.values()]).toMatchObject([{ displayName: NAME, externalId: groupId }]);
    expect(service.membersOf(NAME)).toEqual([USER]);
    expect(await wiki.read()).toMatchObject({ sendGroups: true, groups: { current: 1, waiting: 0, failed: 0 } });

    await join(groupId, MANAGER);
    await wiki.settled();
    expect(service.membersOf(NAME)).toEqual([MANAGER, USER]);
    await rename(groupId, 'Late shift');
    await wiki.settled();
    expect(service.membersOf('Late shift')).toEqual([MANAGER, USER]);
    await leave(groupId, USER);
    await wiki.settled();
    expect(service.membersOf('Late shift')).toEqual([MANAGER]);
    const written = changesBy.toUpperCase();
    expect(groupRequests()).toEqual([written, written, written]);

    await remove(groupId);
    await wiki.settled();
    expect(service.groups.size).toBe(0);
    const [newest] = await wiki.log();
    expect(newest).toMatchObject({ suid: null, groupId, name: 'Late shift', operation: 'delete', status: 'delivered' });
    expect(service.people.size).toBe(2);
  });

  // covers: scim 95
  test('receives no empty groups, and no members without access to the application', async () => {
    const both = await group('Both', USER, MANAGER);
    const others = await group('Others', MANAGER);
    await group('Nobody');
    await wiki.usableBy(USER);
    await wiki.save({ sendGroups: true, changesBy: 'patch' });
    await wiki.settled();
    expect(service.membersOf('Both')).toEqual([USER]);
    expect(service.groups.size).toBe(1);

    await wiki.usableBy(USER, MANAGER);
    await wiki.settled();
    expect(service.membersOf('Both')).toEqual([MANAGER, USER]);
    expect(service.membersOf('Others')).toEqual([MANAGER]);
    await wiki.usableBy(USER);
    await wiki.settled();
    expect(service.membersOf('Both')).toEqual([USER]);
    expect(service.membersOf('Others')).toEqual([]);
    expect([...service.groups.values()].map(({ externalId }) => externalId).sort()).toEqual([both, others].sort());
  });

  // covers: scim 95, scim 102
  test('receives a new group membership once the service has the member', async () => {
    const groupId = await started({ changesBy: 'patch' });
    await join(groupId, 'super.admin@acme.test');
    await wiki.settled();
    service.instead.push({ status: 200, body: {} }, { status: 200, body: {} }, { status: 400, body: {} });
    await wiki.usableBy(USER, MANAGER, 'super.admin@acme.test');
    expect(await wiki.settled()).toMatchObject({ people: { failed: 1 } });
    expect(service.membersOf(NAME)).toEqual([USER]);
    await portal.call(sendAllProvisioning, { ...teamWikiRequest, body: {} }, { token });
    await wiki.settled();
    expect(service.membersOf(NAME)).toEqual(['super.admin@acme.test', USER]);
  });

  // covers: scim 95, scim 104
  test('loses deleted members from its groups', async () => {
    const groupId = await started();
    await join(groupId, MANAGER);
    await wiki.settled();
    await portal.call(deleteUser, { body: { suid: suidOf(USER), org: 'acme' } }, { token });
    await wiki.settled();
    expect(service.membersOf(NAME)).toEqual([MANAGER]);
  });

  // covers: scim 98
  test('adopts an existing group by its name and fills it', async () => {
    const id = 'older-than-us';
    service.people.set('a stranger', { id: 'a stranger', userName: 'stranger@example.test' });
    service.groups.set(id, { id, displayName: NAME, members: [{ value: 'a stranger' }] });
    const groupId = await started({ changesBy: 'patch' });
    expect([...service.groups.values()]).toMatchObject([{ id, externalId: groupId }]);
    expect(service.membersOf(NAME)).toEqual([USER]);
    expect(await wiki.operations()).toContain('adopt delivered');
  });

  // covers: scim 99
  test('receives a lost group again, and adopts an existing one after a 409', async () => {
    const groupId = await started();
    service.groups.clear();
    await rename(groupId, 'Late shift');
    await wiki.settled();
    expect(service.membersOf('Late shift')).toEqual([USER]);
    expect(groupRequests()).toEqual(['PUT', 'GET', 'GET', 'POST']);

    service.groups.clear();
    service.groups.set('hidden', { id: 'hidden', displayName: 'Late shift' });
    const none = { status: 200, body: { totalResults: 0, Resources: [] } };
    service.instead.push({ status: 404 }, none, none);
    await join(groupId, MANAGER);
    await wiki.settled();
    expect([...service.groups.keys()]).toEqual(['hidden']);
    expect(service.membersOf('Late shift')).toContain(MANAGER);
  });

  // covers: scim 105
  test('is retried only manually after it rejects a group name', async () => {
    const groupId = await started();
    service.groups.set('other', { id: 'other', displayName: 'Late shift' });
    await rename(groupId, 'Late shift');
    expect(await wiki.settled()).toMatchObject({ groups: { failed: 1 } });
    expect((await wiki.log())[0]).toMatchObject({ groupId, status: 'failed', requests: [{ status: 409 }] });
    service.groups.delete('other');
    const params = { ...teamWikiRequest.params, groupId };
    const { body } = await portal.call(resendProvisionedGroup, { params, body: {} }, { token });
    expect(body.delivery).toMatchObject({ groupId, suid: null, status: 'delivered' });
    expect(service.membersOf('Late shift')).toEqual([USER]);
    const unknown = { params: { ...teamWikiRequest.params, groupId: 'unknown' }, body: {} };
    expect((await portal.call(resendProvisionedGroup, unknown, { token })).body).toMatchObject({
      resultName: 'ID_DOESNOT_EXIST',
    });
  });

  // covers: scim 100
  test.each([400, 405, 501])('receives the whole group after it responds to a PATCH with %i', async (status) => {
    const groupId = await started({ changesBy: 'patch' });
    service.never.set('PATCH', status);
    await join(groupId, MANAGER);
    await wiki.settled();
    expect(service.membersOf(NAME)).toEqual([MANAGER, USER]);
    expect(groupRequests()).toEqual(['PATCH', 'PUT']);
  });

  test.each([
    ['deactivate', []],
    ['delete', undefined],
  ] as const)(
    'receives groups once sending is on, and loses them when it is turned off (%s)',
    { tags: 'whole' },
    async (withoutAccess, left) => {
      const groupId = await group(NAME, USER);
      await wiki.usableBy(USER);
      await wiki.save({ withoutAccess });
      await wiki.settled();
      expect(service.groups.size).toBe(0);
      await wiki.save({ withoutAccess, sendGroups: true });
      await wiki.settled();
      expect(service.membersOf(NAME)).toEqual([USER]);
      await wiki.save({ withoutAccess });
      await wiki.settled();
      expect(service.membersOf(NAME)).toEqual(left);
      service.asked.length = 0;
      await rename(groupId, 'Late shift');
      await group('Another', USER);
      await wiki.settled();
      expect(groupRequests()).toEqual([]);
      await wiki.save({ withoutAccess, sendGroups: true });
      await wiki.settled();
      expect(service.membersOf('Late shift')).toEqual([USER]);
      expect(service.membersOf('Another')).toEqual([USER]);
    },
  );

  test('ends up with the group as previewed', async () => {
    const groupId = await started();
    const preview = (of: string, by = token) =>
      portal.call(previewAppProvisioning, { ...teamWikiRequest, query: { groupId: of } }, { token: by });
    expect((await preview(groupId)).body.resource).toMatchObject({
      displayName: NAME,
      externalId: groupId,
      members: [{ value: service.personCalled(USER)?.id }],
    });
    expect((await preview(await group('Nobody'))).body.resource).toBeNull();
    expect((await preview('unknown')).body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
    const { token: other } = await portal.signIn('admin@globex.test');
    expect((await preview(groupId, other)).status).toBe(403);
  });

  // covers: scim 102
  test('receives 1,250 members in batches, and the portal resumes where it stopped', { tags: 'whole' }, async () => {
    const target = {
      url: service.url,
      authentication: 'bearer',
      username: '',
      secret: TOKEN,
      changesBy: 'put',
    } as const;
    const ids = Array.from({ length: 1_250 }, (_, at) => `person-${at}`);
    const wanted = (members: string[]) => ({
      isGone: false as const,
      resource: withMembers({ schemas: [], externalId: 'ours', displayName: NAME }, members),
      mayBegin: true,
      inScope: true,
    });
    const send = (members: string[], known: { remoteId: string | null; sent: object | null }) =>
      bringUpToDate(
        portal.deps,
        target,
        { groupId: 'ours', remoteId: known.remoteId, sent: known.sent && JSON.stringify(known.sent) },
        wanted(members),
      );
    const methods = (of: { requests: { method: string }[] }) => of.requests.map(({ method }) => method).join(' ');
    const there = () => membersOf([...service.groups.values()][0] ?? {});

    const first = await send(ids, { remoteId: null, sent: null });
    expect(methods(first)).toBe('GET GET POST PATCH PATCH PATCH PATCH');
    expect(first).toMatchObject({ failure: null, isUnfinished: true });
    expect(there()).toEqual(ids.slice(0, 1_000));
    const second = await send(ids, first);
    expect(methods(second)).toBe('PATCH PATCH');
    expect(second).toMatchObject({ failure: null, isUnfinished: false });
    expect(there()).toEqual(ids);

    const fewer = await send(ids.slice(5), second);
    expect(methods(fewer)).toBe('PATCH');
    expect(there()).toEqual(ids.slice(5));
    // The portal doesn't know which members the service has, so it reads them first.
    const again = await send(ids, { ...fewer, sent: null });
    expect(methods(again)).toBe('GET PATCH');
    expect(there().sort()).toEqual(ids.toSorted());
    const few = await send(ids.slice(0, 3), { ...again, sent: again.sent });
    expect(methods(few)).toBe('PUT');
    service.never.set('PATCH', 501);
    expect(methods(await send(ids, few))).toBe('PATCH PUT');
    expect(there()).toEqual(ids);
  });

  // covers: scim 103
  test('loses many members in batches, or most of a large group in one request', () => {
    const ids = Array.from({ length: 1_000 }, (_, at) => `person-${at}`);
    const of = (members: string[]) => withMembers({ externalId: 'ours', displayName: NAME }, members);
    const operations = (wanted: string[]) =>
      groupChanges(of(ids), of(wanted)).map(({ body }) => (Array.isArray(body.Operations) ? body.Operations : []));
    const sliced = operations(ids.slice(450));
    expect(sliced.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(sliced[0]?.[0]).toEqual({ op: 'remove', path: 'members[value eq "person-0"]' });
    expect(operations([])).toEqual([[{ op: 'remove', path: 'members' }]]);
    expect(operations(['new'])).toEqual([[{ op: 'replace', path: 'members', value: [{ value: 'new' }] }]]);
  });
});

test('provisions groups with their members to another organisation of this portal', {
  tags: 'whole',
}, async () => {
  const wiki = teamWiki(portal, token, await globexScim(portal));
  const groupId = await group(NAME, USER, MANAGER);
  await wiki.usableBy(USER, MANAGER);
  await wiki.save({ sendGroups: true, changesBy: 'patch' });
  expect(await wiki.settled()).toMatchObject({ groups: { current: 1, failed: 0 } });
  const globex = directoryOf(portal, 'globex');
  const there = async () => (await globex.filter('Groups', `externalId eq "${groupId}"`)).found[0];
  const idOf = (email: string) => memberByEmail(portal, 'globex', email).suid;
  expect(membersOf((await there()) ?? {}).sort()).toEqual([idOf(USER), idOf(MANAGER)].sort());
  expect((await directoryOf(portal).filter('Groups', `externalId eq "${groupId}"`)).found).toEqual([]);
  await leave(groupId, MANAGER);
  await wiki.settled();
  expect(membersOf((await there()) ?? {})).toEqual([idOf(USER)]);
  await remove(groupId);
  await wiki.settled();
  expect(await there()).toBeUndefined();
});
