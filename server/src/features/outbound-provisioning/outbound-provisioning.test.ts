import {
  deleteAppProvisioning,
  deleteUser,
  getAppProvisioning,
  listActivity,
  manageUser,
  resendProvisionedPerson,
  SECOND,
  saveAppProvisioning,
  sendAllProvisioning,
  testAppProvisioning,
  updateUser,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JITTER } from '#platform/live/next-delivery-attempt.ts';
import { startForeignService } from '#protocols/scim/client/foreign-service-testing.ts';
import { memberByEmail } from '#testing/device.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { globexScim, teamWiki, teamWikiRequest, waitUntil } from './team-wiki-testing.ts';

const TOKEN = 'a token of the service';
const USER = 'user@acme.test';
const MANAGER = 'manager@acme.test';

let portal: TestPortal;
let service: Awaited<ReturnType<typeof startForeignService>>;
let token: string;
let wiki: ReturnType<typeof teamWiki>;
beforeEach(async () => {
  portal = await testPortal();
  service = await startForeignService(TOKEN);
  ({ token } = await portal.signIn('super.admin@acme.test'));
  wiki = teamWiki(portal, token, { url: service.url, secret: TOKEN });
});
afterEach(async () => {
  await portal.close();
  await service.close();
});

const suidOf = (email: string) => wiki.suidOf(email);
const save = (body?: object) => wiki.save(body);
const read = () => wiki.read();
const log = () => wiki.log();
const logged = () => wiki.operations();
const usableBy = (...emails: string[]) => wiki.usableBy(...emails);
const settled = () => wiki.settled();
const act = (action: 'pause' | 'unpause') =>
  portal.call(manageUser, { body: { suid: suidOf(USER), action } }, { token });
async function rename(firstName: string) {
  const { primaryAttr, lastName } = memberByEmail(portal, 'acme', USER);
  const body = { primaryAttr, firstName, lastName, primaryEmail: USER };
  expect((await portal.call(updateUser, { body }, { token })).status).toBe(200);
}

/** Waits until the newest delivery has been attempted `attempts` times. */
const attempted = (attempts: number) =>
  waitUntil(async () => {
    const [newest] = await log();
    return newest?.attempts === attempts && newest.status === 'waiting' && newest;
  });

/** Sets up the service and waits until it has received its only member, the user. */
async function started(settings: object = {}) {
  await usableBy(USER);
  await save(settings);
  await settled();
  service.asked.length = 0;
}

