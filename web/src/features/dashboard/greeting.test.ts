import { expect, test } from 'vitest';
import { greetingAt } from './dashboard-screen.tsx';

test('matches the greeting to the local hour', () => {
  const greetings = [4, 5, 11, 12, 17, 18, 23, 0].map(greetingAt);
  expect(greetings).toEqual([
    'Hello',
    'Good morning',
    'Good morning',
    'Good afternoon',
    'Good afternoon',
    'Good evening',
    'Good evening',
    'Hello',
  ]);
});
