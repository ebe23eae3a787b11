import { eq } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { portalOidc } from '../../schema/settings.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';

/** A row with its secret in plain text. */
export type PortalOidcRow = Omit<typeof portalOidc.$inferSelect, 'clientSecret'> & { clientSecret: string };

const COLUMN = 'portal_oidc.clientSecret';

/** Finds the external OpenID provider of an organisation. */
export function findPortalOidc(tx: Tx, orgCode: string): PortalOidcRow | undefined {
  const row = tx.select().from(portalOidc).where(eq(portalOidc.orgCode, orgCode)).get();
  return row && { ...row, clientSecret: openIn(tx, COLUMN, orgCode, row.clientSecret) };
}

/** Replaces the provider: there is one per organisation. */
export function savePortalOidc(tx: Tx, { orgCode, ...plain }: PortalOidcRow): void {
  const provider = { ...plain, clientSecret: sealIn(tx, COLUMN, orgCode, plain.clientSecret) };
  tx.insert(portalOidc)
    .values({ orgCode, ...provider })
    .onConflictDoUpdate({ target: portalOidc.orgCode, set: provider })
    .run();
}