describe('a third-party SCIM service', () => {
  // covers: scim 93, scim 100, scim 101, scim 104
  test.each(['put', 'patch'] as const)('stores the member, with changes sent by %s', async (changesBy) => {
    await started({ changesBy });
    expect(await read()).toMatchObject({ url: service.url, people: { current: 1, waiting: 0, failed: 0 } });
    expect([...service.people.values()]).toMatchObject([
      {
        userName: USER,
        externalId: suidOf(USER),
        active: true,
        name: { givenName: 'Daniel', familyName: 'Ortiz' },
        emails: [{ value: USER, primary: true }],
      },
    ]);
    await rename('Dan');
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' }, displayName: 'Dan Ortiz' });
    await act('pause');
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ active: false });
    await act('unpause');
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ active: true });
    await portal.call(deleteUser, { body: { suid: suidOf(USER), org: 'acme' } }, { token });
    await settled();
    expect(service.people.size).toBe(0);
    const operations = ['delete', 'activate', 'deactivate', 'update', 'create'];
    expect(await logged()).toEqual(operations.map((operation) => `${operation} delivered`));
    const written = changesBy.toUpperCase();
    expect(service.asked.map((request) => request.split(' ')[0])).toEqual([written, written, written, 'DELETE']);
  });

  test('deletes or deactivates members who lost access, as configured', async () => {
    await usableBy(USER, MANAGER);
    await save();
    await settled();
    await usableBy(MANAGER);
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ active: false });
    await save({ withoutAccess: 'delete' });
    await settled();
    expect(service.personCalled(USER)).toBeUndefined();
    expect(service.personCalled(MANAGER)).toMatchObject({ active: true });
    await usableBy(USER);
    await settled();
    expect([...service.people.values()].map(({ userName }) => userName)).toEqual([USER]);
  });

  test('adopts an existing member', async () => {
    const id = 'older-than-us';
    service.people.set(id, { id, userName: USER, displayName: 'Somebody' });
    await started();
    expect([...service.people.values()]).toMatchObject([{ id, externalId: suidOf(USER), displayName: 'Daniel Ortiz' }]);
    expect(await logged()).toEqual(['adopt delivered']);
  });

  // covers: scim 98
  test('adopts a member found by searching after the service reports a conflict', async () => {
    const id = 'hidden-at-first';
    service.people.set(id, { id, userName: USER });
    const noUsers = { status: 200, body: { totalResults: 0, Resources: [] } };
    service.instead.push(noUsers, noUsers);
    await started();
    expect([...service.people.keys()]).toEqual([id]);
    const [delivery] = await log();
    expect(delivery).toMatchObject({ operation: 'adopt', status: 'delivered' });
    expect(delivery?.requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'GET 200',
      'GET 200',
      'POST 409',
      'GET 200',
      'PUT 200',
    ]);
  });

  // covers: scim 98
  test('finds a created member by searching if the service returns no body', async () => {
    const id = 'created-in-silence';
    service.people.set(id, { id, userName: USER });
    const noUsers = { status: 200, body: { totalResults: 0, Resources: [] } };
    service.instead.push(noUsers, noUsers, { status: 201, body: 'OK' });
    await started();
    expect(service.personCalled(USER)).toMatchObject({ id, externalId: suidOf(USER) });
    expect(await read()).toMatchObject({ people: { current: 1, failed: 0 } });
  });

  // covers: scim 99
  test('receives a member again after losing them', async () => {
    await started();
    service.people.clear();
    await rename('Dan');
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' } });
    expect(service.asked.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'GET', 'POST']);
  });

  test('receives unchanged members only if all are resent', { tags: 'whole' }, async () => {
    await started();
    await save({ withoutAccess: 'deactivate' });
    await settled();
    expect(service.asked).toEqual([]);
    service.people.clear();
    await portal.call(sendAllProvisioning, { ...teamWikiRequest, body: {} }, { token });
    await settled();
    expect(service.people.size).toBe(1);
  });

  test('receives all active members with access', async () => {
    await act('pause');
    await save();
    const { people } = await settled();
    expect(service.people.size).toBe(people.current);
    expect(people.current).toBeGreaterThan(100);
    expect(service.personCalled(USER)).toBeUndefined();
  });

  test('ends up with the latest change, even if members change during delivery', async () => {
    await started();
    await Promise.all([rename('Dan'), act('pause'), rename('Danny'), act('unpause'), rename('D.')]);
    await settled();
    const { firstName, accountStatus } = memberByEmail(portal, 'acme', USER);
    const active = accountStatus !== 'inactive';
    expect(service.personCalled(USER)).toMatchObject({ name: { givenName: firstName }, active });
  });
});

