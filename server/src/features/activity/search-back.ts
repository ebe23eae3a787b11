import { auditRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';

/** Events that one portion reaches back over: few at first, because most of what is looked for is not long ago. */
const FIRST_REACH = 2_000;
const MOST_REACH = 20_000;

/**
 * Events of an organisation, newest first, at most `count`, in portions after which everybody else has their turn: filters that
 * each find many and together nothing have to look through many.
 */
export function* searchBack(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  filter: auditRepo.AuditFilter,
  { count, before }: { count: number; before?: number | undefined },
): Generator<auditRepo.AuditRow[]> {
  if (!auditRepo.mayLookThroughAll(filter)) {
    yield auditRepo.listEvents(db, orgCode, filter, { count, before });
    return;
  }
  let missing = count;
  let end = before;
  for (let reach = FIRST_REACH; missing > 0; reach = Math.min(2 * reach, MOST_REACH)) {
    const start = auditRepo.findEventBack(db, orgCode, filter, { before: end, reach });
    const rows = auditRepo.listEvents(db, orgCode, filter, { count: missing, before: end, start });
    yield rows;
    if (start === undefined) return;
    missing -= rows.length;
    end = start;
  }
}
