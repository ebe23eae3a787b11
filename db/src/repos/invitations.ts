import type { AccountStatus, AppType } from '@orchestrate/shared';
import { and, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import { bulkStatement } from '../bulk-statement.ts';
import type { Tx } from '../database.ts';
import { invitations } from '../schema/joining.ts';
import { forgetSecrets } from './outbox.ts';

export type InvitationRow = typeof invitations.$inferSelect;
export type NewInvitation = Omit<InvitationRow, 'usedAt'>;

/** What has to be known of a member before inviting them. */
export interface Invitee {
  suid: string;
  primaryEmail: string;
  firstName: string;
  accountStatus: AccountStatus;
  hasPermissionForMobileApp: boolean;
  hasPermissionForWindowsApp: boolean;
  /** An active device of the type that the invitation is for. */
  hasDevice: boolean;
  /** A code for it that can be used now. */
  hasCode: boolean;
  /** A mailed link for it, to the member's present address, that can be used now or later. */
  hasInvitation: boolean;
}

type InviteeRow = Omit<
  Invitee,
  'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp' | 'hasDevice' | 'hasCode' | 'hasInvitation'
> &
  Record<
    'hasPermissionForMobileApp' | 'hasPermissionForWindowsApp' | 'hasDevice' | 'hasCode' | 'hasInvitation',
    number
  >;

/**
 * Members of the organisation with one of the addresses (lower case), in any order.
 * @param triesAllowed how many wrong tries lock a code
 */
export function findInvitees(
  tx: Tx,
  orgCode: string,
  emails: readonly string[],
  { type, now, triesAllowed }: { type: AppType; now: number; triesAllowed: number },
): Invitee[] {
  return tx
    .all<InviteeRow>(sql`
      SELECT suid, primaryEmail, firstName, accountStatus, hasPermissionForMobileApp, hasPermissionForWindowsApp,
        EXISTS (
          SELECT 1 FROM devices
          WHERE suid = members.suid AND orgCode = ${orgCode} AND type = ${type} AND status = 'active'
        ) AS hasDevice,
        EXISTS (
          SELECT 1 FROM activation_codes
          WHERE suid = members.suid AND type = ${type} AND orgCode = ${orgCode}
            AND usedAt IS NULL AND expiresAt > ${now} AND wrongTries < ${triesAllowed}
        ) AS hasCode,
        EXISTS (
          SELECT 1 FROM invitations
          WHERE suid = members.suid AND type = ${type} AND orgCode = ${orgCode}
            AND usedAt IS NULL AND expiresAt > ${now} AND email = members.primaryEmail
        ) AS hasInvitation
      FROM json_each(${JSON.stringify(emails)}) AS wanted
      CROSS JOIN members ON orgCode = ${orgCode} AND primaryEmail = wanted.value AND accountStatus <> 'deleted'`)
    .map((row) => ({
      ...row,
      hasPermissionForMobileApp: row.hasPermissionForMobileApp === 1,
      hasPermissionForWindowsApp: row.hasPermissionForWindowsApp === 1,
      hasDevice: row.hasDevice === 1,
      hasCode: row.hasCode === 1,
      hasInvitation: row.hasInvitation === 1,
    }));
}

/** Those of the primary attributes that members of the organisation already have. */
export function listTakenPrimaryAttrs(tx: Tx, orgCode: string, primaryAttrs: readonly string[]): string[] {
  return tx
    .all<{ primaryAttr: string }>(sql`
      SELECT primaryAttr FROM json_each(${JSON.stringify(primaryAttrs)}) AS wanted
      CROSS JOIN members ON orgCode = ${orgCode} AND primaryAttr = wanted.value AND accountStatus <> 'deleted'`)
    .map(({ primaryAttr }) => primaryAttr);
}

const insertion = bulkStatement<NewInvitation>(`
  INSERT INTO invitations (hash, orgCode, suid, type, email, validFrom, expiresAt)
  SELECT value ->> 'hash', value ->> 'orgCode', value ->> 'suid', value ->> 'type', value ->> 'email',
    value ->> 'validFrom', value ->> 'expiresAt'
  FROM json_each(@rows)`);

/** Writes the links of mailed invitations. */
export const insertInvitations = (tx: Tx, links: readonly NewInvitation[]): void => insertion(tx, links);

/** An invitation by the hash of its link's token, which only the person who was mailed the link has. */
export function findInvitation(tx: Tx, hash: string): InvitationRow | undefined {
  return tx.select().from(invitations).where(eq(invitations.hash, hash)).get();
}

/** Uses a link, once: false where it has been used, is not valid yet, or has expired. */
export function useInvitation(tx: Tx, hash: string, now: number): boolean {
  const used = tx
    .update(invitations)
    .set({ usedAt: now })
    .where(
      and(
        eq(invitations.hash, hash),
        isNull(invitations.usedAt),
        lte(invitations.validFrom, now),
        gt(invitations.expiresAt, now),
      ),
    )
    .returning({ suid: invitations.suid, type: invitations.type })
    .get();
  if (used) forgetSecrets(tx, [used.suid], 'invitation', used.type);
  return used !== undefined;
}

/** Deletes at most `limit` links that expired before `before`; returns how many. */
export function pruneInvitations(tx: Tx, before: number, limit: number): number {
  const old = tx
    .select({ hash: invitations.hash })
    .from(invitations)
    .where(lt(invitations.expiresAt, before))
    .limit(limit);
  return tx.delete(invitations).where(inArray(invitations.hash, old)).run().changes;
}
