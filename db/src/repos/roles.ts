import { and, eq, sql } from 'drizzle-orm';
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
