import { and, desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { samlKeys } from '../../schema/applications.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** A row with its private key in plain text. */
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

/** Lists the keys of an organisation, newest first. The newest one signs. */
export function listSamlKeys(tx: Tx, orgCode: string): SamlKeyRow[] {
  const rows = newestFirst(tx).all({ orgCode });
  return rows.map((row) => ({ ...row, privateKey: openIn(tx, COLUMN, row.kid, row.privateKey) }));
}

/** Seals and adds a key. */
export function insertSamlKey(tx: Tx, key: SamlKeyRow): void {
  tx.insert(samlKeys)
    .values({ ...key, privateKey: sealIn(tx, COLUMN, key.kid, key.privateKey) })
    .run();
}

/** Deletes a certificate and its key. */
export function deleteSamlKey(tx: Tx, orgCode: string, kid: string): void {
  tx.delete(samlKeys)
    .where(and(eq(samlKeys.kid, kid), eq(samlKeys.orgCode, orgCode)))
    .run();
}
