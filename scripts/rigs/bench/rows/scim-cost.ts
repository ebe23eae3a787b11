import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getProfile } from '@orchestrate/shared';
import { fillMembers } from '../fill-members.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import { adminAuthorization, directoryAuthorization, fetchJson } from '../reads-under-load.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const USERS = 900_000;
const MAX_STALL_MS = 100;
const COMPARISONS = 50;
/** Interval between another user's profile requests, in milliseconds. */
const LOOK_MS = 20;

export const scimCost: Row = {
  name: 'scim-cost',
  title: 'Other users while a directory searches a large organisation',
  about: `A portal with ${USERS.toLocaleString('en').replaceAll(',', ' ')} users on disk. One directory sends the most expensive requests: filters with ${COMPARISONS} comparisons that match no or
many users, and pages far into the list. The measurements are the longest stall of the portal's event loop (perf_hooks, monitorEventLoopDelay) and the
longest time another user waits for their profile. Both are wall-clock times, so other load on the machine counts too.`,
  run: measureCost,
};

async function measureCost(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const file = join(folder, 'portal.db');
  const env = portalEnv(file);
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  await seeding.stop();
  fillMembers(file, USERS);
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  try {
    const caller = await adminAuthorization(portal);
    const authorization = await directoryAuthorization(portal);
    const users = '/scim/v2/acme/Users';
    const filtered = (filter: string, more = {}) => `${users}?${new URLSearchParams({ filter, ...more })}`;
    const each = (operator: string) =>
      Array.from({ length: COMPARISONS }, (_, index) => `userName ${operator} "x${index}y"`).join(' or ');
    // A warm-up request loads lazily imported code.
    await fetch(`${portal.url}${users}?count=1`, { headers: { authorization } });
    const measure = (what: string, path: string) => measured(portal, { what, path, authorization, caller });
    return [
      await measure(`${COMPARISONS} × sw that match no user`, filtered(each('sw'))),
      await measure(`${COMPARISONS} × ew that match no user`, filtered(each('ew'))),
      await measure(
        'sw that matches all users, a page near the end',
        filtered('active eq true', { startIndex: '700000' }),
      ),
      await measure('co by the search index, matching two in fifteen', filtered('name.familyName co "mann"')),
      await measure('the list, a page near the end', `${users}?startIndex=${USERS - 100}&count=100`),
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
      await fetchJson(portal, { path: `/api${getProfile.path}`, authorization: caller });
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
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}.`);
  const seconds = ((cpu - before.cpu) / 1e6).toFixed(1);
  return {
    what,
    ours: `longest stall ${Math.round(stall)} ms; slowest profile ${Math.round(Math.max(...waits))} ms; ${seconds} s of processor time`,
    ...atMost(MAX_STALL_MS, [stall], 'ms'),
  };
}
