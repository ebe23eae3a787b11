import { memberRepo } from '@orchestrate/db';
import { listRoles } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const roles = async (email: string) => (await portal.call(listRoles, {}, await portal.signIn(email))).body.Items;

// covers: spec 1.3.9, spec 2.3.10, spec 2.7.19
test('lets every member list the roles, admin roles first, with member counts', async () => {
  const items = await roles('user@acme.test');
  expect(items.map(({ roleCode, name, type }) => [roleCode, name, type])).toEqual([
    ['SUPER_ADMIN', 'Super Admin', 'admin'],
    ['HELPDESK_ADMIN', 'Help Desk Admin', 'admin'],
    ['SECURITY_ADMIN', 'Security Admin', 'admin'],
    ['CALL_CENTER_ADMIN', 'Call Center Admin', 'admin'],
    ['USER', 'Org User', 'user'],
    ['AUDITOR', 'Auditor', 'custom'],
    ['ONBOARDING_TEAM', 'Onboarding Team', 'custom'],
  ]);
  expect(items.find(({ roleCode }) => roleCode === 'SUPER_ADMIN')?.userCount).toBe(1);
  expect(items.reduce((total, { userCount }) => total + userCount, 0)).toBe(244);
});

test('updates the member counts after role changes and deletions', async () => {
  const { suid, ...member } = memberByEmail(portal, 'acme', 'zoe.lefevre@acme.test');
  const counts = async () => new Map((await roles('user@acme.test')).map((role) => [role.roleCode, role.userCount]));
  const before = await counts();
  memberRepo.editMember(portal.deps.db, 'acme', suid, { ...member, roleCode: 'AUDITOR' });
  const after = await counts();
  expect(after.get('AUDITOR')).toBe((before.get('AUDITOR') ?? 0) + 1);
  expect(after.get('USER')).toBe((before.get('USER') ?? 0) - 1);
  memberRepo.setAccountStatus(portal.deps.db, 'acme', suid, { accountStatus: 'deleted', statusBeforePause: null });
  expect((await counts()).get('AUDITOR')).toBe(before.get('AUDITOR'));
});

// covers: spec 1.7.26
test('keeps the roles of organisations separate', async () => {
  const items = await roles('admin@globex.test');
  expect(items).toHaveLength(5);
  expect(items.reduce((total, { userCount }) => total + userCount, 0)).toBe(8);
});
