import { join } from 'node:path';
import { type Duration, medianDuration, wordedDuration } from '../duration.ts';
import { beside, runProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';
import type { BareTimes } from '../time-bare-database.ts';
import type { InstanceTimes } from '../time-test-portal.ts';

const PROCESSES = 5;
const MAX_FIRST_MS = 150;
const MAX_RESET_MS = 20;

export const testInstance: Row = {
  name: 'test-instance',
  title: 'A portal for a test, in its own process',
  about: `\`testPortal()\` of \`@orchestrate/server/testing\`: seeded in memory, listening, ready. First in a fresh process (after
the imports, which are given by themselves), then again in the same one; and \`POST /api/lab/reset\` over HTTP. Medians of ${PROCESSES}
processes each. No product offers the same, so the bare way is a floor and not a rival: for the first, opening a database in
memory and migrating it, without one row; for the next, opening a copy of the seeded bytes; for the reset, the same, since it also
brings back every row.`,
  run: timeInstances,
};

async function timeInstances(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const ours: InstanceTimes[] = [];
  const bare: BareTimes[] = [];
  for (let round = 0; round < PROCESSES; round += 1) {
    ours.push(await runProgram<InstanceTimes>(beside('time-test-portal.ts'), { log }));
    bare.push(await runProgram<BareTimes>(beside('time-bare-database.ts'), { log }));
  }
  const our = (name: keyof InstanceTimes) => medianDuration(ours.map((times) => times[name]));
  const opened = medianDuration(bare.map((times) => times.opened));
  const copied = medianDuration(bare.map((times) => times.copied));
  return [
    compared('first in a process', our('first'), opened, MAX_FIRST_MS),
    compared('each one after it', our('next'), copied),
    compared('reset', our('reset'), copied, MAX_RESET_MS),
    { what: 'importing it, before the first', ours: wordedDuration(our('imported')) },
  ];
}

function compared(what: string, ours: Duration, bare: Duration, maxMs?: number): Measurement {
  return {
    what,
    ours: wordedDuration(ours),
    bare: wordedDuration(bare),
    ratio: ours.cpu / bare.cpu,
    ...(maxMs !== undefined && { target: { words: `≤ ${maxMs} ms`, isMet: ours.cpu <= maxMs } }),
  };
}
