import { and, eq, isNotNull, isNull, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { foldCase } from '../../fold-case.ts';
import { hasStoredAddresses, isPresent, members } from '../../schema/members.ts';
import { roles } from '../../schema/organisations.ts';
import { isUniqueViolation } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type MemberRow, nextMemberId } from '../members/members.ts';

const param = sql.placeholder;

const byUserName = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(
      and(
        eq(members.orgCode, param('orgCode')),
        eq(members.userNameKey, param('userNameKey')),
        isNotNull(members.userNameKey),
        isPresent(members),
      ),
    )
    .prepare(),
);

const byAddress = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(
      and(
        eq(members.orgCode, param('orgCode')),
        eq(members.primaryEmail, sql`lower(${param('userName')})`),
        isNull(members.userName),
        isPresent(members),
      ),
    )
    .prepare(),
);

/** Finds the member with this SCIM user name. A member without a user name is found by email. */
export function findMemberByUserName(tx: Tx, orgCode: string, userName: string): MemberRow | undefined {
  return byUserName(tx).get({ orgCode, userNameKey: foldCase(userName) }) ?? byAddress(tx).get({ orgCode, userName });
}

const byExternalId = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(
      and(
        eq(members.externalId, param('externalId')),
        eq(members.orgCode, param('orgCode')),
        isNotNull(members.externalId),
        isPresent(members),
      ),
    )
    .orderBy(members.id)
    .prepare(),
);

/** Lists the members with this external ID. The directory is responsible for uniqueness, so there can be several. */
export function listMembersByExternalId(tx: Tx, orgCode: string, externalId: string): MemberRow[] {
  return byExternalId(tx).all({ orgCode, externalId });
}

const named = drizzleStatement((db) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgCode, param('orgCode')), isNotNull(members.userName), isPresent(members)))
    .limit(1)
    .prepare(),
);

/** Returns true if any member has a SCIM user name that differs from their email. */
export function hasUserNames(tx: Tx, orgCode: string): boolean {
  return named(tx).get({ orgCode }) !== undefined;
}

const keeping = drizzleStatement((db) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgCode, param('orgCode')), hasStoredAddresses(members), isPresent(members)))
    .limit(1)
    .prepare(),
);

/** Returns true if any member has more addresses than the one that the portal uses. */
export function hasOtherAddresses(tx: Tx, orgCode: string): boolean {
  return keeping(tx).get({ orgCode }) !== undefined;
}

const PROVISIONED = [
  'suid',
  'orgCode',
  'primaryAttr',
  'firstName',
  'lastName',
  'primaryEmail',
  'emailVerifiedAt',
  'mobileNumber',
  'roleCode',
  'accountStatus',
  'statusBeforePause',
  'managerSuid',
  'externalId',
  'userName',
  'createdAt',
  'provisionedAt',
  'scimAttributes',
] as const;

/** Member fields that a directory can set. */
export type ProvisionedMember = Pick<MemberRow, (typeof PROVISIONED)[number]>;

/** Returns a copy of the member with only the fields that a directory can set. */
export const pickProvisionedFields = (member: ProvisionedMember): ProvisionedMember =>
  Object.fromEntries(PROVISIONED.map((column) => [column, member[column]])) as ProvisionedMember;

/** Returns true if two members have equal values in all fields that a directory can set. */
export const hasSameProvisionedFields = (a: ProvisionedMember, b: ProvisionedMember): boolean =>
  PROVISIONED.every((column) => a[column] === b[column]);

const keyOf = ({ userName }: Pick<ProvisionedMember, 'userName'>) => (userName === null ? null : foldCase(userName));

/** A unique field whose value is already taken by another member. */
export type TakenField = 'userName' | 'primaryEmail' | 'primaryAttr';

const insert = drizzleStatement((db) =>
  db
    .insert(members)
    .values({
      id: param('id'),
      suid: param('suid'),
      orgCode: param('orgCode'),
      primaryAttr: param('primaryAttr'),
      firstName: param('firstName'),
      lastName: param('lastName'),
      primaryEmail: param('primaryEmail'),
      emailVerifiedAt: param('emailVerifiedAt'),
      mobileNumber: param('mobileNumber'),
      roleCode: param('roleCode'),
      accountStatus: param('accountStatus'),
      statusBeforePause: param('statusBeforePause'),
      managerSuid: param('managerSuid'),
      externalId: param('externalId'),
      userName: param('userName'),
      createdAt: param('createdAt'),
      provisionedAt: param('provisionedAt'),
      scimAttributes: param('scimAttributes'),
      userNameKey: param('userNameKey'),
    })
    .prepare(),
);

/**
 * Adds a member.
 * @returns undefined on success, or the field whose value is already taken, in which case no member is added
 */
export function insertProvisionedMember(tx: Tx, member: ProvisionedMember): TakenField | undefined {
  return takenBy(() => insert(tx).run({ ...member, userNameKey: keyOf(member), id: nextMemberId(tx, member.orgCode) }));
}

/**
 * Updates a member from the directory, except the status (see `memberRepo.setAccountStatus`).
 * @returns undefined on success, or the field whose value is already taken
 */
export function updateProvisionedMember(
  tx: Tx,
  { orgCode, suid, createdAt: _, accountStatus: _status, statusBeforePause: _before, ...fields }: ProvisionedMember,
): TakenField | undefined {
  return takenBy(() =>
    tx
      .update(members)
      .set({ ...fields, userNameKey: keyOf(fields) })
      .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid)))
      .run(),
  );
}

function takenBy(write: () => void): TakenField | undefined {
  try {
    write();
    return undefined;
  } catch (reason) {
    if (isUniqueViolation(reason, 'members.primaryEmail')) return 'primaryEmail';
    if (isUniqueViolation(reason, 'members.primaryAttr')) return 'primaryAttr';
    if (isUniqueViolation(reason, 'members.userNameKey')) return 'userName';
    throw reason;
  }
}

// Prepare the statement once: with the table's triggers, compiling it takes longer than running it, and a directory
// sends thousands of changes.
const roleChange = drizzleStatement((db) =>
  db
    .update(members)
    .set({ roleCode: sql`${param('roleCode')}`, provisionedAt: sql`${param('now')}` })
    .where(and(eq(members.orgCode, param('orgCode')), eq(members.suid, param('suid'))))
    .prepare(),
);

export function setRole(tx: Tx, orgCode: string, suid: string, roleCode: string, now: number): void {
  roleChange(tx).run({ orgCode, suid, roleCode, now });
}

export function markAsManager(tx: Tx, orgCode: string, suid: string): void {
  tx.update(members)
    .set({ isManager: true })
    .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid)))
    .run();
}

/** Lists at most `limit` members with a role, in the order in which they were added. */
export function listMembersByRole(tx: Tx, orgCode: string, roleCode: string, limit: number): MemberRow[] {
  return tx
    .select()
    .from(members)
    .where(and(eq(members.orgCode, orgCode), eq(members.roleCode, roleCode), isPresent(members)))
    .orderBy(members.id)
    .limit(limit)
    .all();
}

/**
 * Renames a role and sets its external ID.
 * @param now in milliseconds
 */
export function renameRole(
  tx: Tx,
  orgCode: string,
  { roleCode, name, externalId }: { roleCode: string; name: string; externalId: string | null },
  now: number,
): void {
  tx.update(roles)
    .set({ name, externalId, changedAt: now })
    .where(and(eq(roles.orgCode, orgCode), eq(roles.roleCode, roleCode)))
    .run();
}
