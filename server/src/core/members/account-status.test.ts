import { accountStatus } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { Refusal } from '#platform/refusal.ts';
import { nextAccountStatus } from './account-status.ts';

const untouched = accountStatus.options.filter((status) => status !== 'deleted' && status !== 'inactive');

test.each(untouched)('restores the status %s when a member is enabled', (status) => {
  const paused = nextAccountStatus({ accountStatus: status, statusBeforePause: null }, 'pause');
  expect(paused).toEqual({ accountStatus: 'inactive', statusBeforePause: status });
  expect(nextAccountStatus(paused, 'pause')).toEqual(paused);
  expect(nextAccountStatus(paused, 'unpause')).toEqual({ accountStatus: status, statusBeforePause: null });
});

test("doesn't change an active member who is enabled again", () => {
  const status = { accountStatus: 'active', statusBeforePause: null } as const;
  expect(nextAccountStatus(status, 'unpause')).toEqual(status);
});

test.each(untouched.filter((status) => status !== 'active'))(
  'refuses to enable a member who is %s',
  (accountStatus) => {
    const status = { accountStatus, statusBeforePause: null };
    expect(() => nextAccountStatus(status, 'unpause')).toThrow(new Refusal('USER_NOT_REGISTERED_FOR_ORG'));
  },
);

test('makes a disabled member without an earlier status active', () => {
  const disabled = { accountStatus: 'inactive' as const, statusBeforePause: null };
  expect(nextAccountStatus(disabled, 'unpause')).toEqual({ accountStatus: 'active', statusBeforePause: null });
});

test('refuses to change the status of a deleted member', () => {
  const deleted = nextAccountStatus({ accountStatus: 'inactive', statusBeforePause: 'invited' }, 'delete');
  expect(deleted).toEqual({ accountStatus: 'deleted', statusBeforePause: null });
  for (const action of ['pause', 'unpause', 'delete'] as const) {
    expect(() => nextAccountStatus(deleted, action)).toThrow(new Refusal('ID_DOESNOT_EXIST'));
  }
});
