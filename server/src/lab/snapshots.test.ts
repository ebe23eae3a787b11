import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, seedDatabase } from '@orchestrate/db';
import { dumpDatabase } from '@orchestrate/db/testing';
import {
  addFault,
  addSocketFault,
  clearFaults,
  dropSnapshot,
  endSpace,
  getProfile,
  listSnapshots,
  login,
  loginState,
  makePerson,
  makeSpace,
  readClock,
  readFaults,
  readPeople,
  readPolicies,
  readSocketFaults,
  resetLab,
  restoreSnapshot,
  setClock,
  setPolicy,
  takeSnapshot,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { startPortal } from '#testing-api/start-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const USER = 'user@acme.test';
const POLICY = { match: { email: USER }, answer: 'ignore' as const, afterMs: 0 };
const SOCKET_FAULT = { channel: 'login' as const, do: 'drop' as const, times: 2 };
const FAULT = { match: { path: '/api/health' }, answer: { status: 500 }, times: 3, after: 0 };

const dump = () => {
  // Leave out the audit rows that the lab call itself writes, because the snapshot doesn't contain them.
  const {
    audit_events: _,
    audit_search: _search,
    ...rest
  } = dumpDatabase({ ...portal.deps.db, db: portal.deps.db, raw: portal.deps.db.$client, close() {} });
  return rest;
};

test('restores data, sessions, clock, policies, and faults on calls and sockets', async () => {
  const { token, profile } = await portal.signIn(USER);
  await portal.call(addFault, { body: FAULT });
  await portal.call(addSocketFault, { body: SOCKET_FAULT });
  await portal.call(setPolicy, { body: POLICY });
  await portal.call(setClock, { body: { advance: '1m' } });
  const before = dump();
  const { now } = (await portal.call(readClock, {})).body;
  const { snapshotId } = (await portal.call(takeSnapshot, { body: { name: 'Signed in' } })).body;

  await portal.call(resetLab, { body: { seed: 'none' } });
  expect((await portal.call(getProfile, {}, { token })).status).toBe(401);

  const { status } = await portal.call(restoreSnapshot, { params: { snapshotId } });
  expect(status).toBe(200);
  expect(dump()).toEqual(before);
  expect((await portal.call(getProfile, {}, { token })).body.profile).toEqual(profile);
  expect((await portal.call(readClock, {})).body.now).toBe(now);
  expect((await portal.call(readFaults, {})).body.faults).toEqual([FAULT]);
  expect((await portal.call(readSocketFaults, {})).body.faults).toEqual([SOCKET_FAULT]);
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([POLICY]);
});

test('starts a space from a snapshot with its sessions and time', async () => {
  const { token } = await portal.signIn(USER);
  await portal.call(setClock, { body: { advance: '2m' } });
  const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
  await portal.call(resetLab, { body: {} });
  const made = (await portal.call(makeSpace, { body: { from: snapshotId } })).body;
  const call = createPortalCall({ baseUrl: made.url, headers: { authorization: `Bearer ${token}` } });
  expect((await call(getProfile, {})).profile.email).toBe(USER);
  expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
  await portal.call(endSpace, { params: { spaceId: made.spaceId } });
});

test('starts a space with the snapshot’s faults and policies and resets to them', {
  tags: 'whole',
}, async () => {
  const { email } = await portal.lab.person({ org: 'acme' });
  await portal.lab.fault({ match: { path: '/api/health' }, answer: { status: 503 }, times: 2 });
  await portal.lab.socketFault(SOCKET_FAULT);
  await portal.lab.policy({ match: { email }, answer: 'deny', opens: true, times: 1 });
  const { snapshotId } = await portal.lab.snapshot();
  await portal.lab.reset();
  await using space = await portal.lab.space({ from: snapshotId });
  for (const round of [1, 2]) {
    expect((await fetch(`${space.url}/api/health`)).status, `round ${round}`).toBe(503);
    expect((await space.socketFaults()).faults).toEqual([SOCKET_FAULT]);
    const { loginId = '' } = await space.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
    await expect.poll(async () => (await space.call(loginState, { params: { loginId } })).state).toBe('rejected');
    expect((await space.policies()).policies).toEqual([]);
    await space.reset();
  }
  expect((await portal.lab.faults()).faults).toEqual([]);
});

test('resets a space to its snapshot or to a seed', {
  tags: 'whole',
}, async () => {
  const prepared = await portal.lab.person({ org: 'acme' });
  await portal.lab.clock({ freezeAt: '2030-01-01T00:00:00Z', tokens: 'lab' });
  const { snapshotId, drop } = await portal.lab.snapshot();
  await using space = await portal.lab.space({ from: snapshotId });
  await drop();
  const { email } = await space.person({ org: 'acme' });
  await space.clock({ advance: '1d' });
  await space.fault({ match: { path: '/api/health' }, answer: { status: 503 } });
  await space.reset();
  expect((await space.people({ email: prepared.email })).total).toBe(1);
  expect((await space.people({ email })).total).toBe(0);
  expect(await space.clock()).toMatchObject({ now: '2030-01-01T00:00:00.000Z', mode: 'frozen', tokens: 'lab' });
  expect((await space.faults()).faults).toEqual([]);
  await space.reset({ seed: 'none' });
  expect((await space.people()).total).toBe(0);
  await space.reset();
  expect((await space.session({ email: prepared.email })).profile.email).toBe(prepared.email);
});

test('starts a space at the snapshot’s time even if the portal’s time differs', {
  tags: 'whole',
}, async () => {
  await using main = await startPortal({ seed: { now: '2031-01-01T00:00:00Z', organisations: [{ code: 'initech' }] } });
  await main.clock({ freezeAt: '2032-01-01T00:00:00Z' });
  const { snapshotId } = await main.snapshot();
  await using space = await main.space({ from: snapshotId });
  expect(await space.clock()).toMatchObject({ now: '2032-01-01T00:00:00.000Z' });
  await using other = await main.space({ from: snapshotId, now: '2033-01-01T00:00:00Z' });
  await other.reset();
  expect(await other.clock()).toMatchObject({ now: '2033-01-01T00:00:00.000Z' });
});

test('keeps emails from a snapshot in the future in a space, no matter how old', { tags: 'whole' }, async () => {
  const codes = [{ issuedAt: '-100d', expiresAt: '+1d' }];
  const people = [{ email: 'milton@initech.test', status: 'invited' as const, activationCodes: codes }];
  await portal.lab.reset({ seed: { now: '2150-05-01T08:00:00Z', organisations: [{ code: 'initech', people }] } });
  const { snapshotId } = await portal.lab.snapshot();
  await using space = await portal.lab.space({ from: snapshotId });
  expect((await space.outbox()).map(({ to }) => to)).toEqual(['milton@initech.test']);
});

test('restores a portal with a database on disk and starts a space from its snapshot', {
  tags: 'whole',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  const database = openDatabase({ file: join(folder, 'portal.db') });
  seedDatabase(database.db, 'demo', TEST_NOW);
  const onDisk = await testPortal({ database });
  try {
    const { body: person } = await onDisk.call(makePerson, { body: { org: 'acme' } });
    const { snapshotId } = (await onDisk.call(takeSnapshot, { body: {} })).body;
    await onDisk.call(resetLab, { body: {} });
    const { status, body: made } = await onDisk.call(makeSpace, { body: { from: snapshotId } });
    expect(status).toBe(200);
    const call = createPortalCall({ baseUrl: made.url });
    const peopleWith = { query: { email: person.email } };
    expect((await call(readPeople, peopleWith)).total).toBe(1);
    expect((await onDisk.call(readPeople, peopleWith)).body.total).toBe(0);
    await onDisk.call(restoreSnapshot, { params: { snapshotId } });
    expect((await onDisk.call(readPeople, peopleWith)).body.total).toBe(1);
    await onDisk.call(endSpace, { params: { spaceId: made.spaceId } });
  } finally {
    await onDisk.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('ends in the state of the last of several concurrent restores and resets', {
  tags: 'whole',
}, async () => {
  const states: ReturnType<typeof dump>[] = [];
  const snapshotIds: string[] = [];
  for (const email of ['first@acme.test', 'second@acme.test', 'third@acme.test']) {
    await portal.call(resetLab, { body: {} });
    await portal.call(makePerson, { body: { org: 'acme', email } });
    await portal.call(setClock, { body: { freezeAt: new Date(TEST_NOW).toISOString() } });
    states.push(dump());
    snapshotIds.push((await portal.call(takeSnapshot, { body: {} })).body.snapshotId);
  }
  await portal.call(resetLab, { body: {} });
  states.push(dump());
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      ...snapshotIds.map((snapshotId) => portal.call(restoreSnapshot, { params: { snapshotId } })),
      portal.call(resetLab, { body: {} }),
      ...snapshotIds.map((snapshotId) => portal.call(restoreSnapshot, { params: { snapshotId } })),
      portal.call(resetLab, { body: {} }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(states).toContainEqual(dump());
    expect((await portal.signIn(USER)).profile.email).toBe(USER);
  }
});

test.each(['reset', 'restore'] as const)('clears rate limits on %s', async (how) => {
  await using limited = await testPortal({ config: { rateLimit: 1 } });
  const { restore } = await limited.lab.snapshot();
  const [acme] = (await limited.lab.world()).organisations ?? [];
  const { username, password } = acme?.provisioning ?? {};
  const statuses = async () => {
    const started = await limited.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
    const people = Array.from({ length: 51 }, () =>
      limited.http.get('/scim/v2/acme/ServiceProviderConfig').auth(username ?? '', password ?? ''),
    );
    return [started.status, (await Promise.all(people)).at(-1)?.status];
  };
  await statuses();
  expect(await statuses()).toEqual([429, 429]);
  await (how === 'reset' ? limited.lab.reset() : restore());
  expect((await limited.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).status).toBe(200);
  const directory = await limited.http.get('/scim/v2/acme/ServiceProviderConfig').auth(username ?? '', password ?? '');
  expect(directory.status).toBe(200);
});

test('lists, deletes and limits snapshots', async () => {
  for (let taken = 0; taken < 20; taken += 1) await portal.call(takeSnapshot, { body: {} });
  const refused = await portal.call(takeSnapshot, { body: {} });
  expect({ status: refused.status, message: refused.body.message }).toEqual({
    status: 409,
    message: 'There are already 20 snapshots. Delete one first.',
  });
  const { snapshots } = (await portal.call(listSnapshots, {})).body;
  expect(snapshots).toHaveLength(20);
  const { snapshotId = '' } = snapshots[0] ?? {};
  await portal.call(dropSnapshot, { params: { snapshotId } });
  const gone = await portal.call(restoreSnapshot, { params: { snapshotId } });
  expect(gone).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
  await portal.call(clearFaults, { query: {} });
});

test('rejects a space with both a seed and a snapshot, or with an unknown snapshot', async () => {
  const both = await portal.call(makeSpace, { body: { seed: 'demo', from: 'x' } });
  expect({ status: both.status, path: both.body.issues?.[0]?.path }).toEqual({ status: 400, path: 'from' });
  const none = await portal.call(makeSpace, { body: { from: 'nothing' } });
  expect({ status: none.status, message: none.body.message }).toEqual({
    status: 404,
    message: 'There is no snapshot nothing.',
  });
});
