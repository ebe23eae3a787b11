import { join } from 'node:path';
import { createDriver, type Driver, type Person, type SignedIn } from '../create-driver.ts';
import { median } from '../median.ts';
import { beside, PORTAL, type Program, portalEnv, runProgram, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 5;
/** A number of sign-ins, not a duration: on a busy machine the code would not get warm in time. */
const WARM_UP = 1_000;
const SIGN_INS = 300;
const BARE_MS = 500;
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
calls and a socket, ${AT_ONCE} people at a time, the portal in a process of its own with its database in a file. First against the bare cost of
what no sign-in can do without, one after the other in one process and without HTTP: two ES256 signatures verified and one made
(node:crypto), six write transactions of eleven rows (better-sqlite3, the same journal). Then against the same work behind the
same four calls and socket by hand, with Fastify and ws: what is between those two is the cost of talking, and no portal can save it.
${ROUNDS} rounds of ${SIGN_INS} sign-ins in turn, after ${WARM_UP}; ratios of processor time per sign-in, the median of the rounds. The phone's
own signatures count nowhere.`,
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
  const people = await activePeople(driver);
  const hand = await startProgram(beside('bare/sign-in-server.mjs'), {
    path: '/health',
    env: { DATABASE_FILE: join(folder, 'hand.db'), ANSWERS: JSON.stringify(await answersOf(driver, people)) },
    log,
  });
  const handDriver = createDriver(hand.url);
  try {
    await load(portal, driver, people, WARM_UP);
    await load(hand, handDriver, people, WARM_UP);
    const rounds: { ours: Load; byHand: Load; bare: Load }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const env = { DATABASE_FILE: join(folder, `bare-${round}.db`) };
      rounds.push({
        ours: await load(portal, driver, people, SIGN_INS),
        byHand: await load(hand, handDriver, people, SIGN_INS),
        bare: await runProgram<Load>(beside('bare/sign-ins.mjs'), { args: [String(BARE_MS)], env, log }),
      });
    }
    const ours = worded(rounds.map((round) => round.ours));
    const ratioOf = (name: 'byHand' | 'bare') =>
      median(rounds.map((round) => round[name].cpuMicroseconds / round.ours.cpuMicroseconds));
    return [
      {
        what: 'beside its signatures and transactions',
        ours,
        bare: worded(rounds.map(({ bare }) => bare)),
        ratio: ratioOf('bare'),
        target: { words: `≥ ${MIN_RATIO}`, isMet: ratioOf('bare') >= MIN_RATIO },
      },
      {
        what: 'beside the same by hand',
        ours,
        bare: worded(rounds.map(({ byHand }) => byHand)),
        ratio: ratioOf('byHand'),
      },
    ];
  } finally {
    driver.close();
    handDriver.close();
    await Promise.all([portal.stop(), hand.stop()]);
  }
}

/** The seed also has phones of disabled people, so trying is the only way to tell who can sign in. */
async function activePeople(driver: Driver): Promise<Person[]> {
  const people = await driver.people('acme');
  const attempts = await Promise.allSettled(people.map((person) => driver.signIn(person)));
  return people.filter((_, index) => attempts[index]?.status === 'fulfilled');
}

async function answersOf(driver: Driver, [person]: readonly Person[]): Promise<SignedIn> {
  if (!person) throw new Error('The seed has nobody with a phone.');
  return driver.signIn(person);
}

async function load(server: Program, driver: Driver, people: readonly Person[], count: number): Promise<Load> {
  const before = await server.usage();
  const began = performance.now();
  let begun = 0;
  async function signInOneAfterTheOther(): Promise<void> {
    while (begun < count) {
      const person = people[begun++ % people.length];
      if (person) await driver.signIn(person);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, signInOneAfterTheOther));
  const seconds = (performance.now() - began) / 1_000;
  const after = await server.usage();
  return { perSecond: count / seconds, cpuMicroseconds: (after.cpu - before.cpu) / count };
}

function worded(loads: readonly Load[]): string {
  const perSecond = median(loads.map((one) => one.perSecond));
  const cost = median(loads.map((one) => one.cpuMicroseconds));
  return `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s, ${Math.round(cost)} µs each`;
}
