import { type Permission, SYSTEM_ROLES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { profileOf } from '#testing.ts';
import { memberRightsOf } from './member-rights.ts';

const administrator = (...permissions: Permission[]) =>
  profileOf({ suid: 's-admin', roleCode: 'SUPER_ADMIN', permissions });
const member = { suid: 's-2', accountStatus: 'active' } as const;

test('requires a separate permission for each action', () => {
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
test('also requires the mobile code permission for a desktop code', () => {
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE'), member, true).canGenerate).toEqual({
    mobile: true,
    desktop: false,
  });
  expect(memberRightsOf(administrator('GENERATE_ACT_CODE_DESKTOP'), member, true).canGenerate).toEqual({
    mobile: false,
    desktop: false,
  });
});

test('lets users edit their own profile and generate their own desktop code', () => {
  const rights = memberRightsOf(profileOf({ suid: 's-2', permissions: [] }), member, false);
  expect(rights).toMatchObject({ isSelf: true, canEdit: true, canDelete: false });
  expect(rights.canGenerate).toEqual({ mobile: false, desktop: true });
});

test('allows disabling only active members and enabling only inactive members', () => {
  const mayManage = (accountStatus: Parameters<typeof memberRightsOf>[1]['accountStatus']) =>
    memberRightsOf(administrator('PAUSE_USER'), { ...member, accountStatus }, true).canManage;
  expect(mayManage('inactive')).toBe(true);
  expect(mayManage('unregistered')).toBe(false);
  expect(mayManage('invited')).toBe(false);
});

test('allows no action on a deleted member', () => {
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

test('requires permission to email and to generate codes, except for the user’s own desktop code', () => {
  const mailing = (suid: string, ...permissions: Permission[]) =>
    memberRightsOf(administrator(...permissions), { ...member, suid }, true).canEmail;
  expect(mailing('s-2', 'SEND_ACT_CODE_EMAIL')).toEqual({ mobile: false, desktop: false });
  expect(mailing('s-2', 'GENERATE_ACT_CODE')).toEqual({ mobile: false, desktop: false });
  expect(mailing('s-2', 'SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE')).toEqual({ mobile: true, desktop: false });
  expect(mailing('s-admin', 'SEND_ACT_CODE_EMAIL')).toEqual({ mobile: false, desktop: true });
});

test('allows only emailing a code if the member has more permissions than the user', () => {
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
