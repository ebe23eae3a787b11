import { join } from 'node:path';
import { createDriver, type Driver, type Person } from '../create-driver.ts';
import { median } from '../median.ts';
import { beside, PORTAL, type Program, portalEnv, runProgram, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 5;
const MS = 3_000;
const BARE_MS = 1_000;
const WARM_UP_MS = 3_000;
/** People who sign in at the same time. */
const AT_ONCE = 16;
const MIN_RATIO = 0.5;

interface Load {
  perSecond: number;
  /** Processor time of the server per sign-in, in microseconds. */
  cpuMicroseconds: number;
}

export const signIns: Row = {
  name: 'sign-ins',
  title: 'Full sign-ins',
  about: `Begin by QR code, follow the channel from first message to success, open the code and approve it on the phone, exchange: four
calls and a socket, ${AT_ONCE} people at a time, the portal in a process of its own with its database in a file. Against the bare cost of
what no sign-in can do without, one after the other in one process and without HTTP: two ES256 signatures verified and one made
(node:crypto), six write transactions of eleven rows (better-sqlite3, the same journal). ${ROUNDS} rounds in turn; the ratio is that of
processor time per sign-in, the median of the rounds' ratios. The phone's own signatures count on neither side.`,
  run: compareSignIns,
};

async function compareSignIns(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = await startProgram(PORTAL, {
    path: '/api/health',
    env: portalEnv(join(folder, 'portal.db')),
    log,
  });
  const driver = createDriver(portal.url);
  try {
    const people = await activePeople(driver);
    await load(portal, driver, people, WARM_UP_MS);
    const rounds: { ours: Load; theirs: Load }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ours = await load(portal, driver, people, MS);
      const env = { DATABASE_FILE: join(folder, `bare-${round}.db`) };
      rounds.push({
        ours,
        theirs: await runProgram<Load>(beside('bare/sign-ins.mjs'), { args: [String(BARE_MS)], env, log }),
      });
    }
    const ratio = median(rounds.map(({ ours, theirs }) => theirs.cpuMicroseconds / ours.cpuMicroseconds));
    return [
      {
        what: 'sign-in',
        ours: worded(rounds.map(({ ours }) => ours)),
        bare: worded(rounds.map(({ theirs }) => theirs)),
        ratio,
        target: { words: `≥ ${MIN_RATIO}`, isMet: ratio >= MIN_RATIO },
      },
    ];
  } finally {
    driver.close();
    await portal.stop();
  }
}

/** The seed has phones of people whose account is disabled, too: whoever can sign in is told by trying. */
async function activePeople(driver: Driver): Promise<Person[]> {
  const people = await driver.people('acme');
  const attempts = await Promise.allSettled(people.map((person) => driver.signIn(person)));
  return people.filter((_, index) => attempts[index]?.status === 'fulfilled');
}

async function load(portal: Program, driver: Driver, people: readonly Person[], milliseconds: number): Promise<Load> {
  const before = await portal.usage();
  const began = performance.now();
  let signedIn = 0;
  let next = 0;
  async function signInOneAfterTheOther(): Promise<void> {
    while (performance.now() < began + milliseconds) {
      const person = people[next++ % people.length];
      if (!person) throw new Error('The seed has nobody with a phone.');
      await driver.signIn(person);
      signedIn += 1;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, signInOneAfterTheOther));
  const seconds = (performance.now() - began) / 1_000;
  const after = await portal.usage();
  return { perSecond: signedIn / seconds, cpuMicroseconds: (after.cpu - before.cpu) / signedIn };
}

function worded(loads: readonly Load[]): string {
  const perSecond = median(loads.map((one) => one.perSecond));
  const cost = median(loads.map((one) => one.cpuMicroseconds));
  return `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s, ${Math.round(cost)} µs each`;
}
