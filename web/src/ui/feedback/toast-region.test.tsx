import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '#lib/notices/toaster.ts';
import { user } from '#testing.ts';
import { system } from '#theme.ts';
import ToastRegion from './toast-region.tsx';

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const toasts = () => screen.queryAllByRole('status');
const toastTexts = () => toasts().map(({ textContent }) => textContent);
/** Duration of a toast's exit animation. */
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
test('shows a toast at the top centre for three seconds', async () => {
  act(() => toast.success('Pocket was deleted'));
  await pass(2_900);
  expect(toastTexts()).toEqual(['Pocket was deleted']);
  expect(toasts()[0]?.dataset).toMatchObject({ state: 'open', side: 'top', align: 'center' });
  await pass(200);
  expect(toasts()[0]?.dataset.state).toBe('closed');
  await pass(FADE_MS);
  expect(toastTexts()).toEqual([]);
});

// covers: spec 1.8.18
test('shows at most three toasts at a time and queues the next one', async () => {
  act(() => {
    for (const text of ['one', 'two', 'three', 'four']) toast.info(text);
  });
  await pass(100);
  expect(toastTexts().sort()).toEqual(['one', 'three', 'two']);
  await pass(3_000 + FADE_MS);
  expect(toastTexts()).toEqual(['four']);
  await pass(3_000 + FADE_MS);
  expect(toastTexts()).toEqual([]);
});

test('closes a toast early on request', async () => {
  act(() => toast.error('Something went wrong!'));
  await pass(100);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await pass(FADE_MS);
  expect(toastTexts()).toEqual([]);
});

test('adds the reason to an error toast', async () => {
  act(() => toast.error("Couldn't delete the application", 'It may have been deleted.'));
  await pass(100);
  expect(toastTexts()).toEqual(["Couldn't delete the applicationIt may have been deleted."]);
  await pass(3_000 + FADE_MS);
});

test('keeps a focused toast open and lets Tab move past it', async () => {
  const save = screen.getByRole('button', { name: 'Save' });
  act(() => save.focus());
  act(() => toast.success('Saved'));
  await pass(100);
  await user.tab();
  expect(toasts()[0]).toBe(document.activeElement);
  await pass(10_000);
  expect(toastTexts()).toEqual(['Saved']);
  await user.tab();
  expect(screen.getByRole('button', { name: 'Close' })).toBe(document.activeElement);
  await user.tab();
  await pass(100);
  expect(document.activeElement).not.toBe(save);
  await pass(3_000 + FADE_MS);
  expect(toastTexts()).toEqual([]);
});

test('restores the focus when a toast is closed by keyboard', async () => {
  const save = screen.getByRole('button', { name: 'Save' });
  act(() => save.focus());
  act(() => toast.success('Saved'));
  await pass(100);
  await user.tab();
  await user.tab();
  await user.keyboard('{Enter}');
  await pass(FADE_MS);
  expect(toastTexts()).toEqual([]);
  expect(save).toBe(document.activeElement);
});
