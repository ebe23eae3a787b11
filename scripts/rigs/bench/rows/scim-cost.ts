import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getProfile } from '@orchestrate/shared';
import { fillMembers } from '../fill-members.ts';
import { PORTAL, type Program, portalEnv, startProgram } from '../programs.ts';
import { answerOf, authorizationFor, directoryOf } from '../reads-under-load.ts';
import type { Measurement, Row } from '../row.ts';

const USERS = 900_000;
const MAX_STALL_MS = 100;
const COMPARISONS = 50;
/** Between two requests of another person for their profile. */
const LOOK_MS = 20;

export const scimCost: Row = {
  name: 'scim-cost',
  title: 'Others, while a directory searches a large organisation',
  about: `A portal of ${USERS.toLocaleString('en').replaceAll(',', ' ')} users on disk. One directory asks for what costs most: filters with ${COMPARISONS} comparisons that find nobody, found by
many, and far into the list. Measured is for how long the portal's event loop stood still at most (perf_hooks, monitorEventLoopDelay), and
how long somebody else waited for their profile. Both are by the clock, so neighbours on the machine count too.`,
  run: measureCost,
};

async function measureCost(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const file = join(folder, 'portal.db');
  const env = portalEnv(file);
  const seeding = await startProgram(PORTAL, { path: '/api/health', env, log });
  await seeding.stop();
  fillMembers(file, USERS);
  const portal = await startProgram(PORTAL, { path: '/api/health', env, log });
  try {
    const caller = await authorizationFor(portal);
    const authorization = await directoryOf(portal);
    const users = '/scim/v2/acme/Users';
    const filtered = (filter: string, more = {}) => `${users}?${new URLSearchParams({ filter, ...more })}`;
    const each = (operator: string) =>
      Array.from({ length: COMPARISONS }, (_, index) => `userName ${operator} "x${index}y"`).join(' or ');
    // Triggers what the first request loads.
    await fetch(`${portal.url}${users}?count=1`, { headers: { authorization } });
    const measure = (what: string, path: string) => measured(portal, { what, path, authorization, caller });
    return [
      await measure(`${COMPARISONS} × sw that find nobody`, filtered(each('sw'))),
      await measure(`${COMPARISONS} × ew that find nobody`, filtered(each('ew'))),
      await measure(
        'sw that finds everybody, a page from the end',
        filtered('active eq true', { startIndex: '700000' }),
      ),
      await measure('co by the search index, found by two in fifteen', filtered('name.familyName co "mann"')),
      await measure('the list, a page from the end', `${users}?startIndex=${USERS - 100}&count=100`),
    ];
  } finally {
    await portal.stop();
  }
}

async function measured(
  portal: Program,
  { what, path, authorization, caller }: { what: string; path: string; authorization: string; caller: string },
): Promise<Measurement> {
  const waits: number[] = [];
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const began = performance.now();
      await answerOf(portal, { path: `/api${getProfile.path}`, authorization: caller });
      waits.push(performance.now() - began);
      await delay(LOOK_MS);
    }
  };
  await portal.stall();
  const before = await portal.usage();
  const looking = look();
  const response = await fetch(`${portal.url}${path}`, { headers: { authorization } });
  await response.arrayBuffer();
  isOver = true;
  await looking;
  const stall = await portal.stall();
  const { cpu } = await portal.usage();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}.`);
  const seconds = ((cpu - before.cpu) / 1e6).toFixed(1);
  return {
    what,
    ours: `longest stall ${Math.round(stall)} ms; a profile took ${Math.round(Math.max(...waits))} ms at most; ${seconds} s of processor time`,
    target: { words: `≤ ${MAX_STALL_MS} ms`, isMet: stall <= MAX_STALL_MS },
  };
}
