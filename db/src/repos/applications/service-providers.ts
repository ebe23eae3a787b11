import { and, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { samlServiceProviders } from '../../schema/applications.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ServiceProviderRow = typeof samlServiceProviders.$inferSelect;
export type ServiceProviderChange = Partial<Omit<ServiceProviderRow, 'orgCode' | 'appId'>>;

const ofApplication = (orgCode: string, appId: string) =>
  and(eq(samlServiceProviders.orgCode, orgCode), eq(samlServiceProviders.appId, appId));

const found = drizzleStatement((db) =>
  db
    .select()
    .from(samlServiceProviders)
    .where(
      and(
        eq(samlServiceProviders.orgCode, sql.placeholder('orgCode')),
        eq(samlServiceProviders.appId, sql.placeholder('appId')),
      ),
    )
    .prepare(),
);

/** Finds an application's SAML settings. The metadata can be as large as 5 MiB. */
export function findServiceProvider(tx: Tx, orgCode: string, appId: string): ServiceProviderRow | undefined {
  return found(tx).get({ orgCode, appId });
}

/** Adds an application's SAML settings. */
export function insertServiceProvider(tx: Tx, row: ServiceProviderRow): void {
  tx.insert(samlServiceProviders).values(row).run();
}

export function changeServiceProvider(tx: Tx, orgCode: string, appId: string, change: ServiceProviderChange): void {
  if (Object.values(change).every((value) => value === undefined)) return;
  tx.update(samlServiceProviders).set(change).where(ofApplication(orgCode, appId)).run();
}
