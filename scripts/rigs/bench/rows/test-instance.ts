import { join } from 'node:path';
import { resetLab } from '@orchestrate/shared';
import { type Duration, formatDuration, median, medianDuration } from '../duration.ts';
import { PORTAL_ENTRY, portalEnv, runProgram, scriptPath, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';
import type { BareTimes } from '../time-bare-portal.ts';
import type { InstanceTimes } from '../time-test-portal.ts';

const PROCESSES = 5;
const RESETS = 7;
/** Ratios to the bare variant. On the machine for which they were set, they meant 150, 15 and 10 ms. */
const MAX_FIRST_RATIO = 1.15;
const MAX_NEXT_RATIO = 0.7;
const MAX_RESET_RATIO = 3.5;
const MAX_WHOLE_MS = 500;

export const testInstance: Row = {
  name: 'test-instance',
  runsSources: true,
  title: "A portal in the test's process",
  about: `\`startPortal()\` of \`orchestrate/testing\`, from its sources: seeded in memory, listening, ready. First in a fresh process (after
the imports, which are listed separately), then again in the same one; and \`POST /api/lab/reset\` over HTTP. Medians of ${PROCESSES}
processes each. No product offers the same, so the bare variant is a lower bound, not a competitor: for the first, Fastify listening with the
contract's routes as stubs, and a migrated database in memory without rows; for the next, the same routes
again and a copy of the seeded bytes; for the reset, opening such a copy, because a reset also restores every row. A server in its own process with a
database file is reset too: its first reset seeds the rows, as the first instance does, and later ones copy them.`,
  run: timeInstances,
};

async function timeInstances(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const ours: InstanceTimes[] = [];
  const bare: BareTimes[] = [];
  for (let round = 0; round < PROCESSES; round += 1) {
    ours.push(await runProgram<InstanceTimes>(scriptPath('time-test-portal.ts'), { log }));
    bare.push(await runProgram<BareTimes>(scriptPath('time-bare-portal.ts'), { log }));
  }
  const resets = await timeResets(folder);
  const our = (name: keyof InstanceTimes) => ours.map((times) => times[name]);
  const floor = (name: keyof BareTimes) => bare.map((times) => times[name]);
  return [
    compared('first in a process', our('first'), floor('first'), MAX_FIRST_RATIO),
    compared('later ones', our('next'), floor('next'), MAX_NEXT_RATIO),
    compared('reset', our('reset'), floor('copied'), MAX_RESET_RATIO),
    {
      what: 'start, reset and close',
      ours: formatDuration(medianDuration(our('whole'))),
      ...atMost(
        MAX_WHOLE_MS,
        our('whole').map(({ cpu }) => cpu),
        'ms',
      ),
    },
    { what: 'importing the module', ours: formatDuration(medianDuration(our('imported'))) },
    { what: 'first reset of a server with a file', ours: formatDuration(resets.first) },
    { what: 'later resets of a server with a file', ours: formatDuration(resets.later) },
  ];
}

/** Times one server's resets over HTTP. */
async function timeResets(folder: string): Promise<{ first: Duration; later: Duration }> {
  const env = portalEnv(join(folder, 'portal.db'));
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log: join(folder, 'log') });
  async function reset(): Promise<Duration> {
    const before = await portal.usage();
    const began = performance.now();
    const response = await fetch(`${portal.url}/api${resetLab.path}`, { method: 'POST' });
    await response.arrayBuffer();
    const wall = performance.now() - began;
    if (!response.ok) throw new Error(`The reset failed with status ${response.status}.`);
    return { wall, cpu: ((await portal.usage()).cpu - before.cpu) / 1_000 };
  }
  try {
    const first = await reset();
    const later: Duration[] = [];
    for (let time = 0; time < RESETS; time += 1) later.push(await reset());
    return { first, later: medianDuration(later) };
  } finally {
    await portal.stop();
  }
}

function compared(what: string, ours: readonly Duration[], bare: readonly Duration[], maxRatio: number): Measurement {
  const ratios = ours.map(({ cpu }, round) => cpu / (bare[round]?.cpu ?? Number.NaN));
  return {
    what,
    ours: formatDuration(medianDuration(ours)),
    bare: formatDuration(medianDuration(bare)),
    ratio: median(ratios),
    ...atMost(maxRatio, ratios),
  };
}
