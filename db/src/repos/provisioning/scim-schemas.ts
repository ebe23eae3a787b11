import { and, asc, eq, gt, lte, sql } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { scimSchemas } from '../../schema/settings.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { IdSlice } from '../members/member-filters.ts';

export type ScimSchemaRow = typeof scimSchemas.$inferSelect;

const param = sql.placeholder;
const named = (orgCode: string, id: string) => and(eq(scimSchemas.id, id), eq(scimSchemas.orgCode, orgCode));

const ofOrganisation = drizzleStatement((db) =>
  db
    .select()
    .from(scimSchemas)
    .where(eq(scimSchemas.orgCode, param('orgCode')))
    .orderBy(asc(sql`lower(${scimSchemas.urn})`))
    .prepare(),
);

const cachedOf = cachedRead(
  (orgCode: string) => orgCode,
  (db, orgCode): readonly ScimSchemaRow[] => ofOrganisation(db).all({ orgCode }),
);

/** Lists an organisation's schemas, sorted by URN. Cached because every SCIM request reads them. */
export function listScimSchemas(tx: Tx, orgCode: string): readonly ScimSchemaRow[] {
  return cachedOf(tx, orgCode);
}

export function findScimSchema(tx: Tx, orgCode: string, id: string): ScimSchemaRow | undefined {
  return tx.select().from(scimSchemas).where(named(orgCode, id)).get();
}

/**
 * Adds a schema.
 * @throws if the URN is already taken
 */
export function insertScimSchema(tx: Tx, row: ScimSchemaRow): void {
  tx.insert(scimSchemas).values(row).run();
}

/** Updates all fields except the URN. */
export function changeScimSchema(
  tx: Tx,
  orgCode: string,
  id: string,
  change: Pick<ScimSchemaRow, 'name' | 'description' | 'attributes'>,
): void {
  tx.update(scimSchemas).set(change).where(named(orgCode, id)).run();
}

/** Deletes a schema. Members keep their values for the schema until `setScimAttributes` removes them. */
export function deleteScimSchema(tx: Tx, orgCode: string, id: string): void {
  tx.delete(scimSchemas).where(named(orgCode, id)).run();
}

/** A member's SCIM attributes. */
export type ScimAttributesRow = Pick<typeof members.$inferSelect, 'id' | 'accountStatus' | 'scimAttributes'>;

const extended = drizzleStatement((db) =>
  db
    .select({ id: members.id, accountStatus: members.accountStatus, scimAttributes: members.scimAttributes })
    .from(members)
    .where(
      and(
        gt(members.id, param('after')),
        lte(members.id, param('upTo')),
        sql`${members.scimAttributes} -> '$.extensions' IS NOT NULL`,
      ),
    )
    .orderBy(members.id)
    .prepare(),
);

/** Lists members with values for registered schemas, including deleted members. Reads every member in the slice. */
export function listExtendedMembers(tx: Tx, slice: IdSlice): ScimAttributesRow[] {
  return extended(tx).all({ ...slice });
}

/** Sets a member's SCIM attributes. */
export function setScimAttributes(tx: Tx, id: number, scimAttributes: string | null): void {
  tx.update(members).set({ scimAttributes }).where(eq(members.id, id)).run();
}
