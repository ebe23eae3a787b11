import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getProfile, login, makeSession, searchUsers } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { median } from '../median.ts';
import { PORTAL, type Program, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 40;
/** Fills the journal, so that what is measured is a portal in use. */
const WARM_UP = 4_000;
const CALLS = 500;
const MAX_RATIO = 1.05;

export const journal: Row = {
  name: 'journal',
  title: 'What the lab costs where it is not used',
  about: `Two portals in processes of their own with copies of one database, one with the lab and one with \`LAB=off\`, asked in turn: ${ROUNDS} rounds of
${CALLS} calls one after the other, after ${WARM_UP}. The lab keeps the journal of all of them and looks for faults, magic addresses and foreign
addresses; no fault waits. Processor time per call, medians of the rounds; the ratio is the median of theirs.`,
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
    startProgram(PORTAL, { path: '/api/health', env: { ...portalEnv(join(where, 'portal.db')), LAB: lab }, log });

  // Tokens are signed with a key in the database, and secrets sealed with one beside it.
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
      await compare('one’s own profile', (call) => call(getProfile, {})),
      await compare('a search for members', (call) => call(searchUsers, { query: { q: 'ann' } })),
      await compare('the beginning of a sign-in', (call) => call(login, { body: { orgCode: 'acme', mode: 'QID' } })),
    ];
  } finally {
    await withLab.stop();
    await without.stop();
  }

  async function compare(what: string, ask: (call: Portal['call']) => Promise<unknown>): Promise<Measurement> {
    /** Microseconds of processor time per call. */
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
    const worded = (costs: number[]) => `${median(costs).toFixed(0)} µs`;
    const ratio = median(rounds.map(({ on, off }) => on / off));
    return {
      what,
      ours: worded(rounds.map(({ on }) => on)),
      bare: worded(rounds.map(({ off }) => off)),
      ratio,
      target: { words: `≤ ${MAX_RATIO}`, isMet: ratio <= MAX_RATIO },
    };
  }
}
