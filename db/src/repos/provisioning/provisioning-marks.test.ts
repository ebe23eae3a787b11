import { expect, test } from 'vitest';
import { memoryDb, targetRow } from '../../testing.ts';
import { memberRepo, provisionedPersonRepo, provisioningMarkRepo, provisioningTargetRepo } from '../index.ts';

const now = Date.UTC(2026, 10, 25, 8, 4);
const app = { orgCode: 'acme', appId: 'team-wiki' };

test('everybody is marked in slices, which go on from where they were, and the groups last', () => {
  const { db, raw, close } = memoryDb({ now });
  const target = () => {
    const found = provisioningTargetRepo.findTarget(db, app.orgCode, app.appId);
    if (!found) throw new Error('Expected a service, found none.');
    return found;
  };
  const counts = () => {
    const having = (column: string) =>
      Number(raw.prepare(`SELECT count(${column}) FROM provisioned_people`).pluck().get());
    return { marked: having('suid'), sent: having('sent'), groups: having('groupId') };
  };
  provisioningTargetRepo.saveTarget(db, targetRow({ createdAt: now, pausedUntil: now + 60_000 }));
  const members = `SELECT count(*) FROM members WHERE orgCode = 'acme'`;
  const everybody = Number(raw.prepare(`${members} AND accountStatus <> 'deleted'`).pluck().get());
  const deleted = Number(raw.prepare(`${members} AND accountStatus = 'deleted'`).pluck().get());
  const groups = Number(raw.prepare(`SELECT count(*) FROM groups WHERE orgCode = 'acme'`).pluck().get());
  const atMost = 80;
  expect(everybody).toBeGreaterThan(2 * atMost);

  provisioningMarkRepo.markEverybody(db, target(), { now, atMost });
  const { marked } = counts();
  expect(marked).toBeLessThanOrEqual(atMost);
  expect(marked).toBeGreaterThanOrEqual(atMost - deleted);
  expect(provisionedPersonRepo.countPeople(db, target()).people.waiting).toBe(marked + everybody + deleted - atMost);
  // Nobody is due before the service is asked again.
  expect(provisionedPersonRepo.findNextPersonTime(db)).toBe(now + 60_000);
  let slices = 1;
  for (; provisioningMarkRepo.findMarking(db); slices += 1) provisioningMarkRepo.markMore(db, target(), now, atMost);
  expect(slices).toBe(Math.ceil((everybody + deleted) / atMost) + 1);
  expect(counts()).toEqual({ marked: everybody, sent: 0, groups });

  // What was sent is forgotten for everybody, also where everybody is marked once more before that is done.
  raw.exec(`UPDATE provisioned_people SET sent = '{}'`);
  provisioningMarkRepo.markEverybody(db, target(), { now, marksAnew: true, atMost });
  provisioningMarkRepo.markEverybody(db, target(), { now, atMost });
  expect(counts().sent).toBe(everybody + groups - marked);
  while (provisioningMarkRepo.findMarking(db)) provisioningMarkRepo.markMore(db, target(), now, atMost);
  expect(counts().sent).toBe(0);

  // Not while it is stopped, and not of another organisation.
  provisioningMarkRepo.markEverybody(db, target(), { now, atMost });
  provisioningTargetRepo.changeTarget(db, app.orgCode, app.appId, { stoppedAt: now });
  expect(provisioningMarkRepo.findMarking(db)).toBeUndefined();
  const foreign = raw.prepare(
    `SELECT count(*) FROM provisioned_people WHERE suid IN (SELECT suid FROM members WHERE orgCode <> 'acme')`,
  );
  expect(foreign.pluck().get()).toBe(0);
  expect(memberRepo.findMemberByEmail(db, 'globex', 'admin@globex.test')).toBeDefined();
  close();
});
