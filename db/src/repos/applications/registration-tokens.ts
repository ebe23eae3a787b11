import { and, desc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { registrationTokens } from '../../schema/oidc.ts';

export type RegistrationTokenRow = typeof registrationTokens.$inferSelect;

const named = (orgCode: string, id: string) =>
  and(eq(registrationTokens.id, id), eq(registrationTokens.orgCode, orgCode));

/** Lists an organisation's registration tokens, newest first. */
export function listRegistrationTokens(tx: Tx, orgCode: string): RegistrationTokenRow[] {
  return tx
    .select()
    .from(registrationTokens)
    .where(eq(registrationTokens.orgCode, orgCode))
    .orderBy(desc(registrationTokens.createdAt), sql`rowid DESC`)
    .all();
}

export function findRegistrationTokenByHash(tx: Tx, orgCode: string, hash: string): RegistrationTokenRow | undefined {
  return tx
    .select()
    .from(registrationTokens)
    .where(and(eq(registrationTokens.hash, hash), eq(registrationTokens.orgCode, orgCode)))
    .get();
}

export function insertRegistrationToken(tx: Tx, row: RegistrationTokenRow): void {
  tx.insert(registrationTokens).values(row).run();
}

/** Records when a token was last used. */
export function touchRegistrationToken(tx: Tx, orgCode: string, id: string, now: number): void {
  tx.update(registrationTokens).set({ lastUsedAt: now }).where(named(orgCode, id)).run();
}

/** Deletes a token and returns it, or undefined if it doesn't exist. */
export function deleteRegistrationToken(tx: Tx, orgCode: string, id: string): RegistrationTokenRow | undefined {
  return tx.delete(registrationTokens).where(named(orgCode, id)).returning().get();
}
