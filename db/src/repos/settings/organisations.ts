import { eq, sql } from 'drizzle-orm';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { organisations } from '../../schema/organisations.ts';

export type OrganisationRow = typeof organisations.$inferSelect;

const byCode = drizzleStatement((db) =>
  db
    .select()
    .from(organisations)
    .where(eq(organisations.orgCode, sql.placeholder('orgCode')))
    .prepare(),
);

const remembering = cachedRead(
  (orgCode: string) => orgCode,
  (db, orgCode) => byCode(db).get({ orgCode }) ?? null,
);

/** Read with almost every request. @returns undefined where no organisation has this code. */
export function findOrganisation(tx: Tx, orgCode: string): OrganisationRow | undefined {
  return remembering(tx, orgCode) ?? undefined;
}

/** The organisation of somebody who is known to belong to it. @throws Error where no organisation has this code */
export function requireOrganisation(tx: Tx, orgCode: string): OrganisationRow {
  const organisation = findOrganisation(tx, orgCode);
  if (!organisation) throw new Error(`There is no organisation ${orgCode}.`);
  return organisation;
}

/** What administrators may set. */
export type OrganisationEdit = Partial<Omit<OrganisationRow, 'orgCode' | 'number' | 'createdAt'>>;

/** Sets the given fields and leaves the rest; returns the whole row. @throws where there is no such organisation */
export function editOrganisation(tx: Tx, orgCode: string, edit: OrganisationEdit): OrganisationRow {
  return tx.update(organisations).set(edit).where(eq(organisations.orgCode, orgCode)).returning().get();
}

/** The codes of all organisations of the installation. */
export function listOrgCodes(tx: Tx): string[] {
  return tx
    .select({ orgCode: organisations.orgCode })
    .from(organisations)
    .orderBy(organisations.number)
    .all()
    .map(({ orgCode }) => orgCode);
}
