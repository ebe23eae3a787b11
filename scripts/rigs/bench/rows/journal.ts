import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getProfile, login, makeSession, searchUsers } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const ROUNDS = 40;
/** Warm-up calls, which also fill the journal to the level of a portal in use. */
const WARM_UP = 4_000;
const CALLS = 500;
const MAX_RATIO = 1.05;

export const journal: Row = {
  name: 'journal',
  title: 'Overhead of an unused lab',
  about: `Two portals in their own processes with copies of one database, one with the lab and one with \`LAB=off\`, called alternately: ${ROUNDS} rounds of
${CALLS} consecutive calls, after ${WARM_UP} warm-up calls. The lab records every call in the journal and checks for faults, magic addresses and foreign
addresses; no fault is pending. Processor time per call, median of the rounds; the ratio is the median of the rounds' ratios.`,
  run: compareLab,
};

interface Portal extends Program {
  call: ReturnType<typeof createPortalCall>;
}

async function compareLab(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const first = join(folder, 'first');
  const copy = join(folder, 'copy');
  for (const each of [first, copy]) mkdirSync(each);
  const start = (where: string, lab: 'on' | 'off') =>
    startProgram(PORTAL_ENTRY, { path: '/api/health', env: { ...portalEnv(join(where, 'portal.db')), LAB: lab }, log });

  // The first start creates the signing key in the database and the sealing key in the file next to it. Both copies
  // need both keys.
  const seeding = await start(first, 'on');
  const { token } = await createPortalCall({ baseUrl: seeding.url })(makeSession, {
    body: { email: 'super.admin@acme.test' },
  });
  await seeding.stop();
  for (const name of ['portal.db', 'portal.db.key']) copyFileSync(join(first, name), join(copy, name));

  const signedIn = (portal: Program): Portal => ({
    ...portal,
    call: createPortalCall({ baseUrl: portal.url, headers: { authorization: `Bearer ${token}` } }),
  });
  const withLab = signedIn(await start(first, 'on'));
  const without = signedIn(await start(copy, 'off'));
  try {
    return [
      await compare('own profile', (call) => call(getProfile, {})),
      await compare('member search', (call) => call(searchUsers, { query: { q: 'ann' } })),
      await compare('start of a sign-in', (call) => call(login, { body: { orgCode: 'acme', mode: 'QID' } })),
    ];
  } finally {
    await withLab.stop();
    await without.stop();
  }

  async function compare(what: string, ask: (call: Portal['call']) => Promise<unknown>): Promise<Measurement> {
    /** Returns the processor time per call, in microseconds. */
    async function costOf({ call, usage }: Portal, calls: number): Promise<number> {
      const before = await usage();
      for (let made = 0; made < calls; made += 1) await ask(call);
      return ((await usage()).cpu - before.cpu) / calls;
    }
    await costOf(withLab, WARM_UP);
    await costOf(without, WARM_UP);
    const rounds: { on: number; off: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ on: await costOf(withLab, CALLS), off: await costOf(without, CALLS) });
    }
    const formatCost = (costs: number[]) => `${median(costs).toFixed(0)} µs`;
    const ratios = rounds.map(({ on, off }) => on / off);
    return {
      what,
      ours: formatCost(rounds.map(({ on }) => on)),
      bare: formatCost(rounds.map(({ off }) => off)),
      ratio: median(ratios),
      ...atMost(MAX_RATIO, ratios),
    };
  }
}
