import { and, asc, desc, eq, inArray, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { roles } from '../../schema/organisations.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type RoleRow = typeof roles.$inferSelect;

const byCode = drizzleStatement((db) =>
  db
    .select()
    .from(roles)
    .where(and(eq(roles.orgCode, sql.placeholder('orgCode')), eq(roles.roleCode, sql.placeholder('roleCode'))))
    .prepare(),
);

const cachedRole = cachedRow([roles], ['orgCode', 'roleCode'], (db, key) => byCode(db).get(key) ?? null);

export function findRole(tx: Tx, orgCode: string, roleCode: string): RoleRow | undefined {
  return cachedRole(tx, { orgCode, roleCode }) ?? undefined;
}

/** Lists an organisation's roles by name. */
export function listRoles(tx: Tx, orgCode: string): RoleRow[] {
  return tx.select().from(roles).where(eq(roles.orgCode, orgCode)).orderBy(asc(roles.name)).all();
}

export type NewRole = typeof roles.$inferInsert;

/**
 * Adds a role.
 * @throws if the role code is already taken
 */
export function insertRole(tx: Tx, role: NewRole): void {
  tx.insert(roles).values(role).run();
}

/**
 * Sets a role's name and permissions, if the role exists.
 * @param now in milliseconds
 */
export function editRole(
  tx: Tx,
  { orgCode, roleCode, name, permissions }: Pick<RoleRow, 'orgCode' | 'roleCode' | 'name' | 'permissions'>,
  now: number,
): void {
  tx.update(roles)
    .set({ name, permissions, changedAt: now })
    .where(and(eq(roles.orgCode, orgCode), eq(roles.roleCode, roleCode)))
    .run();
}

const touched = drizzleStatement((db) =>
  db
    .update(roles)
    .set({ changedAt: sql`${sql.placeholder('now')}` })
    .where(and(eq(roles.orgCode, sql.placeholder('orgCode')), eq(roles.roleCode, sql.placeholder('roleCode'))))
    .prepare(),
);

/**
 * Records that a member gained or lost one of these roles.
 * @param now in milliseconds
 */
export function touchRoles(tx: Tx, orgCode: string, roleCodes: readonly string[], now: number): void {
  for (const roleCode of roleCodes) touched(tx).run({ orgCode, roleCode, now });
}

const newest = drizzleStatement((db) =>
  db
    .select({ createdAt: members.createdAt })
    .from(members)
    .where(and(eq(members.orgCode, sql.placeholder('orgCode')), eq(members.roleCode, sql.placeholder('roleCode'))))
    .orderBy(desc(members.id))
    .limit(1)
    .prepare(),
);

/** Returns when the newest member of a role joined, in milliseconds. */
export function findLastJoinTime(tx: Tx, orgCode: string, roleCode: string): number | undefined {
  return newest(tx).get({ orgCode, roleCode })?.createdAt;
}

/**
 * Moves a role's members, including deleted members, to the role `heir`. Moves at most `count` members if given.
 * @returns how many members were moved, with and without deleted members
 */
export function moveMembersFromRole(
  tx: Tx,
  orgCode: string,
  { roleCode, heir, count = Number.MAX_SAFE_INTEGER }: { roleCode: string; heir: string; count?: number },
): { moved: number; present: number } {
  const some = tx
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgCode, orgCode), eq(members.roleCode, roleCode)))
    .limit(count);
  const moved = tx
    .update(members)
    .set({ roleCode: heir })
    .where(inArray(members.id, some))
    .returning({ accountStatus: members.accountStatus })
    .all();
  const present = moved.filter(({ accountStatus }) => accountStatus !== 'deleted');
  return { moved: moved.length, present: present.length };
}

/**
 * Deletes a role and moves its members, including deleted members, to the role `heir`. Call it inside a transaction.
 * @returns how many members were moved, not counting deleted members
 */
export function deleteRole(tx: Tx, orgCode: string, roleCode: string, heir: string): number {
  const { present } = moveMembersFromRole(tx, orgCode, { roleCode, heir });
  tx.delete(roles)
    .where(and(eq(roles.orgCode, orgCode), eq(roles.roleCode, roleCode)))
    .run();
  return present;
}
