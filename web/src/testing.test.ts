import { expect, test, vi } from 'vitest';

test('restores animation frames after a test with fake timers removed the focused field', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  // Waits until no animation frame is pending.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  vi.useFakeTimers();
  field.focus();
  field.remove();
  vi.useRealTimers();
  expect(await new Promise((resolve) => requestAnimationFrame(resolve))).toBeGreaterThan(0);
});
