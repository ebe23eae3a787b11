import { expect, test } from 'vitest';
import { runFuzz } from './run-fuzz.ts';

// covers: security 4.2.1, security 15.3.6
test('rejects hostile requests without crashing, stalling or leaking memory', async () => {
  // A short run of `pnpm fuzz`, with a time limit that suits a busy machine.
  const report = await runFuzz({ requests: 500, warmUp: 1_000, seed: 20_260_302, patienceMs: 20_000 });
  expect(report.failures).toEqual([]);
  expect(report.defects).toEqual([]);
  expect(report.sent).toBe(1_500);
  // If sessions ended, all later requests would only return 401.
  expect(report.signedOut).toBeLessThan(0.05);
  expect(report.heap.after).toBeLessThan(report.heap.before * 1.2);
});
