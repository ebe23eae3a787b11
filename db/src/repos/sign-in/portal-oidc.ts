import { eq } from '#drizzle';
import type { Tx } from '../../database.ts';
import { portalOidc } from '../../schema/settings.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';

/** A provider row with the client secret in plain text. */
export type PortalOidcRow = Omit<typeof portalOidc.$inferSelect, 'clientSecret'> & { clientSecret: string };

const COLUMN = 'portal_oidc.clientSecret';

/** Finds an organisation's external OpenID provider. */
export function findPortalOidc(tx: Tx, orgCode: string): PortalOidcRow | undefined {
  const row = tx.select().from(portalOidc).where(eq(portalOidc.orgCode, orgCode)).get();
  return row && { ...row, clientSecret: unsealValue(tx, COLUMN, orgCode, row.clientSecret) };
}

/** Saves the organisation's provider, replacing any existing provider. */
export function savePortalOidc(tx: Tx, { orgCode, ...plain }: PortalOidcRow): void {
  const provider = { ...plain, clientSecret: sealValue(tx, COLUMN, orgCode, plain.clientSecret) };
  tx.insert(portalOidc)
    .values({ orgCode, ...provider })
    .onConflictDoUpdate({ target: portalOidc.orgCode, set: provider })
    .run();
}
