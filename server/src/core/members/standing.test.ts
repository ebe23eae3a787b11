import { accountStatus } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { Refusal } from '#platform/refusal.ts';
import { changeStanding } from './standing.ts';

const untouched = accountStatus.options.filter((status) => status !== 'deleted' && status !== 'inactive');

test.each(untouched)('enabling brings back that somebody was %s', (status) => {
  const paused = changeStanding({ accountStatus: status, statusBeforePause: null }, 'pause');
  expect(paused).toEqual({ accountStatus: 'inactive', statusBeforePause: status });
  expect(changeStanding(paused, 'pause')).toEqual(paused);
  expect(changeStanding(paused, 'unpause')).toEqual({ accountStatus: status, statusBeforePause: null });
});

test('enabling changes nothing for somebody who is active', () => {
  const standing = { accountStatus: 'active', statusBeforePause: null } as const;
  expect(changeStanding(standing, 'unpause')).toEqual(standing);
});

test.each(untouched.filter((status) => status !== 'active'))(
  'enabling does not register somebody who is %s',
  (status) => {
    const standing = { accountStatus: status, statusBeforePause: null };
    expect(() => changeStanding(standing, 'unpause')).toThrow(new Refusal('USER_NOT_REGISTERED_FOR_ORG'));
  },
);

test('somebody whose earlier status is unknown becomes active', () => {
  const disabled = { accountStatus: 'inactive' as const, statusBeforePause: null };
  expect(changeStanding(disabled, 'unpause')).toEqual({ accountStatus: 'active', statusBeforePause: null });
});

test('somebody who has been deleted stays deleted', () => {
  const deleted = changeStanding({ accountStatus: 'inactive', statusBeforePause: 'invited' }, 'delete');
  expect(deleted).toEqual({ accountStatus: 'deleted', statusBeforePause: null });
  for (const action of ['pause', 'unpause', 'delete'] as const) {
    expect(() => changeStanding(deleted, action)).toThrow(new Refusal('ID_DOESNOT_EXIST'));
  }
});
