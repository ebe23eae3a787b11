import { and, desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { samlKeys } from '../schema/applications.ts';

export type SamlKeyRow = typeof samlKeys.$inferSelect;

/** The keys of an organisation, the newest first: that one signs. */
export function listSamlKeys(tx: Tx, orgCode: string): SamlKeyRow[] {
  return tx
    .select()
    .from(samlKeys)
    .where(eq(samlKeys.orgCode, orgCode))
    .orderBy(desc(samlKeys.createdAt), sql`rowid DESC`)
    .all();
}

export function insertSamlKey(tx: Tx, key: SamlKeyRow): void {
  tx.insert(samlKeys).values(key).run();
}

export function deleteSamlKey(tx: Tx, orgCode: string, kid: string): void {
  tx.delete(samlKeys)
    .where(and(eq(samlKeys.kid, kid), eq(samlKeys.orgCode, orgCode)))
    .run();
}
