import { eq } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { portalOidc } from '../schema/settings.ts';

export type PortalOidcRow = typeof portalOidc.$inferSelect;

/** The external OpenID provider of an organisation; undefined where none was ever set up. */
export function findPortalOidc(tx: Tx, orgCode: string): PortalOidcRow | undefined {
  return tx.select().from(portalOidc).where(eq(portalOidc.orgCode, orgCode)).get();
}

export function savePortalOidc(tx: Tx, { orgCode, ...provider }: PortalOidcRow): void {
  tx.insert(portalOidc)
    .values({ orgCode, ...provider })
    .onConflictDoUpdate({ target: portalOidc.orgCode, set: provider })
    .run();
}
