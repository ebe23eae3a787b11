import { desc, eq } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { signingKeys } from '../schema/organisations.ts';

export type SigningKeyRow = typeof signingKeys.$inferSelect;

/** The installation's keys for one use, the newest first. They belong to no organisation. */
export function listSigningKeys(tx: Tx, use: SigningKeyRow['use']): SigningKeyRow[] {
  return tx.select().from(signingKeys).where(eq(signingKeys.use, use)).orderBy(desc(signingKeys.createdAt)).all();
}

export function insertSigningKey(tx: Tx, key: SigningKeyRow): void {
  tx.insert(signingKeys).values(key).run();
}
