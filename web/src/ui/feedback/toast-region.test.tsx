import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '#lib/notices/toaster.ts';
import { user } from '#testing.ts';
import { system } from '#theme.ts';
import ToastRegion from './toast-region.tsx';

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const toasts = () => screen.queryAllByRole('status');
const said = () => toasts().map(({ textContent }) => textContent);
/** A closed toast takes another moment to fade. */
const FADE_MS = 400;

beforeEach(async () => {
  vi.useFakeTimers();
  render(
    <ChakraProvider value={system}>
      <button type="button">Save</button>
      <ToastRegion />
    </ChakraProvider>,
  );
  await pass(0);
});
afterEach(() => {
  vi.useRealTimers();
});

// covers: spec 1.8.18
test('a toast stands top-centre for three seconds', async () => {
  act(() => toast.success('Pocket was deleted'));
  await pass(2_900);
  expect(said()).toEqual(['Pocket was deleted']);
  expect(toasts()[0]?.dataset).toMatchObject({ state: 'open', side: 'top', align: 'center' });
  await pass(200);
  expect(toasts()[0]?.dataset.state).toBe('closed');
  await pass(FADE_MS);
  expect(said()).toEqual([]);
});

// covers: spec 1.8.18
test('at most three are shown at once, and the next one waits', async () => {
  act(() => {
    for (const text of ['one', 'two', 'three', 'four']) toast.info(text);
  });
  await pass(100);
  expect(said().sort()).toEqual(['one', 'three', 'two']);
  await pass(3_000 + FADE_MS);
  expect(said()).toEqual(['four']);
  await pass(3_000 + FADE_MS);
  expect(said()).toEqual([]);
});

test('a toast can be closed before its time', async () => {
  act(() => toast.error('Something went wrong!'));
  await pass(100);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await pass(FADE_MS);
  expect(said()).toEqual([]);
});

test('a failure says why', async () => {
  act(() => toast.error('Failed to delete app', 'It may have been deleted.'));
  await pass(100);
  expect(said()).toEqual(['Failed to delete appIt may have been deleted.']);
  await pass(3_000 + FADE_MS);
});

test('a toast stays while it has the focus, and Tab leads past it', async () => {
  const save = screen.getByRole('button', { name: 'Save' });
  act(() => save.focus());
  act(() => toast.success('Saved'));
  await pass(100);
  await user.tab();
  expect(toasts()[0]).toBe(document.activeElement);
  await pass(10_000);
  expect(said()).toEqual(['Saved']);
  await user.tab();
  expect(screen.getByRole('button', { name: 'Close' })).toBe(document.activeElement);
  await user.tab();
  await pass(100);
  expect(document.activeElement).not.toBe(save);
  await pass(3_000 + FADE_MS);
  expect(said()).toEqual([]);
});

test('a toast that is closed by keyboard gives the focus back to where it came from', async () => {
  const save = screen.getByRole('button', { name: 'Save' });
  act(() => save.focus());
  act(() => toast.success('Saved'));
  await pass(100);
  await user.tab();
  await user.tab();
  await user.keyboard('{Enter}');
  await pass(FADE_MS);
  expect(said()).toEqual([]);
  expect(save).toBe(document.activeElement);
});
