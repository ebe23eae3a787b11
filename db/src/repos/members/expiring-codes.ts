import { alias, and, asc, eq, getTableColumns, gt, gte, inArray, isNull, lt, lte, notExists, or, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { activationCodes, members } from '../../schema/members.ts';
import type { MemberRow } from './members.ts';

/** Filter for codes that are still usable at `now` and expire by `before`. */
export interface ExpiringCodeFilter {
  /** Number of wrong attempts that lock a code. */
  triesAllowed: number;
  now: number;
  before: number;
  /** Row IDs of the members to include. Defaults to all members. */
  among?: readonly number[] | undefined;
}

/** Cursor in the list of members with codes that expire soon. */
export interface ExpiringCodeCursor {
  /** When the code expires. */
  at: number;
  /** Row ID of the code. */
  id: number;
}

const earlier = alias(activationCodes, 'earlier');
const rowOf = (table: typeof activationCodes | typeof earlier) => sql<number>`${table}.rowid`;

const isExpiring = (
  table: typeof activationCodes | typeof earlier,
  { triesAllowed, now, before }: ExpiringCodeFilter,
) =>
  and(gt(table.expiresAt, now), lte(table.expiresAt, before), isNull(table.usedAt), lt(table.wrongTries, triesAllowed));

/** Selects each member's code that expires first, across all app types. */
const isFirstOf = (tx: Tx, orgCode: string, which: ExpiringCodeFilter) =>
  and(
    eq(activationCodes.orgCode, orgCode),
    isExpiring(activationCodes, which),
    which.among &&
      inArray(
        activationCodes.suid,
        tx
          .select({ suid: members.suid })
          .from(members)
          .where(inArray(members.id, sql`(SELECT value FROM json_each(${JSON.stringify(which.among)}))`)),
      ),
    notExists(
      tx
        .select({ suid: earlier.suid })
        .from(earlier)
        .where(
          and(
            eq(earlier.suid, activationCodes.suid),
            isExpiring(earlier, which),
            sql`(${earlier.expiresAt}, ${rowOf(earlier)}) < (${activationCodes.expiresAt}, ${rowOf(activationCodes)})`,
          ),
        ),
    ),
  );

/** Counts an organisation's members with a matching code. */
export function countMembersWithExpiringCodes(tx: Tx, orgCode: string, which: ExpiringCodeFilter): number {
  const counted = tx
    .select({ members: sql<number>`count(*)` })
    .from(activationCodes)
    .where(isFirstOf(tx, orgCode, which))
    .get();
  return counted?.members ?? 0;
}

/** Lists members in order of their codes' expiry, each with a cursor for the next page. */
export function listMembersWithExpiringCodes(
  tx: Tx,
  orgCode: string,
  { after, count, ...which }: ExpiringCodeFilter & { after?: ExpiringCodeCursor | undefined; count: number },
): { member: MemberRow; place: ExpiringCodeCursor }[] {
  return tx
    .select({
      member: getTableColumns(members),
      place: { at: activationCodes.expiresAt, id: rowOf(activationCodes) },
    })
    .from(activationCodes)
    .innerJoin(members, eq(members.suid, activationCodes.suid))
    .where(
      and(
        isFirstOf(tx, orgCode, which),
        after &&
          and(
            gte(activationCodes.expiresAt, after.at),
            or(gt(activationCodes.expiresAt, after.at), sql`${rowOf(activationCodes)} > ${after.id}`),
          ),
      ),
    )
    .orderBy(asc(activationCodes.expiresAt), sql`${rowOf(activationCodes)}`)
    .limit(count)
    .all();
}
