import { expect, test } from 'vitest';
import { memoryDb, targetRow } from '../../testing.ts';
import { memberRepo, outboundMarkRepo, outboundPersonRepo, outboundTargetRepo } from '../index.ts';

const now = Date.UTC(2026, 10, 25, 8, 4);
const app = { orgCode: 'acme', appId: 'team-wiki' };

test('marks all members in resumable slices, then the groups', () => {
  const { db, raw, close } = memoryDb({ now });
  const target = () => {
    const found = outboundTargetRepo.findTarget(db, app.orgCode, app.appId);
    if (!found) throw new Error('Expected a service, found none.');
    return found;
  };
  const counts = () => {
    const having = (column: string) =>
      Number(raw.prepare(`SELECT count(${column}) FROM provisioned_people`).pluck().get());
    return { marked: having('suid'), sent: having('sent'), groups: having('groupId') };
  };
  outboundTargetRepo.saveTarget(db, targetRow({ createdAt: now, pausedUntil: now + 60_000 }));
  const members = `SELECT count(*) FROM members WHERE orgCode = 'acme'`;
  const present = Number(raw.prepare(`${members} AND accountStatus <> 'deleted'`).pluck().get());
  const deleted = Number(raw.prepare(`${members} AND accountStatus = 'deleted'`).pluck().get());
  const groups = Number(raw.prepare(`SELECT count(*) FROM groups WHERE orgCode = 'acme'`).pluck().get());
  const atMost = 80;
  expect(present).toBeGreaterThan(2 * atMost);

  outboundMarkRepo.markAll(db, target(), { now, atMost });
  const { marked } = counts();
  expect(marked).toBeLessThanOrEqual(atMost);
  expect(marked).toBeGreaterThanOrEqual(atMost - deleted);
  expect(outboundPersonRepo.countPeople(db, target()).people.waiting).toBe(marked + present + deleted - atMost);
  // No row is due before the service's pause ends.
  expect(outboundPersonRepo.findNextPersonTime(db)).toBe(now + 60_000);
  let slices = 1;
  for (; outboundMarkRepo.findMarking(db); slices += 1) outboundMarkRepo.markMore(db, target(), now, atMost);
  expect(slices).toBe(Math.ceil((present + deleted) / atMost) + 1);
  expect(counts()).toEqual({ marked: present, sent: 0, groups });

  // `marksAnew` clears the sent state of all rows, even if another `markAll` call restarts the marking.
  raw.exec(`UPDATE provisioned_people SET sent = '{}'`);
  outboundMarkRepo.markAll(db, target(), { now, marksAnew: true, atMost });
  outboundMarkRepo.markAll(db, target(), { now, atMost });
  expect(counts().sent).toBe(present + groups - marked);
  while (outboundMarkRepo.findMarking(db)) outboundMarkRepo.markMore(db, target(), now, atMost);
  expect(counts().sent).toBe(0);

  // Marking stops when the service is stopped, and never affects other organisations.
  outboundMarkRepo.markAll(db, target(), { now, atMost });
  outboundTargetRepo.changeTarget(db, app.orgCode, app.appId, { stoppedAt: now });
  expect(outboundMarkRepo.findMarking(db)).toBeUndefined();
  const foreign = raw.prepare(
    `SELECT count(*) FROM provisioned_people WHERE suid IN (SELECT suid FROM members WHERE orgCode <> 'acme')`,
  );
  expect(foreign.pluck().get()).toBe(0);
  expect(memberRepo.findMemberByEmail(db, 'globex', 'admin@globex.test')).toBeDefined();
  close();
});
