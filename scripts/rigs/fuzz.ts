import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { parsePositiveIntegers } from './whole-numbers.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    patience: { type: 'string', default: '2000' },
  },
});
const { requests, seed, patience } = parsePositiveIntegers({ ...values });
const began = performance.now();
const report = await runFuzz({
  requests,
  seed,
  patienceMs: patience,
  warmUp: 5_000,
  onProgress: (sent) => process.stderr.write(`\r${sent} sent`),
});

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const growth = report.heap.after / report.heap.before - 1;
console.log(`
${report.sent} hostile requests in ${Math.round((performance.now() - began) / 1_000)} s, seed ${seed}
answers    ${Object.entries(report.statuses)
  .map(([kind, times]) => `${kind} ${times}`)
  .join(', ')}
signed out ${(report.signedOut * 100).toFixed(1)} % of what signed-in people sent
slowest    ${Math.round(report.slowest)} ms
memory     ${megabytes(report.heap.before)} → ${megabytes(report.heap.after)} (${(growth * 100).toFixed(1)} %)
failures   ${report.failures.length}
defects    ${report.defects.length}`);

if (report.failures.length + report.defects.length > 0) {
  const file = join(tmpdir(), `orchestrate-fuzz-${seed}.json`);
  writeFileSync(file, JSON.stringify({ failures: report.failures, defects: report.defects }, null, 2));
  console.log(`All failures are in ${file}.`);
}
const holds = report.failures.length === 0 && report.defects.length === 0 && report.signedOut < 0.05 && growth <= 0.2;
process.exitCode = holds ? 0 : 1;