describe('a failing service', () => {
  /** Advances past a delay, including its maximum jitter. */
  const later = (ms: number) => portal.clock.advance((ms * (1 + JITTER)) / SECOND);

  // covers: scim 105
  test('is retried after 5 s for one member, and its response is logged', async () => {
    await started();
    const body = { schemas: [], detail: 'The disk is full', status: '500' };
    service.instead.push({ status: 500, body });
    await rename('Dan');
    const failed = await attempted(1);
    expect(failed).toMatchObject({
      operation: 'update',
      error: 'The service failed (500): The disk is full',
      nextAttemptAt: expect.any(String),
      requests: [{ method: 'PUT', status: 500, answer: JSON.stringify(body) }],
    });
    const wait = Date.parse(failed.nextAttemptAt ?? '') - TEST_NOW;
    expect(wait).toBeGreaterThanOrEqual(5 * SECOND);
    later(5 * SECOND);
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' } });
    expect((await log())[0]).toMatchObject({ id: failed.id, status: 'delivered', attempts: 2, error: '' });
  });

  // covers: scim 107
  test.each([429, 503])('is paused for the Retry-After time after a %i', async (status) => {
    await started();
    service.instead.push({ status, headers: { 'retry-after': '90' } });
    await rename('Dan');
    await attempted(1);
    const pausedUntil = new Date(TEST_NOW + 90 * SECOND).toISOString();
    expect(await read()).toMatchObject({ pausedUntil, people: { waiting: 1 } });
    // A change made during the pause also waits.
    await act('pause');
    portal.clock.advance(80);
    expect(service.asked).toHaveLength(1);
    portal.clock.advance(10);
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ active: false, name: { givenName: 'Dan' } });
    expect(await read()).toMatchObject({ pausedUntil: null });
  });

  test('is retried if it doesn’t respond', async () => {
    await started();
    service.instead.push('cut');
    await rename('Dan');
    expect(await attempted(1)).toMatchObject({
      error: "Couldn't reach this address",
      requests: [{ status: null }],
    });
    later(5 * SECOND);
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' } });
  });

  // covers: scim 106
  test.each(['put', 'patch'] as const)(
    'is retried if an intermediary responds with a page, by %s',
    async (changesBy) => {
      await started({ changesBy });
      service.instead.push({ status: 200, body: '<!doctype html><title>Sign in</title>' });
      await rename('Dan');
      expect(await attempted(1)).toMatchObject({
        error: "The service didn't respond with JSON (200)",
      });
      later(5 * SECOND);
      await settled();
      expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' } });
    },
  );

  // covers: scim 106
  test.each(['put', 'patch'] as const)(
    'fails for only one member if a response is too large, by %s',
    async (changesBy) => {
      await started({ changesBy });
      service.instead.push({ status: 200, body: 'x'.repeat(5_000_000) });
      await rename('Dan');
      expect(await attempted(1)).toMatchObject({
        error: 'The service responded with more than 4 MiB (200)',
        requests: [{ status: 200 }],
      });
      expect(await read()).toMatchObject({ pausedUntil: null });
      later(5 * SECOND);
      await settled();
      expect(service.personCalled(USER)).toMatchObject({ name: { givenName: 'Dan' } });
    },
  );

  // covers: scim 105
  test('is retried only manually after it rejects a member', async () => {
    await started();
    service.instead.push({ status: 400, body: { scimType: 'invalidValue', detail: 'No such name' } });
    await rename('Dan');
    expect(await settled()).toMatchObject({ people: { failed: 1 } });
    const [refused] = await log();
    expect(refused).toMatchObject({
      status: 'failed',
      error: 'The service rejected the request (400): invalidValue: No such name',
      nextAttemptAt: null,
    });
    const params = { ...teamWikiRequest.params, suid: suidOf(USER) };
    const { body } = await portal.call(resendProvisionedPerson, { params, body: {} }, { token });
    expect(body.delivery).toMatchObject({ operation: 'update', status: 'delivered' });
    expect(await read()).toMatchObject({ people: { current: 1, failed: 0 } });
  });

  // covers: scim 97
  test('pauses and notifies administrators if it rejects the credentials, until saved again', async () => {
    await started();
    service.instead.push({ status: 401 });
    await rename('Dan');
    const stopped = await waitUntil(async () => {
      const now = await read();
      return now?.stoppedAt ? now : undefined;
    });
    expect(stopped).toMatchObject({
      enabled: true,
      stopReason: 'The service rejected the credentials (401)',
      people: { waiting: 1 },
    });
    await act('pause');
    portal.clock.advance(120);
    expect(service.asked).toHaveLength(1);
    const { Items } = (await portal.call(listActivity, { query: {} }, { token })).body;
    expect(Items).toContainEqual(expect.objectContaining({ action: 'app-provisioning.stopped' }));
    await save();
    expect(await settled()).toMatchObject({ stoppedAt: null, stopReason: '' });
    expect(service.personCalled(USER)).toMatchObject({ active: false, name: { givenName: 'Dan' } });
  });
});

