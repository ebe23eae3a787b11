import type { Permission } from '@orchestrate/shared';
import { and, eq, gt, inArray, lte, or } from '#drizzle';
import type { Tx } from '../../database.ts';
import { securityAlerts } from '../../schema/attempts.ts';
import { members } from '../../schema/members.ts';
import type { MemberRow } from '../members/members.ts';
import { listRoles } from '../members/roles.ts';

/**
 * Claims an email alert about `action`. Returns false if the organisation's administrators were emailed about this
 * action less than `everyMs` ago.
 */
export function claimSecurityAlert(
  tx: Tx,
  { orgCode, action, now, everyMs }: { orgCode: string; action: string; now: number; everyMs: number },
): boolean {
  const claimed = tx
    .insert(securityAlerts)
    .values({ orgCode, action, mailedAt: now })
    .onConflictDoUpdate({
      target: [securityAlerts.orgCode, securityAlerts.action],
      set: { mailedAt: now },
      // Ignore a time in the future: it was stored before the clock was set back.
      setWhere: or(lte(securityAlerts.mailedAt, now - everyMs), gt(securityAlerts.mailedAt, now)),
    })
    .run();
  return claimed.changes === 1;
}

/** Lists at most `limit` active members whose role has the permission. */
export function listMembersWithPermission(
  tx: Tx,
  orgCode: string,
  permission: Permission,
  limit: number,
): Pick<MemberRow, 'suid' | 'firstName' | 'primaryEmail' | 'language'>[] {
  const holding = listRoles(tx, orgCode).filter(({ permissions }) => permissions.includes(permission));
  if (holding.length === 0) return [];
  return tx
    .select({
      suid: members.suid,
      firstName: members.firstName,
      primaryEmail: members.primaryEmail,
      language: members.language,
    })
    .from(members)
    .where(
      and(
        eq(members.orgCode, orgCode),
        inArray(
          members.roleCode,
          holding.map(({ roleCode }) => roleCode),
        ),
        eq(members.accountStatus, 'active'),
      ),
    )
    .limit(limit)
    .all();
}
