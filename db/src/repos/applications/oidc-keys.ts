import { and, desc, eq, inArray, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { oidcKeys } from '../../schema/oidc.ts';
import { organisations } from '../../schema/organisations.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** A key row with the private JWK in plain text. */
export type OidcKeyRow = Omit<typeof oidcKeys.$inferSelect, 'privateJwk'> & { privateJwk: Record<string, string> };

const COLUMN = 'oidc_keys.privateJwk';

const agesOf = drizzleStatement((db) =>
  db
    .select({
      primaryAttrField: organisations.primaryAttrField,
      kid: oidcKeys.kid,
      alg: oidcKeys.alg,
      createdAt: oidcKeys.createdAt,
    })
    .from(organisations)
    .leftJoin(oidcKeys, eq(oidcKeys.orgCode, organisations.orgCode))
    .where(eq(organisations.orgCode, sql.placeholder('orgCode')))
    .orderBy(desc(oidcKeys.createdAt), sql`${oidcKeys}.rowid DESC`)
    .prepare(),
);

/** Issuer data that every request needs: the primary attribute's name and the public keys. */
export interface OidcIssuer {
  primaryAttrField: string;
  /** Signing keys without private key material, newest first. */
  keys: Pick<OidcKeyRow, 'kid' | 'alg' | 'createdAt'>[];
}

const issuerOf = cachedRow([organisations, oidcKeys], ['orgCode'], (db, key): OidcIssuer | null => {
  const rows = agesOf(db).all(key);
  if (!rows[0]) return null;
  const keys = rows.flatMap(({ kid, alg, createdAt }) =>
    kid !== null && alg !== null && createdAt !== null ? [{ kid, alg, createdAt }] : [],
  );
  return { primaryAttrField: rows[0].primaryAttrField, keys };
});

/** Finds an organisation's issuer data. */
export function findOidcIssuer(tx: Tx, orgCode: string): OidcIssuer | undefined {
  return issuerOf(tx, { orgCode }) ?? undefined;
}

/** Lists an organisation's keys, newest first. */
export function listOidcKeys(tx: Tx, orgCode: string): OidcKeyRow[] {
  const rows = tx
    .select()
    .from(oidcKeys)
    .where(eq(oidcKeys.orgCode, orgCode))
    .orderBy(desc(oidcKeys.createdAt), sql`rowid DESC`)
    .all();
  return rows.map((row) => ({ ...row, privateJwk: JSON.parse(unsealValue(tx, COLUMN, row.kid, row.privateJwk)) }));
}

/** Seals and adds keys. */
export function insertOidcKeys(tx: Tx, keys: OidcKeyRow[]): void {
  const rows = keys.map((key) => ({
    ...key,
    privateJwk: sealValue(tx, COLUMN, key.kid, JSON.stringify(key.privateJwk)),
  }));
  tx.insert(oidcKeys).values(rows).run();
}

/** Deletes keys. Signatures made with them can no longer be verified. */
export function deleteOidcKeys(tx: Tx, orgCode: string, kids: string[]): void {
  tx.delete(oidcKeys)
    .where(and(eq(oidcKeys.orgCode, orgCode), inArray(oidcKeys.kid, kids)))
    .run();
}
