import { DAY, HOUR, MINUTE } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { nextMailAttempt } from './deliver-mails.ts';

test('retries an email after 30 seconds, doubling the delay up to an hour', () => {
  const waits = [1, 2, 3, 4, 7, 8, 9, 50].map((attempts) => nextMailAttempt({ attempts, createdAt: 0 }, 0));
  expect(waits).toEqual([0.5, 1, 2, 4, 32, 60, 60, 60].map((minutes) => minutes * MINUTE));
});

test('gives up on an email after three days', () => {
  expect(nextMailAttempt({ attempts: 60, createdAt: 0 }, 3 * DAY - HOUR)).toBe(3 * DAY);
  expect(nextMailAttempt({ attempts: 60, createdAt: 0 }, 3 * DAY - HOUR + 1)).toBeNull();
});
