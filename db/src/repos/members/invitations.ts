import type { AccountStatus, AppType, Language } from '@orchestrate/shared';
import { and, eq, gt, inArray, lt, lte, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { invitations } from '../../schema/joining.ts';
import { bulkSqlStatement, sqlStatement } from '../../sql-statement.ts';
import { forgetSecrets } from '../settings/outbox.ts';
import type { MemberRow } from './members.ts';

export type InvitationRow = typeof invitations.$inferSelect;
export type NewInvitation = Omit<InvitationRow, 'usedAt' | 'closedAt'>;

/** The member data that an invitation depends on. */
export interface Invitee {
  /** Row ID of the member. */
  id: number;
  suid: string;
  primaryEmail: string;
  firstName: string;
  /** The member's chosen language, or null if they haven't chosen one. */
  language: Language | null;
  accountStatus: AccountStatus;
  hasPermissionForMobileApp: boolean;
  hasPermissionForWindowsApp: boolean;
  /** True if the member has an active device of the invitation's app type. */
  hasDevice: boolean;
  /** True if the member has a usable code for the invitation's app type. */
  hasCode: boolean;
  /** True if a link for the app type was emailed to the member's current address and works now or will work later. */
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

interface InviteesQuery {
  orgCode: string;
  /** JSON array of email addresses. */
  emails: string;
  type: AppType;
  now: number;
  triesAllowed: number;
}

const invitees = sqlStatement<InviteesQuery, InviteeRow>(`
  SELECT members.id, suid, primaryEmail, firstName, language, accountStatus, hasPermissionForMobileApp,
    hasPermissionForWindowsApp,
    EXISTS (
      SELECT 1 FROM devices
      WHERE suid = members.suid AND orgCode = @orgCode AND type = @type AND status = 'active'
    ) AS hasDevice,
    EXISTS (
      SELECT 1 FROM activation_codes
      WHERE suid = members.suid AND type = @type AND orgCode = @orgCode
        AND usedAt IS NULL AND expiresAt > @now AND wrongTries < @triesAllowed
    ) AS hasCode,
    EXISTS (
      SELECT 1 FROM invitations
      WHERE suid = members.suid AND type = @type AND orgCode = @orgCode
        AND expiresAt > @now AND email = members.primaryEmail
    ) AS hasInvitation
  FROM json_each(@emails) AS wanted
  CROSS JOIN members ON orgCode = @orgCode AND primaryEmail = wanted.value AND accountStatus <> 'deleted'`);

/**
 * Finds members of the organisation by lower-case email address, in any order.
 * @param triesAllowed number of wrong attempts that lock a code
 */
export function findInvitees(
  tx: Tx,
  orgCode: string,
  emails: readonly string[],
  { type, now, triesAllowed }: { type: AppType; now: number; triesAllowed: number },
): Invitee[] {
  return invitees(tx)
    .all({ orgCode, emails: JSON.stringify(emails), type, now, triesAllowed })
    .map((row) => ({
      ...row,
      hasPermissionForMobileApp: row.hasPermissionForMobileApp === 1,
      hasPermissionForWindowsApp: row.hasPermissionForWindowsApp === 1,
      hasDevice: row.hasDevice === 1,
      hasCode: row.hasCode === 1,
      hasInvitation: row.hasInvitation === 1,
    }));
}

const takenAttrs = sqlStatement<{ orgCode: string; primaryAttrs: string }, { primaryAttr: string }>(`
  SELECT primaryAttr FROM json_each(@primaryAttrs) AS wanted
  CROSS JOIN members ON orgCode = @orgCode AND primaryAttr = wanted.value AND accountStatus <> 'deleted'`);

/** Returns which of these primary attributes are already taken in the organisation. */
export function listTakenPrimaryAttrs(tx: Tx, orgCode: string, primaryAttrs: readonly string[]): string[] {
  return takenAttrs(tx)
    .all({ orgCode, primaryAttrs: JSON.stringify(primaryAttrs) })
    .map(({ primaryAttr }) => primaryAttr);
}

const insertion = bulkSqlStatement<NewInvitation>(`
  INSERT INTO invitations (hash, orgCode, suid, type, email, validFrom, expiresAt, invitedAt, invitedBy)
  SELECT value ->> 'hash', value ->> 'orgCode', value ->> 'suid', value ->> 'type', value ->> 'email',
    value ->> 'validFrom', value ->> 'expiresAt', value ->> 'invitedAt', value ->> 'invitedBy'
  FROM json_each(@rows)`);

/** Adds the links of emailed invitations. To close earlier links, call `closeInvitations` first. */
export const insertInvitations = (tx: Tx, links: readonly NewInvitation[]): void => insertion(tx, links);

const closing = sqlStatement<{ orgCode: string; suids: string; type: AppType; now: number }>(`
  UPDATE invitations SET closedAt = @now
  WHERE suid IN (SELECT value FROM json_each(@suids)) AND type = @type AND orgCode = @orgCode AND closedAt IS NULL`);

const marking = sqlStatement<{ orgCode: string; suids: string }>(`
  UPDATE members SET accountStatus = 'invited'
  WHERE suid IN (SELECT value FROM json_each(@suids)) AND orgCode = @orgCode AND accountStatus = 'unregistered'`);

/** Sets the status of unregistered members to invited. */
export function markInvited(tx: Tx, orgCode: string, suids: readonly string[]): void {
  if (suids.length > 0) marking(tx).run({ orgCode, suids: JSON.stringify(suids) });
}

const unmarking = sqlStatement<{ suids: string }>(`
  UPDATE members SET
    accountStatus = iif(accountStatus = 'invited', 'unregistered', accountStatus),
    statusBeforePause = iif(statusBeforePause = 'invited', 'unregistered', statusBeforePause)
  WHERE suid IN (SELECT value FROM json_each(@suids)) AND 'invited' IN (accountStatus, statusBeforePause)
    AND NOT EXISTS (
      SELECT 1 FROM invitations
      WHERE suid = members.suid AND orgCode = members.orgCode AND closedAt IS NULL
    )`);

/**
 * Changes the status of members without an open invitation from invited back to unregistered. For disabled members,
 * changes the status that they will return to.
 */
function unmarkInvited(tx: Tx, suids: readonly string[]): void {
  if (suids.length > 0) unmarking(tx).run({ suids: JSON.stringify(suids) });
}

/**
 * Closes members' open invitations to an app because the members are getting a newer link. The earlier links still
 * work.
 */
export function closeInvitations(
  tx: Tx,
  orgCode: string,
  suids: readonly string[],
  { type, now }: { type: AppType; now: number },
): void {
  if (suids.length > 0) closing(tx).run({ orgCode, suids: JSON.stringify(suids), type, now });
}

/**
 * Deletes a member's invitation links for one app type, or for all, which makes them stop working. A member left
 * without an open invitation is no longer invited.
 * @returns true if an open invitation was deleted
 */
export function dropInvitations(tx: Tx, orgCode: string, suid: string, type?: AppType): boolean {
  const dropped = tx
    .delete(invitations)
    .where(
      and(
        eq(invitations.suid, suid),
        type === undefined ? undefined : eq(invitations.type, type),
        eq(invitations.orgCode, orgCode),
      ),
    )
    .returning({ closedAt: invitations.closedAt })
    .all();
  if (dropped.length > 0) forgetSecrets(tx, [suid], 'invitation', type);
  unmarkInvited(tx, [suid]);
  return dropped.some(({ closedAt }) => closedAt === null);
}

/** Sort key of an open invitation, used as the page cursor. */
export type OpenInvitationKey = Pick<InvitationRow, 'expiresAt' | 'suid' | 'type'>;

/** An open invitation, its member and its inviter. */
export interface OpenInvitation
  extends InvitationRow,
    Pick<MemberRow, 'primaryAttr' | 'firstName' | 'lastName' | 'accountStatus' | 'roleCode'> {
  /** The member's current address. The invitation may have been sent to an earlier address. */
  primaryEmail: string;
  /** Name of the inviter, or '' if the inviter is not a member. */
  inviterName: string;
}

/** Conditions that an invitation must all meet. */
export interface OpenInvitationFilter {
  /** True for invitations that have expired at `now`, false for unexpired invitations. */
  isExpired?: boolean | undefined;
  type?: AppType | undefined;
  /** Text that the name or address must contain, in lower case. */
  text?: string | undefined;
  now: number;
}

const openIn = (orgCode: string, { isExpired, now }: Pick<OpenInvitationFilter, 'isExpired' | 'now'>) =>
  and(
    eq(invitations.orgCode, orgCode),
    sql`${invitations.closedAt} IS NULL`,
    isExpired === undefined ? undefined : (isExpired ? lte : gt)(invitations.expiresAt, now),
  );

/**
 * Lists up to `count` of an organisation's open invitations after the key `after`, latest expiry first. Examines at
 * most `reach` invitations.
 * @returns `last`: cursor of the next page, or null
 */
export function listOpenInvitations(
  tx: Tx,
  orgCode: string,
  filter: OpenInvitationFilter,
  { count, after, reach }: { count: number; after?: OpenInvitationKey | undefined; reach: number },
): { found: OpenInvitation[]; last: OpenInvitationKey | null } {
  const { type, text = '' } = filter;
  const beyond = after && sql`(expiresAt, suid, type) < (${after.expiresAt}, ${after.suid}, ${after.type})`;
  const reached = sql`
    SELECT * FROM invitations INDEXED BY invitations_open WHERE ${and(openIn(orgCode, filter), beyond)}
    ORDER BY expiresAt DESC, suid DESC, type DESC`;
  const isNamed = sql`instr(lower(firstName || ' ' || lastName || ' ' || primaryEmail), ${text}) > 0`;
  const rows = tx.all<OpenInvitation>(sql`
    SELECT reached.*, primaryAttr, firstName, lastName, primaryEmail, accountStatus, roleCode, coalesce((
      SELECT trim(inviter.firstName || ' ' || inviter.lastName) FROM members AS inviter
      WHERE inviter.suid = reached.invitedBy AND inviter.orgCode = ${orgCode}
    ), '') AS inviterName
    FROM (${reached} LIMIT ${reach}) AS reached
    CROSS JOIN members ON members.suid = reached.suid AND members.orgCode = ${orgCode}
    WHERE ${and(sql`true`, type && sql`reached.type = ${type}`, text ? isNamed : undefined)}
    LIMIT ${count + 1}`);
  const found = rows.slice(0, count);
  const end =
    rows.length > count
      ? found.at(-1)
      : tx.get<OpenInvitationKey | undefined>(sql`${reached} LIMIT 1 OFFSET ${reach - 1}`);
  return { found, last: end ? { expiresAt: end.expiresAt, suid: end.suid, type: end.type } : null };
}

/** Counts an organisation's expired or unexpired open invitations, up to `limit`. */
export function countOpenInvitations(
  tx: Tx,
  orgCode: string,
  { isExpired, now, limit }: { isExpired: boolean; now: number; limit: number },
): number {
  const some = sql`SELECT 1 FROM invitations INDEXED BY invitations_open WHERE ${openIn(orgCode, { isExpired, now })}`;
  return tx.get<{ open: number }>(sql`SELECT count(*) AS open FROM (${some} LIMIT ${limit})`).open;
}

/** Finds an invitation in any organisation by the hash of its link token, which only the recipient has. */
export function findInvitation(tx: Tx, hash: string): InvitationRow | undefined {
  return tx.select().from(invitations).where(eq(invitations.hash, hash)).get();
}

/**
 * Marks a link as used before a code is emailed, in one statement. Returns false if the link has expired, is not
 * valid yet, or has been used since `usedAt` was read.
 */
export function claimInvitation(
  tx: Tx,
  hash: string,
  { usedAt, now }: Pick<InvitationRow, 'usedAt'> & { now: number },
): boolean {
  const used = tx
    .update(invitations)
    .set({ usedAt: now })
    .where(
      and(
        eq(invitations.hash, hash),
        sql`${invitations.usedAt} IS ${usedAt}`,
        lte(invitations.validFrom, now),
        gt(invitations.expiresAt, now),
      ),
    )
    .run();
  return used.changes > 0;
}

/** Ends a member's invitation links for an app because they have registered a device for it. */
export function endInvitations(tx: Tx, orgCode: string, suid: string, { type, now }: { type: AppType; now: number }) {
  const ended = tx
    .update(invitations)
    .set({
      closedAt: sql`coalesce(${invitations.closedAt}, ${now})`,
      expiresAt: sql`min(${invitations.expiresAt}, ${now})`,
    })
    .where(and(eq(invitations.suid, suid), eq(invitations.type, type), eq(invitations.orgCode, orgCode)))
    .run();
  if (ended.changes > 0) forgetSecrets(tx, [suid], 'invitation', type);
}

/**
 * Deletes at most `limit` links that expired before `before`. Members left without an open invitation are no longer
 * invited.
 */
export function pruneInvitations(tx: Tx, before: number, limit: number): number {
  const old = tx
    .select({ hash: invitations.hash })
    .from(invitations)
    .where(lt(invitations.expiresAt, before))
    .limit(limit);
  const deleted = tx
    .delete(invitations)
    .where(inArray(invitations.hash, old))
    .returning({ suid: invitations.suid })
    .all();
  unmarkInvited(
    tx,
    deleted.map(({ suid }) => suid),
  );
  return deleted.length;
}
