import { expect, test, vi } from 'vitest';

test('restores animation frames after the focused field was removed under fake timers', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  // Waits for pending animation frames.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  vi.useFakeTimers();
  field.focus();
  field.remove();
  vi.useRealTimers();
  expect(await new Promise((resolve) => requestAnimationFrame(resolve))).toBeGreaterThan(0);
});
