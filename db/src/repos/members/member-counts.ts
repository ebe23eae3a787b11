import type { AccountStatus } from '@orchestrate/shared';
import { and, eq, gt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { memberCounts } from '../../schema/members.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** Number of an organisation's members with a given role and status. */
export interface MemberCount {
  roleCode: string;
  accountStatus: AccountStatus;
  members: number;
}

const present = drizzleStatement((db) =>
  db
    .select({
      roleCode: memberCounts.roleCode,
      accountStatus: memberCounts.accountStatus,
      members: memberCounts.members,
    })
    .from(memberCounts)
    .where(and(eq(memberCounts.orgCode, sql.placeholder('orgCode')), gt(memberCounts.members, 0)))
    .prepare(),
);

/** Lists member counts by role and status, omitting combinations without members. Triggers maintain the counts. */
export function listMemberCounts(tx: Tx, orgCode: string): MemberCount[] {
  return present(tx).all({ orgCode });
}

export function countActiveMembers(tx: Tx, orgCode: string, roleCode: string): number {
  const counted = tx
    .select({ members: memberCounts.members })
    .from(memberCounts)
    .where(
      and(
        eq(memberCounts.orgCode, orgCode),
        eq(memberCounts.roleCode, roleCode),
        eq(memberCounts.accountStatus, 'active'),
      ),
    )
    .get();
  return counted?.members ?? 0;
}
