import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { applications, clientSecrets, oidcClients } from '../schema/applications.ts';
import type { ClientSecretRow } from './client-secrets.ts';

const given = sql.placeholder;

const byId = prepared((db) =>
  db
    .select({ ...getTableColumns(applications), ...getTableColumns(oidcClients) })
    .from(oidcClients)
    .innerJoin(
      applications,
      and(eq(applications.orgCode, oidcClients.orgCode), eq(applications.appId, oidcClients.appId)),
    )
    .where(and(eq(oidcClients.orgCode, given('orgCode')), eq(oidcClients.appId, given('appId'))))
    .prepare(),
);

export type OidcApplicationRow = NonNullable<ReturnType<typeof findOidcApplication>>;

/** An application with its client, where it has one. */
export function findOidcApplication(tx: Tx, orgCode: string, appId: string) {
  return byId(tx).get({ orgCode, appId });
}

const secretsOf = prepared((db) =>
  db
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, given('orgCode')), eq(clientSecrets.appId, given('appId'))))
    .orderBy(desc(clientSecrets.createdAt), sql`rowid DESC`)
    .prepare(),
);

/** The secrets of a client, the newest first, also those that have expired. */
export function listSecretsOfClient(tx: Tx, orgCode: string, appId: string): ClientSecretRow[] {
  return secretsOf(tx).all({ orgCode, appId });
}

/** Says when a secret was last used. */
export function touchClientSecret(tx: Tx, orgCode: string, id: string, now: number): void {
  tx.update(clientSecrets)
    .set({ lastUsedAt: now })
    .where(and(eq(clientSecrets.id, id), eq(clientSecrets.orgCode, orgCode)))
    .run();
}
