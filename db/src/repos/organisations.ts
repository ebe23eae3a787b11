import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { organisations } from '../schema/organisations.ts';

export type OrganisationRow = typeof organisations.$inferSelect;

const byCode = prepared((db) =>
  db
    .select()
    .from(organisations)
    .where(eq(organisations.orgCode, sql.placeholder('orgCode')))
    .prepare(),
);

export function findOrganisation(tx: Tx, orgCode: string): OrganisationRow | undefined {
  return byCode(tx).get({ orgCode });
}
