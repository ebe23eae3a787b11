import { auditRepo, memberRepo } from '@orchestrate/db';
import { endpoint, manageUser, updateUser } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { implement } from '#platform/http/implement.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { record } from './record.ts';

const forgetful = endpoint({
  method: 'POST',
  path: '/test/forgetful',
  area: 'Service',
  summary: 'A write that may forget to record itself',
  access: { who: 'signed-in' },
  body: z.object({ records: z.enum(['nothing', 'something-else', 'no-change']) }),
  reply: z.object({}),
  events: ['member.updated'],
});

const lines: string[] = [];
let portal: TestPortal;
beforeEach(async () => {
  lines.length = 0;
  portal = await testPortal({
    onLog: (line) => lines.push(line),
    register: (app, deps) =>
      implement(app, deps, forgetful, ({ actor, body: { records } }) => {
        const object = { type: 'member', id: 'a', name: 'A' } as const;
        const facts = { before: { firstName: 'A' }, after: { firstName: 'A' } };
        if (records === 'no-change') record(deps, deps.db, actor, { action: 'member.updated', object, ...facts });
        if (records === 'something-else') record(deps, deps.db, actor, { action: 'member.deleted', object });
        return {};
      }),
  });
});
afterEach(() => portal.close());

const eventsOf = (orgCode = 'acme') => auditRepo.listEvents(portal.deps.db, orgCode, {}, { count: 100 });

function member(email: string) {
  const found = memberRepo.findMemberByEmail(portal.deps.db, 'acme', email);
  if (!found) throw new Error(`There is no ${email}.`);
  return found;
}

// covers: security 16.1.1, security 16.2.1, security 16.2.2
test('records an edit as one event with actor, sign-in method, address, member and changes', async () => {
  const { token, profile } = await portal.signIn('super.admin@acme.test');
  const { suid, primaryAttr, firstName, lastName, primaryEmail, roleCode } = member('user@acme.test');
  const body = { primaryAttr, firstName: 'Renamed', lastName, primaryEmail };
  expect((await portal.call(updateUser, { body }, { token })).body.resultCode).toBe(0);
  expect(eventsOf()).toEqual([
    {
      id: expect.any(Number),
      orgCode: 'acme',
      at: TEST_NOW,
      action: 'member.updated',
      actorKind: 'member',
      actorSuid: profile.suid,
      actorName: `${profile.firstName} ${profile.lastName}`,
      actorMode: 'QID',
      actorSid: expect.any(String),
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      objectType: 'member',
      objectId: suid,
      objectName: `Renamed ${lastName}`,
      suid,
      changes: [{ field: 'firstName', before: firstName, after: 'Renamed' }],
    },
  ]);
  expect(roleCode).toBe('USER');
});

test('records no event if nothing was changed', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid, primaryAttr, firstName, lastName, primaryEmail } = member('user@acme.test');
  const body = { primaryAttr, firstName, lastName, primaryEmail };
  expect((await portal.call(updateUser, { body }, { token })).body.resultCode).toBe(0);
  expect((await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token })).body.resultCode).toBe(0);
  expect(eventsOf()).toEqual([]);
});

test('records no event for a rejected change', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr, firstName, lastName } = member('user@acme.test');
  const body = { primaryAttr, firstName, lastName, primaryEmail: 'helpdesk.admin@acme.test' };
  expect((await portal.call(updateUser, { body }, { token })).body.resultName).toBe('EMAIL_EXISTS');
  expect(eventsOf()).toEqual([]);
});

test('fails writes that record no event or an undeclared event, except in production', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const answer = async (records: 'nothing' | 'something-else' | 'no-change') =>
    (await portal.call(forgetful, { body: { records } }, { token })).status;
  expect(await answer('no-change')).toBe(200);
  expect(await answer('nothing')).toBe(500);
  expect(lines.join()).toContain('POST /test/forgetful must record member.updated, but recorded nothing.');
  expect(await answer('something-else')).toBe(500);
  expect(lines.join()).toContain('POST /test/forgetful recorded member.deleted, but declares only: member.updated.');
});

// covers: security 16.4.2
test('forbids changing events and deleting them before their retention ends', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = member('user@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  const { $client: raw } = portal.deps.db;
  expect(() => raw.exec(`UPDATE audit_events SET actorName = 'Somebody else'`)).toThrow(/not changed/);
  expect(() => raw.exec('DELETE FROM audit_events')).toThrow(/is kept/);
  const prune = (before: number) => portal.deps.db.transaction((tx) => auditRepo.pruneEvents(tx, before, 10));
  expect(prune(TEST_NOW)).toEqual(new Map());
  expect(eventsOf()).toHaveLength(1);
  expect(prune(TEST_NOW + 1)).toEqual(new Map([['acme', 1]]));
  expect(eventsOf()).toEqual([]);
});

test('deletes events older than AUDIT_DAYS and records how many', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = member('user@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  portal.clock.advance(364 * 86_400);
  expect(eventsOf().map(({ action }) => action)).toEqual(['member.paused']);
  portal.clock.advance(2 * 86_400);
  expect(eventsOf()).toMatchObject([
    {
      action: 'activity.forgotten',
      actorKind: 'system',
      changes: [{ field: 'events', after: 1 }, { field: 'before' }],
    },
  ]);
});

// covers: spec 3.1.2
test('finds an organisation’s events by actor, object, action, time or text, newest first', async () => {
  const { deps } = portal;
  const actor = { orgCode: 'acme', suid: 'ada', name: 'Ada Löv', mode: 'QID', sid: 's', ip: '10.0.0.1', recorded: [] };
  const happen = (orgCode: string, kind: 'member' | 'directory', id: string, at: number) => {
    portal.clock.freeze(at);
    const object = { type: 'device' as const, id, name: `Phone ${id}`, suid: 'owner' };
    return record(deps, deps.db, { ...actor, orgCode, kind }, { action: 'device.paused', object });
  };
  const a = happen('acme', 'member', 'a', TEST_NOW + 10);
  const b = happen('acme', 'directory', 'b', TEST_NOW + 20);
  const c = happen('acme', 'member', 'c', TEST_NOW + 30);
  const early = happen('acme', 'member', 'early', TEST_NOW + 5);
  happen('globex', 'member', 'a', TEST_NOW + 10);
  const found = (filter: auditRepo.AuditFilter, count = 10, before?: number) =>
    auditRepo.listEvents(deps.db, 'acme', filter, { count, before }).map(({ id }) => id);
  expect(found({})).toEqual([c, b, a, early]);
  expect(found({ actorKind: 'member' })).toEqual([c, a, early]);
  expect(found({ actorSuid: 'ada', actorKind: 'directory' })).toEqual([b]);
  expect(found({ objectType: 'device', objectId: 'a' })).toEqual([a]);
  expect(found({ suid: 'owner' }, 2)).toEqual([c, b]);
  expect(found({ suid: 'owner' }, 2, b)).toEqual([a, early]);
  expect(found({ action: 'device.paused', from: TEST_NOW + 10, to: TEST_NOW + 30 })).toEqual([b, a]);
  expect(found({ from: TEST_NOW + 10, to: TEST_NOW + 30 })).toEqual([b, a]);
  expect(found({ text: 'lov' })).toEqual([c, b, a, early]);
  expect(found({ text: 'PHONE C' })).toEqual([c]);
  expect(found({ text: 'phone', objectId: 'c' })).toEqual([c]);
  expect(found({ text: '10.0.0.1"' })).toEqual([]);
  expect(found({ suid: 'nobody' })).toEqual([]);
});
