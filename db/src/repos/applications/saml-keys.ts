import { and, desc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { samlKeys } from '../../schema/applications.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** A key row with the private key in plain text. */
export type SamlKeyRow = Omit<typeof samlKeys.$inferSelect, 'privateKey'> & { privateKey: string };

const COLUMN = 'saml_keys.privateKey';

const newestFirst = drizzleStatement((db) =>
  db
    .select()
    .from(samlKeys)
    .where(eq(samlKeys.orgCode, sql.placeholder('orgCode')))
    .orderBy(desc(samlKeys.createdAt), sql`rowid DESC`)
    .prepare(),
);

/** Lists an organisation's keys, newest first. The newest key signs. */
export function listSamlKeys(tx: Tx, orgCode: string): SamlKeyRow[] {
  const rows = newestFirst(tx).all({ orgCode });
  return rows.map((row) => ({ ...row, privateKey: unsealValue(tx, COLUMN, row.kid, row.privateKey) }));
}

/** Seals and adds a key. */
export function insertSamlKey(tx: Tx, key: SamlKeyRow): void {
  tx.insert(samlKeys)
    .values({ ...key, privateKey: sealValue(tx, COLUMN, key.kid, key.privateKey) })
    .run();
}

/** Deletes a key and its certificate. */
export function deleteSamlKey(tx: Tx, orgCode: string, kid: string): void {
  tx.delete(samlKeys)
    .where(and(eq(samlKeys.kid, kid), eq(samlKeys.orgCode, orgCode)))
    .run();
}
