import { and, desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { clientSecrets } from '../../schema/applications.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';

type SealedRow = typeof clientSecrets.$inferSelect;
/** A row with its secret in plain text. */
export type ClientSecretRow = Omit<SealedRow, 'secret'> & { secret: string };

const COLUMN = 'client_secrets.secret';

/** Unseals the value of a client secret. */
export const openClientSecret = (tx: Tx, row: SealedRow): ClientSecretRow => ({
  ...row,
  secret: openIn(tx, COLUMN, row.id, row.secret),
});

/** Lists the secrets of an application, newest first. */
export function listClientSecrets(tx: Tx, orgCode: string, appId: string): ClientSecretRow[] {
  const rows = tx
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, orgCode), eq(clientSecrets.appId, appId)))
    .orderBy(desc(clientSecrets.createdAt), sql`rowid DESC`)
    .all();
  return rows.map((row) => openClientSecret(tx, row));
}

/** Seals and writes a new secret. */
export function insertClientSecret(tx: Tx, secret: Omit<ClientSecretRow, 'lastUsedAt'>): void {
  tx.insert(clientSecrets)
    .values({ ...secret, secret: sealIn(tx, COLUMN, secret.id, secret.secret) })
    .run();
}

/** Deletes a secret. Returns false if it doesn't exist. */
export function deleteClientSecret(tx: Tx, orgCode: string, appId: string, id: string): boolean {
  const deleted = tx
    .delete(clientSecrets)
    .where(and(eq(clientSecrets.id, id), eq(clientSecrets.orgCode, orgCode), eq(clientSecrets.appId, appId)))
    .run();
  return deleted.changes === 1;
}
