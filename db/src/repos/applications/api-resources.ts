import { and, asc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { apiResources } from '../../schema/oidc.ts';
import { isUniqueViolation } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ApiResourceRow = typeof apiResources.$inferSelect;

const named = (orgCode: string, id: string) => and(eq(apiResources.id, id), eq(apiResources.orgCode, orgCode));

/** Lists an organisation's APIs by name. */
export function listApiResources(tx: Tx, orgCode: string): ApiResourceRow[] {
  return tx
    .select()
    .from(apiResources)
    .where(eq(apiResources.orgCode, orgCode))
    .orderBy(asc(sql`lower(${apiResources.name})`), asc(apiResources.identifier))
    .all();
}

export function findApiResource(tx: Tx, orgCode: string, id: string): ApiResourceRow | undefined {
  return tx.select().from(apiResources).where(named(orgCode, id)).get();
}

const identified = drizzleStatement((db) =>
  db
    .select()
    .from(apiResources)
    .where(
      and(
        eq(apiResources.identifier, sql.placeholder('identifier')),
        eq(apiResources.orgCode, sql.placeholder('orgCode')),
      ),
    )
    .prepare(),
);

/** Finds an API by the identifier that applications use to request it. */
export function findApiResourceByIdentifier(tx: Tx, orgCode: string, identifier: string): ApiResourceRow | undefined {
  return identified(tx).get({ orgCode, identifier });
}

/** Adds an API. Returns false if the organisation already has an API with the same identifier. */
export function insertApiResource(tx: Tx, row: ApiResourceRow): boolean {
  try {
    tx.insert(apiResources).values(row).run();
    return true;
  } catch (reason) {
    if (isUniqueViolation(reason, 'api_resources.orgCode')) return false;
    throw reason;
  }
}

export function changeApiResource(
  tx: Tx,
  orgCode: string,
  id: string,
  change: Pick<ApiResourceRow, 'name' | 'scopes'>,
): void {
  tx.update(apiResources).set(change).where(named(orgCode, id)).run();
}

export function deleteApiResource(tx: Tx, orgCode: string, id: string): void {
  tx.delete(apiResources).where(named(orgCode, id)).run();
}
