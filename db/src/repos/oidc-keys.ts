import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { remembered } from '../remembered.ts';
import { oidcKeys } from '../schema/oidc.ts';

export type OidcKeyRow = typeof oidcKeys.$inferSelect;

const ofOrganisation = prepared((db) =>
  db
    .select({ kid: oidcKeys.kid, alg: oidcKeys.alg, createdAt: oidcKeys.createdAt })
    .from(oidcKeys)
    .where(eq(oidcKeys.orgCode, sql.placeholder('orgCode')))
    .orderBy(desc(oidcKeys.createdAt), sql`rowid DESC`)
    .prepare(),
);

/** What is known of the keys of an organisation beside the keys themselves, the newest first. */
export const listOidcKeyAges = remembered(
  (orgCode: string) => orgCode,
  (db, orgCode) => ofOrganisation(db).all({ orgCode }),
);

/** The keys of an organisation, the newest first. */
export function listOidcKeys(tx: Tx, orgCode: string): OidcKeyRow[] {
  return tx
    .select()
    .from(oidcKeys)
    .where(eq(oidcKeys.orgCode, orgCode))
    .orderBy(desc(oidcKeys.createdAt), sql`rowid DESC`)
    .all();
}

export function insertOidcKeys(tx: Tx, keys: OidcKeyRow[]): void {
  tx.insert(oidcKeys).values(keys).run();
}

export function deleteOidcKeys(tx: Tx, orgCode: string, kids: string[]): void {
  tx.delete(oidcKeys)
    .where(and(eq(oidcKeys.orgCode, orgCode), inArray(oidcKeys.kid, kids)))
    .run();
}
