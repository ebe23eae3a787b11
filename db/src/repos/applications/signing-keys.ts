import { desc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { signingKeys } from '../../schema/organisations.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** A key row with the private JWK in plain text. */
export type SigningKeyRow = Omit<typeof signingKeys.$inferSelect, 'privateJwk'> & {
  privateJwk: Record<string, string>;
};

const COLUMN = 'signing_keys.privateJwk';

const ofUse = drizzleStatement((tx) =>
  tx
    .select()
    .from(signingKeys)
    .where(eq(signingKeys.use, sql.placeholder('use')))
    .orderBy(desc(signingKeys.createdAt))
    .prepare(),
);

/** Lists the installation's keys for one use, newest first. These keys are shared by all organisations. */
export function listSigningKeys(tx: Tx, use: SigningKeyRow['use']): SigningKeyRow[] {
  return ofUse(tx)
    .all({ use })
    .map((row) => ({ ...row, privateJwk: JSON.parse(unsealValue(tx, COLUMN, row.kid, row.privateJwk)) }));
}

/** Seals and adds a key. */
export function insertSigningKey(tx: Tx, key: SigningKeyRow): void {
  const privateJwk = sealValue(tx, COLUMN, key.kid, JSON.stringify(key.privateJwk));
  tx.insert(signingKeys)
    .values({ ...key, privateJwk })
    .run();
}
