import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { roles } from '../schema/organisations.ts';

export type RoleRow = typeof roles.$inferSelect;

const byCode = prepared((db) =>
  db
    .select()
    .from(roles)
    .where(and(eq(roles.orgCode, sql.placeholder('orgCode')), eq(roles.roleCode, sql.placeholder('roleCode'))))
    .prepare(),
);

export function findRole(tx: Tx, orgCode: string, roleCode: string): RoleRow | undefined {
  return byCode(tx).get({ orgCode, roleCode });
}

/** The roles of an organisation, in the order of their names. */
export function listRoles(tx: Tx, orgCode: string): RoleRow[] {
  return tx.select().from(roles).where(eq(roles.orgCode, orgCode)).orderBy(asc(roles.name)).all();
}
