import { type Permission, SYSTEM_ROLES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { profileOf } from '../../testing.ts';
import { memberRightsOf } from './member-rights.ts';

const administrator = (...permissions: Permission[]) =>
  profileOf({ suid: 's-admin', roleCode: 'SUPER_ADMIN', permissions });
const member = { suid: 's-2', accountStatus: 'active' } as const;

test('each action has its own permission', () => {
  expect(memberRightsOf(administrator('UPDATE_USER'), member)).toMatchObject({ canEdit: true, canManage: false });
  expect(memberRightsOf(administrator('PAUSE_USER'), member)).toMatchObject({ canManage: true, canDelete: false });
  expect(memberRightsOf(administrator('REMOVE_USER'), member)).toMatchObject({ canDelete: true, canEdit: false });
  expect(memberRightsOf(administrator('SEND_ACT_CODE_EMAIL'), member).canEmail).toBe(true);
});

test('a desktop code needs the permission for mobile codes too', () => {
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE'), member).canGenerate).toEqual({
    mobile: true,
    desktop: false,
  });
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE_DESKTOP'), member).canGenerate).toEqual({
    mobile: false,
    desktop: false,
  });
});

test('everybody edits himself and makes his own desktop code', () => {
  const rights = memberRightsOf(profileOf({ suid: 's-2', permissions: [] }), member);
  expect(rights).toMatchObject({ isSelf: true, canEdit: true, canDelete: false });
  expect(rights.canGenerate).toEqual({ mobile: false, desktop: true });
});

test('only an active member can be disabled and only an inactive one enabled', () => {
  const mayManage = (accountStatus: Parameters<typeof memberRightsOf>[1]['accountStatus']) =>
    memberRightsOf(administrator('PAUSE_USER'), { ...member, accountStatus }).canManage;
  expect(mayManage('inactive')).toBe(true);
  expect(mayManage('unregistered')).toBe(false);
  expect(mayManage('invited')).toBe(false);
});

test('nothing can be done to a deleted member', () => {
  const all = SYSTEM_ROLES.flatMap(({ permissions }) => permissions);
  expect(memberRightsOf(administrator(...all), { ...member, accountStatus: 'deleted' })).toEqual({
    isSelf: false,
    canEdit: false,
    canManage: false,
    canDelete: false,
    canGenerate: { mobile: false, desktop: false },
    canEmail: false,
  });
});
