import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { oidcKeys } from '../schema/oidc.ts';

export type OidcKeyRow = typeof oidcKeys.$inferSelect;

const ofOrganisation = prepared((db) =>
  db
    .select()
    .from(oidcKeys)
    .where(eq(oidcKeys.orgCode, sql.placeholder('orgCode')))
    .orderBy(desc(oidcKeys.createdAt), sql`rowid DESC`)
    .prepare(),
);

/** The keys of an organisation, the newest first. */
export function listOidcKeys(tx: Tx, orgCode: string): OidcKeyRow[] {
  return ofOrganisation(tx).all({ orgCode });
}

export function insertOidcKeys(tx: Tx, keys: OidcKeyRow[]): void {
  tx.insert(oidcKeys).values(keys).run();
}

export function deleteOidcKeys(tx: Tx, orgCode: string, kids: string[]): void {
  tx.delete(oidcKeys)
    .where(and(eq(oidcKeys.orgCode, orgCode), inArray(oidcKeys.kid, kids)))
    .run();
}
