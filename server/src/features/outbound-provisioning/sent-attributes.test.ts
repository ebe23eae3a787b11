import {
  createScimSchema,
  deleteScimSchema,
  deleteUser,
  manageUser,
  type ProvisioningForm,
  previewAppProvisioning,
  sendAllProvisioning,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENTERPRISE_SCHEMA } from '#protocols/scim/attributes.ts';
import { startForeignService } from '#protocols/scim/client/foreign-service-testing.ts';
import { isObject, type Json } from '#protocols/scim/json.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { globexScim, teamWiki, teamWikiRequest } from './team-wiki-testing.ts';

const USER = 'user@acme.test';
const MANAGER = 'manager@acme.test';
const HR = 'urn:example:hr:2.0:User';
const TOKEN = 'a token of the service';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const acme = (email: string) => memberByEmail(portal, 'acme', email);
/** Changes an attribute of a person through acme's own directory. */
async function setAttribute(email: string, path: string, value: Json) {
  const sent = await directoryOf(portal).patch(`/Users/${acme(email).suid}`, [{ op: 'replace', path, value }]);
  expect(sent.status).toBe(200);
}
const setManager = (of: string, manager: string) =>
  setAttribute(of, `${ENTERPRISE_SCHEMA}:manager`, { value: acme(manager).suid });

describe('managers at another portal', () => {
  let other: TestPortal;
  let wiki: ReturnType<typeof teamWiki>;
  beforeEach(async () => {
    other = await testPortal();
    wiki = teamWiki(portal, token, await globexScim(other));
  });
  afterEach(() => other.close());

  const there = (email: string) => memberByEmail(other, 'globex', email);

  test.each(['put', 'patch'] as const)(
    'are sent by %s with the other portal’s IDs, even if two members manage each other',
    { tags: 'whole' },
    async (changesBy) => {
      await setManager(USER, MANAGER);
      await setManager(MANAGER, USER);
      await wiki.usableBy(USER, MANAGER);
      await wiki.save({ changesBy });
      expect(await wiki.settled()).toMatchObject({ people: { current: 2, failed: 0 } });
      expect(there(USER).managerSuid).toBe(there(MANAGER).suid);
      expect(there(MANAGER).managerSuid).toBe(there(USER).suid);
      expect(there(USER).suid).not.toBe(acme(USER).suid);
      // At least the first member was sent without a manager, and updated once the other member had an ID there.
      expect(new Set(await wiki.operations())).toEqual(new Set(['create delivered', 'update delivered']));
    },
  );

  // covers: scim 96
  test('are sent only if the service has them', async () => {
    await setManager(USER, MANAGER);
    await wiki.usableBy(USER);
    await wiki.save({ changesBy: 'patch' });
    await wiki.settled();
    const named = async () =>
      JSON.stringify((await wiki.log()).map(({ requests }) => requests)).includes(acme(MANAGER).suid);
    expect(there(USER).managerSuid).toBeNull();
    expect(await named()).toBe(false);
    await wiki.usableBy(USER, MANAGER);
    await wiki.settled();
    expect(there(USER).managerSuid).toBe(there(MANAGER).suid);
    await wiki.usableBy(USER);
    await wiki.settled();
    expect(there(MANAGER)).toMatchObject({ accountStatus: 'inactive' });
    expect(there(USER).managerSuid).toBeNull();
    await wiki.save({ changesBy: 'patch', sendManagers: false });
    await wiki.usableBy(USER, MANAGER);
    await wiki.settled();
    expect(there(USER).managerSuid).toBeNull();
  });

  // covers: scim 96
  test('are removed with deleted members', async () => {
    await setManager(USER, MANAGER);
    await wiki.usableBy(USER, MANAGER);
    await wiki.save();
    await wiki.settled();
    await portal.call(deleteUser, { body: { suid: acme(MANAGER).suid, org: 'acme' } }, { token });
    await wiki.settled();
    expect(there(USER).managerSuid).toBeNull();
  });
});

