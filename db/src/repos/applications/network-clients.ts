import { and, eq } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { applications, networkClients } from '../../schema/applications.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';

/** A row with its secret in plain text. */
export type NetworkClientRow = Omit<typeof networkClients.$inferSelect, 'secret'> & { secret: string };

const COLUMN = 'network_clients.secret';
const sealKeyOf = ({ orgCode, appId }: { orgCode: string; appId: string }) => `${orgCode} ${appId}`;

const open = (tx: Tx, row: typeof networkClients.$inferSelect): NetworkClientRow => ({
  ...row,
  secret: openIn(tx, COLUMN, sealKeyOf(row), row.secret),
});

/** Finds the RADIUS or LDAP settings of an application. */
export function findNetworkClient(tx: Tx, orgCode: string, appId: string): NetworkClientRow | undefined {
  const row = tx
    .select()
    .from(networkClients)
    .where(and(eq(networkClients.orgCode, orgCode), eq(networkClients.appId, appId)))
    .get();
  return row && open(tx, row);
}

/** Lists the RADIUS clients of an organisation, oldest application first. Every packet reads it. */
export const listRadiusClients: (tx: Tx, orgCode: string) => NetworkClientRow[] = cachedRead(
  (orgCode) => orgCode,
  (tx, orgCode) =>
    tx
      .select({ client: networkClients })
      .from(networkClients)
      .innerJoin(
        applications,
        and(eq(applications.orgCode, networkClients.orgCode), eq(applications.appId, networkClients.appId)),
      )
      .where(and(eq(networkClients.orgCode, orgCode), eq(applications.integrationType, 'radius')))
      .orderBy(applications.createdAt, applications.appId)
      .all()
      .map(({ client }) => open(tx, client)),
);

/** Adds or replaces the RADIUS or LDAP settings of an application. */
export function saveNetworkClient(tx: Tx, { secret, ...client }: NetworkClientRow): void {
  const row = { ...client, secret: sealIn(tx, COLUMN, sealKeyOf(client), secret) };
  tx.insert(networkClients)
    .values(row)
    .onConflictDoUpdate({ target: [networkClients.orgCode, networkClients.appId], set: row })
    .run();
}
