import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { scimCredentials } from '../schema/settings.ts';

export type ScimCredentialsRow = typeof scimCredentials.$inferSelect;

const ofOrganisation = prepared((db) =>
  db
    .select()
    .from(scimCredentials)
    .where(eq(scimCredentials.orgCode, sql.placeholder('orgCode')))
    .prepare(),
);

/** With what the users of an organisation are provisioned; undefined before the first. */
export function findScimCredentials(tx: Tx, orgCode: string): ScimCredentialsRow | undefined {
  return ofOrganisation(tx).get({ orgCode });
}

/** Replaces them: there is one pair per organisation. */
export function saveScimCredentials(tx: Tx, { orgCode, ...pair }: ScimCredentialsRow): void {
  tx.insert(scimCredentials)
    .values({ orgCode, ...pair })
    .onConflictDoUpdate({ target: scimCredentials.orgCode, set: pair })
    .run();
}
