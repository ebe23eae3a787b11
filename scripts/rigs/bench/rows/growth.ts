import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addUser,
  getProfile,
  getSummary,
  getUser,
  listActivity,
  login,
  loginLive,
  makeSession,
  searchUsers,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { WebSocket } from 'ws';
import { createDriver, type Person, type SignInDriver } from '../create-driver.ts';
import { median } from '../duration.ts';
import { COMMON_SEARCH, fillMembers, PREFIX_SEARCH } from '../fill-members.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const;
const ROUNDS = 5;
const CALLS = 100;
const MAX_EXPONENT = 0.1;
const CHANNELS = 2_000;
const MB = 2 ** 20;
/** Most processor time per second of an idle portal, in microseconds. */
const IDLE_MICROSECONDS = 20_000;

export const growth: Row = {
  name: 'growth',
  title: 'Growth with the number of members',
  about: `Processor time per operation in organisations with ${SIZES.map(spaced).join(', ')} members, each in its own portal with a database file, called
in turn: ${ROUNDS} rounds of ${CALLS} operations, after one to warm up. The ratio is the exponent of the best power law through the four sizes: 0 is constant, 1 is
linear. An open channel is the WebSocket of a sign-in that waits for the phone; its memory is the growth of resident memory with ${spaced(CHANNELS)} of them.`,
  run: measureGrowth,
};

interface Size {
  members: number;
  portal: Program;
  driver: SignInDriver;
  person: Person;
  call: ReturnType<typeof createPortalCall>;
  bytes: number;
}

type Operation = (size: Size, nth: number) => Promise<unknown>;
const OPERATIONS: Record<string, Operation> = {
  'own profile': ({ call }) => call(getProfile, {}),
  'a member': ({ call, members }, nth) =>
    call(getUser, { query: { suid: `bench-${500 + ((nth * 97) % (members - 600))}` } }),
  'search by prefix': ({ call }) => call(searchUsers, { query: { ...PREFIX_SEARCH } }),
  'search by a common text': ({ call }) => call(searchUsers, { query: { ...COMMON_SEARCH } }),
  'figures of the dashboard': ({ call }) => call(getSummary, {}),
  'page of the activity': ({ call }) => call(listActivity, { query: {} }),
  'full sign-in': ({ driver, person }) => driver.signIn(person),
  'new member': ({ call }, nth) =>
    call(addUser, {
      body: {
        primaryEmail: `added.${nth}@acme.test`,
        primaryAttr: `added-${nth}`,
        firstName: 'Added',
        lastName: 'Member',
      },
    }),
};

async function measureGrowth(folder: string): Promise<Measurement[]> {
  const sizes: Size[] = [];
  try {
    for (const members of SIZES) sizes.push(await prepare(folder, members));
    for (const { portal } of sizes) await settle(portal);
    const measured: Measurement[] = [];
    let made = 0;
    for (const [what, operate] of Object.entries(OPERATIONS)) {
      const rounds: number[][] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const costs: number[] = [];
        for (const size of sizes) {
          const before = await size.portal.usage();
          for (let nth = 0; nth < CALLS; nth += 1) await operate(size, made++);
          costs.push(((await size.portal.usage()).cpu - before.cpu) / CALLS);
        }
        if (round > 0) rounds.push(costs);
      }
      const exponents = rounds.map(exponentOf);
      measured.push({
        what,
        ours: SIZES.map((_, index) => `${Math.round(median(rounds.map((costs) => costs[index] ?? 0)))} µs`).join(', '),
        ratio: median(exponents),
        ...atMost(MAX_EXPONENT, exponents),
      });
    }
    return [...measured, ...describe(sizes), await measureChannels(sizes[0])];
  } finally {
    for (const { driver, portal } of sizes) {
      driver.close();
      await portal.stop();
    }
  }
}

/** Waits until the portal is idle: after it was filled, it merges its search index between requests. */
async function settle({ usage }: Program): Promise<void> {
  for (let before = (await usage()).cpu; ; ) {
    await delay(1_000);
    const { cpu } = await usage();
    if (cpu - before < IDLE_MICROSECONDS) return;
    before = cpu;
  }
}

/** Returns the exponent of the power law through the costs at all sizes, by least squares of the logarithms. */
function exponentOf(costs: readonly number[]): number {
  const points = costs.map((cost, index) => ({ x: Math.log(SIZES[index] ?? 1), y: Math.log(cost) }));
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return slope / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function describe(sizes: readonly Size[]): Measurement[] {
  const each = (of: (size: Size) => number, unit: string) => sizes.map((size) => `${Math.round(of(size))} ${unit}`);
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (!smallest || !largest) return [];
  const perMember = (largest.bytes - smallest.bytes) / (largest.members - smallest.members);
  return [
    { what: 'start', ours: each(({ portal }) => portal.start.cpu, 'ms').join(', ') },
    { what: 'database file', ours: each(({ bytes }) => bytes / MB, 'MB').join(', ') },
    { what: 'disk per member', ours: `${Math.round(perMember)} bytes` },
  ];
}

/** Measures the memory of an open channel. */
async function measureChannels(size: Size | undefined): Promise<Measurement> {
  if (!size) throw new Error('There is no portal.');
  const { portal, call } = size;
  const { loginId = '' } = await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const before = await portal.usage();
  const sockets = await Promise.all(
    Array.from({ length: CHANNELS }, () => {
      const socket = new WebSocket(`${portal.url.replace('http', 'ws')}${loginLive.path}?loginId=${loginId}`);
      return new Promise<WebSocket>((done, fail) => {
        socket.once('message', () => done(socket)).once('error', fail);
      });
    }),
  );
  const { rss } = await portal.usage();
  for (const socket of sockets) socket.terminate();
  return { what: 'memory per open channel', ours: `${((rss - before.rss) / CHANNELS / 1_024).toFixed(1)} kB` };
}

async function prepare(folder: string, members: number): Promise<Size> {
  const log = join(folder, 'log');
  const file = join(folder, 'members.db');
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  await seeding.stop();
  fillMembers(file, members);
  const copy = join(folder, `${members}.db`);
  for (const part of ['', '.key']) copyFileSync(`${file}${part}`, `${copy}${part}`);
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(copy), log });
  const driver = createDriver(portal.url);
  const person = (await driver.people('acme')).find(({ email }) => email === 'super.admin@acme.test');
  if (!person) throw new Error("The seed data doesn't contain super.admin@acme.test.");
  const { token } = await createPortalCall({ baseUrl: portal.url })(makeSession, { body: { email: person.email } });
  const call = createPortalCall({ baseUrl: portal.url, headers: { authorization: `Bearer ${token}` } });
  return { members, portal, driver, person, call, bytes: statSync(copy).size };
}

function spaced(number: number): string {
  return number.toLocaleString('en').replaceAll(',', ' ');
}
