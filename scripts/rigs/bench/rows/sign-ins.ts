import { join } from 'node:path';
import { createDriver, type Person, type SignInDriver, type SignInResponses } from '../create-driver.ts';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, runProgram, scriptPath, startProgram } from '../programs.ts';
import { atLeast, type Measurement, type Row } from '../row.ts';

const ROUNDS = 5;
/** Warm-up sign-ins. A count instead of a duration, because a busy machine needs longer to warm up. */
const WARM_UP = 1_000;
const SIGN_INS = 300;
const BARE_MS = 500;
/** Number of concurrent sign-ins. */
const CONCURRENCY = 16;
/** Minimum ratio to the same work by hand. */
const MIN_RATIO = 0.6;

interface Load {
  perSecond: number;
  /** The server's processor time per sign-in, in microseconds. */
  cpuMicroseconds: number;
}

export const signIns: Row = {
  name: 'sign-ins',
  title: 'Full sign-ins',
  about: `Start by QR code, follow the channel from first message to success, open the code and approve it on the phone, exchange: four
calls and a socket, ${CONCURRENCY} users at a time, the portal in its own process with its database in a file. The first comparison is the minimum cost of
a sign-in, run sequentially in one process without HTTP: two ES256 signatures verified and one created
(node:crypto), six write transactions of eleven rows (better-sqlite3, the same journal mode). The second is the same work behind the
same four calls and socket, built directly on Fastify and ws: the difference between the two is the cost of communication, which no portal can avoid.
${ROUNDS} alternating rounds of ${SIGN_INS} sign-ins, after ${WARM_UP} warm-up sign-ins; ratios of processor time per sign-in, the median of the rounds. The phone's
own signatures are not counted.`,
  run: compareSignIns,
};

async function compareSignIns(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = await startProgram(PORTAL_ENTRY, {
    path: '/api/health',
    env: portalEnv(join(folder, 'portal.db')),
    log,
  });
  const driver = createDriver(portal.url);
  const people = await activePeople(driver);
  const hand = await startProgram(scriptPath('bare/sign-in-server.mjs'), {
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
        bare: await runProgram<Load>(scriptPath('bare/sign-ins.mjs'), { args: [String(BARE_MS)], env, log }),
      });
    }
    const ours = formatLoads(rounds.map((round) => round.ours));
    const ratiosTo = (name: 'byHand' | 'bare') =>
      rounds.map((round) => round[name].cpuMicroseconds / round.ours.cpuMicroseconds);
    return [
      {
        what: 'compared with its signatures and transactions',
        ours,
        bare: formatLoads(rounds.map(({ bare }) => bare)),
        ratio: median(ratiosTo('bare')),
      },
      {
        what: 'compared with the same by hand',
        ours,
        bare: formatLoads(rounds.map(({ byHand }) => byHand)),
        ratio: median(ratiosTo('byHand')),
        ...atLeast(MIN_RATIO, ratiosTo('byHand')),
      },
    ];
  } finally {
    driver.close();
    handDriver.close();
    await Promise.all([portal.stop(), hand.stop()]);
  }
}

/** Returns the users who can sign in. Tries each user, because the seed data also includes phones of disabled users. */
async function activePeople(driver: SignInDriver): Promise<Person[]> {
  const people = await driver.people('acme');
  const attempts = await Promise.allSettled(people.map((person) => driver.signIn(person)));
  return people.filter((_, index) => attempts[index]?.status === 'fulfilled');
}

async function answersOf(driver: SignInDriver, [person]: readonly Person[]): Promise<SignInResponses> {
  if (!person) throw new Error('The seed data has no user with a phone.');
  return driver.signIn(person);
}

async function load(server: Program, driver: SignInDriver, people: readonly Person[], count: number): Promise<Load> {
  const before = await server.usage();
  const began = performance.now();
  let startedCount = 0;
  async function signInOneAfterTheOther(): Promise<void> {
    while (startedCount < count) {
      const person = people[startedCount++ % people.length];
      if (person) await driver.signIn(person);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, signInOneAfterTheOther));
  const seconds = (performance.now() - began) / 1_000;
  const after = await server.usage();
  return { perSecond: count / seconds, cpuMicroseconds: (after.cpu - before.cpu) / count };
}

function formatLoads(loads: readonly Load[]): string {
  const perSecond = median(loads.map((one) => one.perSecond));
  const cost = median(loads.map((one) => one.cpuMicroseconds));
  return `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s, ${Math.round(cost)} µs each`;
}
