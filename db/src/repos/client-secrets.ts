import { and, desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { clientSecrets } from '../schema/applications.ts';

export type ClientSecretRow = typeof clientSecrets.$inferSelect;

/** The secrets of an application, the newest first. */
export function listClientSecrets(tx: Tx, orgCode: string, appId: string): ClientSecretRow[] {
  return tx
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, orgCode), eq(clientSecrets.appId, appId)))
    .orderBy(desc(clientSecrets.createdAt), sql`rowid DESC`)
    .all();
}

export function insertClientSecret(tx: Tx, secret: Omit<ClientSecretRow, 'lastUsedAt'>): void {
  tx.insert(clientSecrets).values(secret).run();
}

/** Whether there was such a secret. */
export function deleteClientSecret(tx: Tx, orgCode: string, appId: string, id: string): boolean {
  const deleted = tx
    .delete(clientSecrets)
    .where(and(eq(clientSecrets.id, id), eq(clientSecrets.orgCode, orgCode), eq(clientSecrets.appId, appId)))
    .run();
  return deleted.changes === 1;
}
