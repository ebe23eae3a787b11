import { roleRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { nextTurn } from '../../platform/retry-if-reset.ts';

/** How many members get another role in one transaction, while everybody else waits. */
const AT_ONCE = 50;

/**
 * Gives the members of a role another one, in portions, so that deleting it blocks nobody. Members who join in the
 * meantime may remain: the deletion moves them too.
 * @returns how many there were, without deleted members
 * @throws Refusal INVALID_SESSION where the lab has reset meanwhile
 */
export async function emptyRole(
  deps: Pick<Deps, 'db' | 'bus'>,
  orgCode: string,
  { roleCode, heir }: { roleCode: string; heir: string },
): Promise<number> {
  let users = 0;
  for (;;) {
    const { moved, present } = roleRepo.moveFromRole(deps.db, orgCode, { roleCode, heir, count: AT_ONCE });
    users += present;
    if (moved < AT_ONCE) return users;
    await nextTurn(deps);
  }
}