describe('a third-party SCIM service', () => {
  let service: Awaited<ReturnType<typeof startForeignService>>;
  let wiki: ReturnType<typeof teamWiki>;
  beforeEach(async () => {
    service = await startForeignService(TOKEN);
    wiki = teamWiki(portal, token, { url: service.url, secret: TOKEN });
  });
  afterEach(() => service.close());

  const managerAt = (email: string) => {
    const enterprise = service.personCalled(email)?.[ENTERPRISE_SCHEMA];
    return isObject(enterprise) && isObject(enterprise.manager) ? enterprise.manager.value : undefined;
  };

  test.each(['put', 'patch'] as const)(
    'receives reports again by %s after it recreated their manager with a new ID',
    { tags: 'whole' },
    async (changesBy) => {
      await setManager(USER, MANAGER);
      await wiki.usableBy(USER, MANAGER);
      await wiki.save({ changesBy });
      await wiki.settled();
      const { id } = service.personCalled(MANAGER) ?? {};
      expect(managerAt(USER)).toBe(id);
      service.people.delete(id ?? '');
      await setAttribute(MANAGER, 'name.givenName', 'Mira');
      await wiki.settled();
      expect(service.personCalled(MANAGER)).toMatchObject({ name: { givenName: 'Mira' } });
      expect(service.personCalled(MANAGER)?.id).not.toBe(id);
      expect(managerAt(USER)).toBe(service.personCalled(MANAGER)?.id);
    },
  );

  test('receives roles in the Entra ID format, if configured', { tags: 'whole' }, async () => {
    await wiki.usableBy(USER);
    await wiki.save();
    await wiki.settled();
    expect(service.personCalled(USER)).not.toHaveProperty('roles');
    await wiki.save({ sendRoles: true });
    await wiki.settled();
    expect(service.personCalled(USER)?.roles).toEqual([{ value: 'USER', display: 'Org User', primary: true }]);
  });

  /** Returns the body of the last request that created or changed a person. */
  async function lastSent(): Promise<unknown> {
    const [newest] = await wiki.log();
    return JSON.parse(newest?.requests.at(-1)?.body ?? '{}');
  }

  test('receives only the selected attributes of registered schemas', { tags: 'whole' }, async () => {
    const attributes = [{ name: 'costCode' }, { name: 'badge' }, { name: 'shift', type: 'integer', multiValued: true }];
    const body = { urn: HR, name: 'HR', attributes } as never;
    const { schemaId } = (await portal.call(createScimSchema, { body }, { token })).body.schema;
    await setAttribute(USER, `${HR}:costCode`, 'CC-1');
    await setAttribute(USER, `${HR}:badge`, '4711');
    await setAttribute(USER, `${HR}:shift`, [1, 2]);
    await wiki.usableBy(USER);
    await wiki.save({ sendAttributes: [`${HR}:costCode`, `${HR}:shift`] });
    await wiki.settled();
    expect(await lastSent()).toMatchObject({
      schemas: expect.arrayContaining([HR]),
      [HR]: { costCode: 'CC-1', shift: [1, 2] },
    });
    expect(JSON.stringify(await wiki.log())).not.toContain('4711');

    await wiki.save({ changesBy: 'patch', sendAttributes: [`${HR}:costCode`] });
    await wiki.settled();
    expect(await lastSent()).toMatchObject({ Operations: [{ op: 'remove', path: `${HR}:shift` }] });
    await portal.call(deleteScimSchema, { params: { schemaId }, body: { deleteValues: true } }, { token });
    await wiki.settled();
    expect(await lastSent()).toMatchObject({ Operations: [{ op: 'remove', path: HR }] });
  });

  test('learns nothing about members who lost access except that they are inactive', async () => {
    await wiki.usableBy(USER);
    await wiki.save();
    await wiki.settled();
    await wiki.usableBy();
    await wiki.settled();
    service.asked.length = 0;
    await setAttribute(USER, 'name.givenName', 'Dan');
    await wiki.settled();
    expect(service.asked).toEqual([]);
    expect(service.personCalled(USER)).toMatchObject({ active: false, name: { givenName: 'Daniel' } });
    await portal.call(sendAllProvisioning, { ...teamWikiRequest, body: {} }, { token });
    await wiki.usableBy(USER);
    await wiki.settled();
    expect(service.personCalled(USER)).toMatchObject({ active: true, name: { givenName: 'Dan' } });
  });

  test('receives a member exactly as previewed', async () => {
    const preview = async (suid?: string) =>
      (await portal.call(previewAppProvisioning, { ...teamWikiRequest, query: { suid } }, { token })).body;
    expect(await preview()).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
    await setManager(USER, MANAGER);
    await wiki.usableBy(USER, MANAGER);
    await wiki.save({ sendRoles: true });
    await wiki.settled();
    const { resource } = await preview(acme(USER).suid);
    expect(resource).toMatchObject({
      externalId: acme(USER).suid,
      userName: USER,
      roles: [{ value: 'USER' }],
      [ENTERPRISE_SCHEMA]: { manager: { value: managerAt(USER) } },
    });
    await portal.call(manageUser, { body: { suid: acme(USER).suid, action: 'pause' } }, { token });
    expect((await preview(acme(USER).suid)).resource).toMatchObject({ active: false });
    expect(await preview()).toMatchObject({ resource: null });
    const { token: other } = await portal.signIn('admin@globex.test');
    const response = await portal.call(previewAppProvisioning, { ...teamWikiRequest, query: {} }, { token: other });
    expect(response.status).toBe(403);
  });
});

test('rejects attributes that are in none of the organisation’s own schemas', async () => {
  const globex = await portal.signIn('admin@globex.test');
  const schema = { urn: HR, name: 'HR', attributes: [{ name: 'costCode' }] } as never;
  expect((await portal.call(createScimSchema, { body: schema }, globex)).status).toBe(200);
  const body: Partial<ProvisioningForm> = { enabled: false, sendAttributes: [`${HR}:costCode`] };
  const wiki = teamWiki(portal, token, { url: 'https://scim.test/v2', secret: TOKEN });
  const message = `None of the organisation’s schemas contains ${HR}:costCode`;
  expect(await wiki.save(body)).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'sendAttributes.0', message }] },
  });
  expect(await wiki.read()).toBeNull();
});
