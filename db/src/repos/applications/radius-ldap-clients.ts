import { and, eq } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { applications, radiusLdapClients } from '../../schema/applications.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';

/** A row with its secret in plain text. */
export type RadiusLdapClientRow = Omit<typeof radiusLdapClients.$inferSelect, 'secret'> & { secret: string };

const COLUMN = 'network_clients.secret';
const sealKeyOf = ({ orgCode, appId }: { orgCode: string; appId: string }) => `${orgCode} ${appId}`;

const open = (tx: Tx, row: typeof radiusLdapClients.$inferSelect): RadiusLdapClientRow => ({
  ...row,
  secret: openIn(tx, COLUMN, sealKeyOf(row), row.secret),
});

/** Finds the RADIUS or LDAP settings of an application. */
export function findRadiusLdapClient(tx: Tx, orgCode: string, appId: string): RadiusLdapClientRow | undefined {
  const row = tx
    .select()
    .from(radiusLdapClients)
    .where(and(eq(radiusLdapClients.orgCode, orgCode), eq(radiusLdapClients.appId, appId)))
    .get();
  return row && open(tx, row);
}

/** Lists the RADIUS clients of an organisation, oldest application first. Every packet reads it. */
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

/** Adds or replaces the RADIUS or LDAP settings of an application. */
export function saveRadiusLdapClient(tx: Tx, { secret, ...client }: RadiusLdapClientRow): void {
  const row = { ...client, secret: sealIn(tx, COLUMN, sealKeyOf(client), secret) };
  tx.insert(radiusLdapClients)
    .values(row)
    .onConflictDoUpdate({ target: [radiusLdapClients.orgCode, radiusLdapClients.appId], set: row })
    .run();
}