describe('provisioning settings', () => {
  // covers: scim 97
  test('keep the secret sealed, never return it, and use it only for its address', async () => {
    const { body } = await save({ enabled: false });
    expect(JSON.stringify(body)).not.toContain(TOKEN);
    expect(JSON.stringify(await read())).not.toContain(TOKEN);
    expect(portal.deps.db.$client.prepare('SELECT secret FROM provisioning_targets').pluck().get()).toMatch(/^s1\./);
    const without = async (url: string) =>
      portal.call(saveAppProvisioning, { ...teamWikiRequest, body: { url, enabled: false } }, { token });
    expect((await without(`${service.url}/`)).status).toBe(200);
    const elsewhere = await without('https://elsewhere.test/scim');
    expect(elsewhere).toMatchObject({ status: 400, body: { issues: [{ path: 'secret' }] } });
    const reply = await portal.call(
      testAppProvisioning,
      { ...teamWikiRequest, body: { url: 'http://127.0.0.1:9' } },
      { token },
    );
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: 'secret' }] } });
  });

  test('can be tested before saving, without writing anything', async () => {
    const attempt = async (body: object) =>
      (
        await portal.call(
          testAppProvisioning,
          { ...teamWikiRequest, body: { url: service.url, secret: TOKEN, ...body } },
          { token },
        )
      ).body;
    expect(await attempt({})).toMatchObject({ ok: true, checks: [{ status: 200 }, { status: 200 }] });
    expect(await attempt({ secret: 'wrong' })).toMatchObject({
      ok: false,
      checks: [
        { status: 401 },
        { status: 401, message: expect.stringContaining('The service rejected the credentials') },
      ],
    });
    service.instead.push(
      { status: 200, body: { patch: { supported: false } } },
      { status: 200, body: { totalResults: 7 } },
    );
    expect((await attempt({ changesBy: 'patch' })).checks.map(({ ok }) => ok)).toEqual([false, false]);
    expect(service.people.size).toBe(0);
    expect(await read()).toBeNull();
    expect(service.asked.every((request) => request.startsWith('GET '))).toBe(true);
  });

  test('reject a forbidden address, and are visible only to their organisation', async () => {
    for (const url of ['http://portal.example.test/', 'https://169.254.169.254/', 'https://user:pass@example.test/']) {
      expect((await save({ url })).status).toBe(400);
    }
    await save({ enabled: false });
    const { token: other } = await portal.signIn('admin@globex.test');
    const globex = { params: { orgCode: 'globex', appId: 'team-wiki' } };
    for (const input of [teamWikiRequest, globex]) {
      expect((await portal.call(getAppProvisioning, input, { token: other })).status).toBeGreaterThanOrEqual(403);
    }
  });

  test('are deleted with their data, but people stay at the service', async () => {
    await started();
    expect((await portal.call(deleteAppProvisioning, teamWikiRequest, { token })).status).toBe(200);
    expect(await read()).toBeNull();
    expect(await log()).toEqual([]);
    await act('pause');
    expect(service.personCalled(USER)).toMatchObject({ active: true });
    expect((await portal.call(sendAllProvisioning, { ...teamWikiRequest, body: {} }, { token })).status).toBe(404);
  });

  test('send nothing while off, and then everything that changed in the meantime', { tags: 'whole' }, async () => {
    await started();
    await save({ enabled: false });
    await act('pause');
    portal.clock.advance(60);
    expect(service.asked).toEqual([]);
    await save({ enabled: true });
    await settled();
    expect(service.personCalled(USER)).toMatchObject({ active: false });
  });
});

test('provisions another organisation of this portal through its own SCIM service', { tags: 'whole' }, async () => {
  await started({ ...(await globexScim(portal)), changesBy: 'patch' });
  const there = () => memberByEmail(portal, 'globex', USER);
  expect(there()).toMatchObject({ firstName: 'Daniel', externalId: suidOf(USER), accountStatus: 'unregistered' });
  await rename('Dan');
  await settled();
  expect(there()).toMatchObject({ firstName: 'Dan' });
  await act('pause');
  await settled();
  expect(there()).toMatchObject({ accountStatus: 'inactive' });
});
