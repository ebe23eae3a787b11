import { expect, test, vi } from 'vitest';

test('after a test that faked the timers while the focused field left the page, frames are drawn as before', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  // Waits until no animation frame is pending.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  vi.useFakeTimers();
  field.focus();
  field.remove();
  vi.useRealTimers();
  expect(await new Promise((resolve) => requestAnimationFrame(resolve))).toBeGreaterThan(0);
});
