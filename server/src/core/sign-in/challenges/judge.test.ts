import { expect, test } from 'vitest';
import { judge } from './judge.ts';

const NOW = 1_000_000;
const scanned: Parameters<typeof judge>[0] = {
  status: 'pending',
  expiresAt: NOW + 1,
  matchNumber: null,
};
const push = { ...scanned, matchNumber: '42' };

test('approves a scanned request without a number', () => {
  expect(judge(scanned, { decision: 'approve' }, NOW)).toEqual({ status: 'approved', result: null, reason: null });
});

test('approves a push only with the number displayed in the browser', () => {
  expect(judge(push, { decision: 'approve', number: '42' }, NOW).status).toBe('approved');
  for (const number of ['24', undefined])
    expect(judge(push, { decision: 'approve', number }, NOW)).toEqual({
      status: 'denied',
      result: 'INVALID_VALIDATION_CODE',
      reason: 'wrong-number',
    });
});

test('returns the reason for a denial', () => {
  expect(judge(push, { decision: 'deny', reason: 'not-me' }, NOW)).toMatchObject({
    status: 'denied',
    reason: 'not-me',
  });
  expect(judge(push, { decision: 'deny' }, NOW)).toMatchObject({ status: 'denied', reason: 'cancel' });
});

test.each(['approved', 'denied'] as const)(
  'refuses to change the response to an %s request, even after it expires',
  (status) => {
    expect(() => judge({ ...scanned, status }, { decision: 'deny' }, NOW + 2)).toThrow('already been answered');
  },
);

test('refuses an answer to an expired or cancelled request', () => {
  expect(() => judge(scanned, { decision: 'approve' }, NOW + 1)).toThrow('expired');
  expect(() => judge({ ...scanned, status: 'cancelled' }, { decision: 'approve' }, NOW)).toThrow('expired');
});
