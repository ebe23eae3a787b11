import { setImmediate } from 'node:timers/promises';
import { roleRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';

/** So many members get another role in one transaction: everybody else waits meanwhile. */
const AT_ONCE = 50;

/**
 * Gives those who have a role another one, in portions, so that deleting it keeps nobody waiting. Some may be left, who came
 * meanwhile: the deletion takes them along.
 * @returns how many they were, without deleted ones
 */
export async function emptyRole(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { roleCode, heir }: { roleCode: string; heir: string },
): Promise<number> {
  let users = 0;
  for (;;) {
    const { moved, present } = roleRepo.moveFromRole(db, orgCode, { roleCode, heir, count: AT_ONCE });
    users += present;
    if (moved < AT_ONCE) return users;
    await setImmediate();
  }
}
