import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { foldCase } from '../../fold-case.ts';
import { isPresent, keepsAddresses, members } from '../../schema/members.ts';
import { roles } from '../../schema/organisations.ts';
import { isTaken } from '../../sql.ts';
import { type MemberRow, nextMemberId } from '../members/members.ts';

const given = sql.placeholder;

const byUserName = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(
      and(
        eq(members.orgCode, given('orgCode')),
        eq(members.userNameKey, given('userNameKey')),
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
        eq(members.orgCode, given('orgCode')),
        eq(members.primaryEmail, sql`lower(${given('userName')})`),
        isNull(members.userName),
        isPresent(members),
      ),
    )
    .prepare(),
);

/** The member whom the directory calls by this name: their own directory name, or else their address. */
export function findMemberByUserName(tx: Tx, orgCode: string, userName: string): MemberRow | undefined {
  return byUserName(tx).get({ orgCode, userNameKey: foldCase(userName) }) ?? byAddress(tx).get({ orgCode, userName });
}

const byExternalId = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(
      and(
        eq(members.externalId, given('externalId')),
        eq(members.orgCode, given('orgCode')),
        isNotNull(members.externalId),
        isPresent(members),
      ),
    )
    .orderBy(members.id)
    .prepare(),
);

/** The member whom the directory knows by this id; it is up to the directory that ids are unique. */
export function listMembersByExternalId(tx: Tx, orgCode: string, externalId: string): MemberRow[] {
  return byExternalId(tx).all({ orgCode, externalId });
}

const named = drizzleStatement((db) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgCode, given('orgCode')), isNotNull(members.userName), isPresent(members)))
    .limit(1)
    .prepare(),
);

/** Whether any member has a directory name that differs from their address. */
export function hasUserNames(tx: Tx, orgCode: string): boolean {
  return named(tx).get({ orgCode }) !== undefined;
}

const keeping = drizzleStatement((db) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgCode, given('orgCode')), keepsAddresses(members), isPresent(members)))
    .limit(1)
    .prepare(),
);

/** Whether any member has addresses beside the one that the portal uses. */
export function hasKeptAddresses(tx: Tx, orgCode: string): boolean {
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

/** What a directory may say about a member. */
export type ProvisionedMember = Pick<MemberRow, (typeof PROVISIONED)[number]>;

/** The same without the other columns of the row. */
export const onlyProvisioned = (member: ProvisionedMember): ProvisionedMember =>
  Object.fromEntries(PROVISIONED.map((column) => [column, member[column]])) as ProvisionedMember;

/** Whether a directory says the same about a member. */
export const isSameMember = (a: ProvisionedMember, b: ProvisionedMember): boolean =>
  PROVISIONED.every((column) => a[column] === b[column]);

const keyOf = ({ userName }: Pick<ProvisionedMember, 'userName'>) => (userName === null ? null : foldCase(userName));

/** What another member has already. */
export type TakenField = 'userName' | 'primaryEmail' | 'primaryAttr';

const insert = drizzleStatement((db) =>
  db
    .insert(members)
    .values({
      id: given('id'),
      suid: given('suid'),
      orgCode: given('orgCode'),
      primaryAttr: given('primaryAttr'),
      firstName: given('firstName'),
      lastName: given('lastName'),
      primaryEmail: given('primaryEmail'),
      emailVerifiedAt: given('emailVerifiedAt'),
      mobileNumber: given('mobileNumber'),
      roleCode: given('roleCode'),
      accountStatus: given('accountStatus'),
      statusBeforePause: given('statusBeforePause'),
      managerSuid: given('managerSuid'),
      externalId: given('externalId'),
      userName: given('userName'),
      createdAt: given('createdAt'),
      provisionedAt: given('provisionedAt'),
      scimAttributes: given('scimAttributes'),
      userNameKey: given('userNameKey'),
    })
    .prepare(),
);

/** Adds a member. @returns the field that somebody else has already, and then nobody is added; undefined on success */
export function enterMember(tx: Tx, member: ProvisionedMember): TakenField | undefined {
  return takenBy(() => insert(tx).run({ ...member, userNameKey: keyOf(member), id: nextMemberId(tx, member.orgCode) }));
}

/** Writes what the directory says now, except the status (see `memberRepo.setAccountStatus`). @returns as above */
export function rewriteMember(
  tx: Tx,
  { orgCode, suid, createdAt: _, accountStatus: _status, statusBeforePause: _before, ...said }: ProvisionedMember,
): TakenField | undefined {
  return takenBy(() =>
    tx
      .update(members)
      .set({ ...said, userNameKey: keyOf(said) })
      .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid)))
      .run(),
  );
}

function takenBy(write: () => void): TakenField | undefined {
  try {
    write();
    return undefined;
  } catch (reason) {
    if (isTaken(reason, 'members.primaryEmail')) return 'primaryEmail';
    if (isTaken(reason, 'members.primaryAttr')) return 'primaryAttr';
    if (isTaken(reason, 'members.userNameKey')) return 'userName';
    throw reason;
  }
}

// Compiling it, with the table's triggers, takes longer than running it, and a directory sends thousands.
const roleChange = drizzleStatement((db) =>
  db
    .update(members)
    .set({ roleCode: sql`${given('roleCode')}`, provisionedAt: sql`${given('now')}` })
    .where(and(eq(members.orgCode, given('orgCode')), eq(members.suid, given('suid'))))
    .prepare(),
);

/** Gives a member another role. */
export function setRole(tx: Tx, orgCode: string, suid: string, roleCode: string, now: number): void {
  roleChange(tx).run({ orgCode, suid, roleCode, now });
}

/** Makes anyone with reports a manager. */
export function makeManager(tx: Tx, orgCode: string, suid: string): void {
  tx.update(members)
    .set({ isManager: true })
    .where(and(eq(members.orgCode, orgCode), eq(members.suid, suid)))
    .run();
}

/** Members with a role, in the order in which they were added; at most `limit`. */
export function listMembersOfRole(tx: Tx, orgCode: string, roleCode: string, limit: number): MemberRow[] {
  return tx
    .select()
    .from(members)
    .where(and(eq(members.orgCode, orgCode), eq(members.roleCode, roleCode), isPresent(members)))
    .orderBy(members.id)
    .limit(limit)
    .all();
}

/** Renames a role, and sets the id that the directory has for it. @param now in milliseconds */
export function nameRole(
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
