import { and, desc, eq, getTableColumns, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { applications, clientSecrets, oidcClients } from '../../schema/applications.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type ClientSecretRow, unsealClientSecret } from './client-secrets.ts';

const param = sql.placeholder;

const byId = drizzleStatement((db) =>
  db
    .select({ ...getTableColumns(applications), ...getTableColumns(oidcClients) })
    .from(oidcClients)
    .innerJoin(
      applications,
      and(eq(applications.orgCode, oidcClients.orgCode), eq(applications.appId, oidcClients.appId)),
    )
    .where(and(eq(oidcClients.orgCode, param('orgCode')), eq(oidcClients.appId, param('appId'))))
    .prepare(),
);

const CLIENT_KEY = ['orgCode', 'appId'] as const;

const applicationOf = cachedRow([applications, oidcClients], CLIENT_KEY, (db, key) => byId(db).get(key) ?? null);

export type OidcApplicationRow = NonNullable<ReturnType<typeof applicationOf>>;

/** Finds an application and its OpenID Connect client, if any. Cached because each sign-in calls this ten times. */
export function findOidcApplication(tx: Tx, orgCode: string, appId: string): OidcApplicationRow | undefined {
  return applicationOf(tx, { orgCode, appId }) ?? undefined;
}

const secretsOf = drizzleStatement((db) =>
  db
    .select()
    .from(clientSecrets)
    .where(and(eq(clientSecrets.orgCode, param('orgCode')), eq(clientSecrets.appId, param('appId'))))
    .orderBy(desc(clientSecrets.createdAt), sql`rowid DESC`)
    .prepare(),
);

const cachedSecrets = cachedRow([clientSecrets], CLIENT_KEY, (db, key) =>
  secretsOf(db)
    .all(key)
    .map((row) => unsealClientSecret(db, row)),
);

/** Lists a client's secrets, newest first, including expired secrets. */
export function listSecretsByClient(tx: Tx, orgCode: string, appId: string): readonly ClientSecretRow[] {
  return cachedSecrets(tx, { orgCode, appId });
}

/** Records when a secret was last used. */
export function touchClientSecret(tx: Tx, orgCode: string, id: string, now: number): void {
  tx.update(clientSecrets)
    .set({ lastUsedAt: now })
    .where(and(eq(clientSecrets.id, id), eq(clientSecrets.orgCode, orgCode)))
    .run();
}

const scopesOf = drizzleStatement((db) =>
  db
    .select({ claims: oidcClients.claims })
    .from(oidcClients)
    .where(eq(oidcClients.orgCode, param('orgCode')))
    .prepare(),
);

const cachedScopes = cachedRow([oidcClients], ['orgCode'], (db, key): readonly string[] => {
  const scopes = scopesOf(db)
    .all(key)
    .flatMap(({ claims }) => claims.map(({ scope }) => scope));
  return [...new Set(scopes)].filter((scope) => scope !== '').toSorted();
});

/** Lists the scopes that the claims of an organisation's applications use. */
export function listClaimScopes(tx: Tx, orgCode: string): readonly string[] {
  return cachedScopes(tx, { orgCode });
}
