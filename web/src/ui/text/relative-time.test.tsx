import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatDateTime } from '#lib/format/dates.ts';
import { user } from '#testing.ts';
import { system } from '#theme.ts';
import { RelativeTime, relativeTime } from './relative-time.tsx';

const now = new Date(2026, 10, 20, 14, 0).getTime();
const at = (...local: [number, number, number, number, number]) => relativeTime(new Date(...local), now);

test('tells how long ago a moment was, then its date', () => {
  expect(relativeTime(new Date(now - 20_000), now)).toBe('just now');
  expect(at(2026, 10, 20, 13, 58)).toBe('2 min ago');
  expect(at(2026, 10, 20, 9, 10)).toBe('5 h ago');
  expect(at(2026, 10, 19, 23, 0)).toBe('yesterday');
  expect(at(2026, 10, 18, 23, 59)).toBe('18 Nov');
  expect(at(2025, 10, 18, 23, 59)).toBe('18 Nov 2025');
});

test('tells when a moment will be', () => {
  expect(at(2026, 10, 20, 14, 30)).toBe('in 30 min');
  expect(at(2026, 10, 20, 18, 0)).toBe('in 4 h');
  expect(at(2026, 10, 21, 14, 0)).toBe('tomorrow');
});

test('counts hours across midnight', () => {
  const night = new Date(2026, 10, 20, 0, 30).getTime();
  expect(relativeTime(new Date(2026, 10, 19, 22, 30), night)).toBe('2 h ago');
});

test('shows the exact time on hover and on keyboard focus', async () => {
  const iso = new Date(now - 120_000).toISOString();
  render(
    <ChakraProvider value={system}>
      <RelativeTime at={iso} clock={() => now} />
    </ChakraProvider>,
  );
  const time = screen.getByText('2 min ago');
  expect(time.getAttribute('datetime')).toBe(iso);
  await user.tab();
  expect((await screen.findByRole('tooltip')).textContent).toBe(formatDateTime(iso));
  expect(document.getElementById(time.getAttribute('aria-describedby') ?? '')?.textContent).toBe(formatDateTime(iso));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  await user.hover(time);
  await screen.findByRole('tooltip');
});
