import { eq, sql } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { scimCredentials } from '../../schema/settings.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

/** A credentials row with the password in plain text. */
export type ScimCredentialsRow = Omit<typeof scimCredentials.$inferSelect, 'password'> & { password: string };

const COLUMN = 'scim_credentials.password';

const ofOrganisation = drizzleStatement((db) =>
  db
    .select()
    .from(scimCredentials)
    .where(eq(scimCredentials.orgCode, sql.placeholder('orgCode')))
    .prepare(),
);

/** Finds the organisation's SCIM credentials. Cached because every SCIM request reads them. */
export const findScimCredentials = cachedRead(
  (orgCode: string) => orgCode,
  (tx, orgCode): Readonly<ScimCredentialsRow> | undefined => {
    const row = ofOrganisation(tx).get({ orgCode });
    return row && { ...row, password: unsealValue(tx, COLUMN, orgCode, row.password) };
  },
);

/** Saves the organisation's SCIM credentials, replacing any existing credentials. */
export function saveScimCredentials(tx: Tx, { orgCode, ...plain }: ScimCredentialsRow): void {
  const pair = { ...plain, password: sealValue(tx, COLUMN, orgCode, plain.password) };
  tx.insert(scimCredentials)
    .values({ orgCode, ...pair })
    .onConflictDoUpdate({ target: scimCredentials.orgCode, set: pair })
    .run();
}
