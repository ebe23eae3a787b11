import { auditRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';

/** Events that the first portion searches: few, because most of what people look for is recent. */
const FIRST_REACH = 2_000;
const MOST_REACH = 20_000;

/**
 * Events of an organisation, newest first, at most `count`, in portions so that other requests get their turn: filters
 * that each match many events but together match none have to look through many.
 */
export function* searchBack(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  filter: auditRepo.AuditFilter,
  { count, before }: { count: number; before?: number | undefined },
): Generator<auditRepo.AuditRow[]> {
  if (!auditRepo.mayLookThroughAll(filter) || !isRecent(db, orgCode, filter)) {
    yield auditRepo.listEvents(db, orgCode, filter, { count, before });
    return;
  }
  let missing = count;
  let end = before;
  for (let reach = FIRST_REACH; missing > 0; reach = Math.min(2 * reach, MOST_REACH)) {
    const start = auditRepo.findEventBack(db, orgCode, filter, { before: end, reach });
    const rows = auditRepo.listEvents(db, orgCode, filter, { count: missing, before: end, start: start ?? 0 });
    yield rows;
    if (start === undefined) return;
    missing -= rows.length;
    end = start;
  }
}

/** Each portion searches for a text from the newest event on, so portions only help where it is soon found. */
function isRecent(db: Deps['db'], orgCode: string, { text }: auditRepo.AuditFilter): boolean {
  if (text === undefined) return true;
  const start = auditRepo.findEventBack(db, orgCode, {}, { reach: FIRST_REACH });
  return auditRepo.listEvents(db, orgCode, { text }, { count: 1, start: start ?? 0 }).length > 0;
}
