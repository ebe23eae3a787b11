import { and, desc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { scimTokens } from '../../schema/settings.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ScimTokenRow = typeof scimTokens.$inferSelect;

const named = (orgCode: string, id: string) => and(eq(scimTokens.id, id), eq(scimTokens.orgCode, orgCode));

/** Lists an organisation's tokens, newest first. */
export function listScimTokens(tx: Tx, orgCode: string): ScimTokenRow[] {
  return tx
    .select()
    .from(scimTokens)
    .where(eq(scimTokens.orgCode, orgCode))
    .orderBy(desc(scimTokens.createdAt), sql`rowid DESC`)
    .all();
}

const hashed = drizzleStatement((db) =>
  db
    .select()
    .from(scimTokens)
    .where(and(eq(scimTokens.orgCode, sql.placeholder('orgCode')), eq(scimTokens.hash, sql.placeholder('hash'))))
    .prepare(),
);

export function findScimTokenByHash(tx: Tx, orgCode: string, hash: string): ScimTokenRow | undefined {
  return hashed(tx).get({ orgCode, hash });
}

export function insertScimToken(tx: Tx, row: ScimTokenRow): void {
  tx.insert(scimTokens).values(row).run();
}

/** Records when a token was last used. */
export function touchScimToken(tx: Tx, orgCode: string, id: string, now: number): void {
  tx.update(scimTokens).set({ lastUsedAt: now }).where(named(orgCode, id)).run();
}

/** Deletes a token and returns it, or undefined if it doesn't exist. */
export function deleteScimToken(tx: Tx, orgCode: string, id: string): ScimTokenRow | undefined {
  return tx.delete(scimTokens).where(named(orgCode, id)).returning().get();
}
