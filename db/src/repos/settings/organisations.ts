import { eq, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { organisations } from '../../schema/organisations.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type OrganisationRow = typeof organisations.$inferSelect;

const byCode = drizzleStatement((db) =>
  db
    .select()
    .from(organisations)
    .where(eq(organisations.orgCode, sql.placeholder('orgCode')))
    .prepare(),
);

const cachedOrganisation = cachedRow([organisations], ['orgCode'], (db, key) => byCode(db).get(key) ?? null);

/** Finds an organisation by its code. Cached because almost every request needs it. */
export function findOrganisation(tx: Tx, orgCode: string): OrganisationRow | undefined {
  return cachedOrganisation(tx, { orgCode }) ?? undefined;
}

/**
 * Finds an organisation that must exist.
 * @throws Error if no organisation has this code
 */
export function requireOrganisation(tx: Tx, orgCode: string): OrganisationRow {
  const organisation = findOrganisation(tx, orgCode);
  if (!organisation) throw new Error(`There is no organisation ${orgCode}.`);
  return organisation;
}

/** Organisation fields that administrators can change. */
export type OrganisationEdit = Partial<Omit<OrganisationRow, 'orgCode' | 'number' | 'createdAt'>>;

/**
 * Updates the given fields and returns the whole row.
 * @throws if the organisation doesn't exist
 */
export function editOrganisation(tx: Tx, orgCode: string, edit: OrganisationEdit): OrganisationRow {
  return tx.update(organisations).set(edit).where(eq(organisations.orgCode, orgCode)).returning().get();
}

export function listOrgCodes(tx: Tx): string[] {
  return tx
    .select({ orgCode: organisations.orgCode })
    .from(organisations)
    .orderBy(organisations.number)
    .all()
    .map(({ orgCode }) => orgCode);
}
