import { and, eq } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { applications, radiusLdapClients } from '../../schema/applications.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';

/** A client row with the secret in plain text. */
export type RadiusLdapClientRow = Omit<typeof radiusLdapClients.$inferSelect, 'secret'> & { secret: string };

const COLUMN = 'network_clients.secret';
const sealKeyOf = ({ orgCode, appId }: { orgCode: string; appId: string }) => `${orgCode} ${appId}`;

const open = (tx: Tx, row: typeof radiusLdapClients.$inferSelect): RadiusLdapClientRow => ({
  ...row,
  secret: unsealValue(tx, COLUMN, sealKeyOf(row), row.secret),
});

/** Finds an application's RADIUS or LDAP settings. */
export function findRadiusLdapClient(tx: Tx, orgCode: string, appId: string): RadiusLdapClientRow | undefined {
  const row = tx
    .select()
    .from(radiusLdapClients)
    .where(and(eq(radiusLdapClients.orgCode, orgCode), eq(radiusLdapClients.appId, appId)))
    .get();
  return row && open(tx, row);
}

/** Lists an organisation's RADIUS clients, oldest application first. Cached because every packet needs the list. */
export const listRadiusClients: (tx: Tx, orgCode: string) => RadiusLdapClientRow[] = cachedRead(
  (orgCode) => orgCode,
  (tx, orgCode) =>
    tx
      .select({ client: radiusLdapClients })
      .from(radiusLdapClients)
      .innerJoin(
        applications,
        and(eq(applications.orgCode, radiusLdapClients.orgCode), eq(applications.appId, radiusLdapClients.appId)),
      )
      .where(and(eq(radiusLdapClients.orgCode, orgCode), eq(applications.integrationType, 'radius')))
      .orderBy(applications.createdAt, applications.appId)
      .all()
      .map(({ client }) => open(tx, client)),
);

/** Adds or replaces an application's RADIUS or LDAP settings. */
export function saveRadiusLdapClient(tx: Tx, { secret, ...client }: RadiusLdapClientRow): void {
  const row = { ...client, secret: sealValue(tx, COLUMN, sealKeyOf(client), secret) };
  tx.insert(radiusLdapClients)
    .values(row)
    .onConflictDoUpdate({ target: [radiusLdapClients.orgCode, radiusLdapClients.appId], set: row })
    .run();
}
