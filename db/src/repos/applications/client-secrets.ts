import { and, desc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { clientSecrets } from '../../schema/applications.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';

type SealedRow = typeof clientSecrets.$inferSelect;
/** A client secret row with the secret in plain text. */
export type ClientSecretRow = Omit<SealedRow, 'secret'> & { secret: string };

const COLUMN = 'client_secrets.secret';

/** Unseals a client secret. */
export const unsealClientSecret = (tx: Tx, row: SealedRow): ClientSecretRow => ({
  ...row,
  secret: unsealValue(tx, COLUMN, row.id, row.secret),
});

/** Lists an application's secrets, newest first. */
export function listClientSecrets(tx: Tx, orgCode: string, appId: string): ClientSecretRow[] {
  const rows = tx
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, orgCode), eq(clientSecrets.appId, appId)))
    .orderBy(desc(clientSecrets.createdAt), sql`rowid DESC`)
    .all();
  return rows.map((row) => unsealClientSecret(tx, row));
}

/** Seals and stores a new secret. */
export function insertClientSecret(tx: Tx, secret: Omit<ClientSecretRow, 'lastUsedAt'>): void {
  tx.insert(clientSecrets)
    .values({ ...secret, secret: sealValue(tx, COLUMN, secret.id, secret.secret) })
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
