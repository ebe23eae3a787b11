import { type Permission, SYSTEM_ROLES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { profileOf } from '#testing.ts';
import { memberRightsOf } from './member-rights.ts';

const administrator = (...permissions: Permission[]) =>
  profileOf({ suid: 's-admin', roleCode: 'SUPER_ADMIN', permissions });
const member = { suid: 's-2', accountStatus: 'active' } as const;

test('each action has its own permission', () => {
  expect(memberRightsOf(administrator('UPDATE_USER'), member, true)).toMatchObject({ canEdit: true, canManage: false });
  expect(memberRightsOf(administrator('PAUSE_USER'), member, true)).toMatchObject({
    canManage: true,
    canDelete: false,
    canReportLost: false,
    canEndSignIns: true,
  });
  expect(memberRightsOf(administrator('REMOVE_USER'), member, true)).toMatchObject({ canDelete: true, canEdit: false });
});

// covers: spec 1.6.8
test('a desktop code needs the permission for mobile codes too', () => {
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE'), member, true).canGenerate).toEqual({
    mobile: true,
    desktop: false,
  });
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE_DESKTOP'), member, true).canGenerate).toEqual({
    mobile: false,
    desktop: false,
  });
});

test('people edit their own profile and make their own desktop code', () => {
  const rights = memberRightsOf(profileOf({ suid: 's-2', permissions: [] }), member, false);
  expect(rights).toMatchObject({ isSelf: true, canEdit: true, canDelete: false });
  expect(rights.canGenerate).toEqual({ mobile: false, desktop: true });
});

test('only an active member can be disabled and only an inactive one enabled', () => {
  const mayManage = (accountStatus: Parameters<typeof memberRightsOf>[1]['accountStatus']) =>
    memberRightsOf(administrator('PAUSE_USER'), { ...member, accountStatus }, true).canManage;
  expect(mayManage('inactive')).toBe(true);
  expect(mayManage('unregistered')).toBe(false);
  expect(mayManage('invited')).toBe(false);
});

test('nothing can be done to a deleted member', () => {
  const all = SYSTEM_ROLES.flatMap(({ permissions }) => permissions);
  expect(memberRightsOf(administrator(...all), { ...member, accountStatus: 'deleted' }, true)).toEqual({
    isSelf: false,
    hasAuthority: true,
    canEdit: false,
    canEditDetails: false,
    canManage: false,
    canDelete: false,
    canReportLost: false,
    canEndSignIns: false,
    canGenerate: { mobile: false, desktop: false },
    canEmail: { mobile: false, desktop: false },
  });
});

test('mailing a code needs the permissions to mail and to generate it; your own desktop code only the one to mail', () => {
  const mailing = (suid: string, ...permissions: Permission[]) =>
    memberRightsOf(administrator(...permissions), { ...member, suid }, true).canEmail;
  expect(mailing('s-2', 'SEND_ACT_CODE_EMAIL')).toEqual({ mobile: false, desktop: false });
  expect(mailing('s-2', 'GENERATE_ACT_CODE')).toEqual({ mobile: false, desktop: false });
  expect(mailing('s-2', 'SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE')).toEqual({ mobile: true, desktop: false });
  expect(mailing('s-admin', 'SEND_ACT_CODE_EMAIL')).toEqual({ mobile: false, desktop: true });
});

test('for a member with more permissions a code can be mailed, and nothing else', () => {
  const all = SYSTEM_ROLES.flatMap(({ permissions }) => permissions);
  expect(memberRightsOf(administrator(...all), member, false)).toEqual({
    isSelf: false,
    hasAuthority: false,
    canEdit: false,
    canEditDetails: false,
    canManage: false,
    canDelete: false,
    canReportLost: false,
    canEndSignIns: false,
    canGenerate: { mobile: false, desktop: false },
    canEmail: { mobile: true, desktop: true },
  });
});
