import { eq } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { logos } from '../schema/settings.ts';

export type LogoRow = typeof logos.$inferSelect;

/** @returns undefined where the organisation has no logo. */
export function findLogo(tx: Tx, orgCode: string): LogoRow | undefined {
  return tx.select().from(logos).where(eq(logos.orgCode, orgCode)).get();
}

/** Replaces the logo: there is one per organisation. Its address is in `organisations.logo`. */
export function saveLogo(tx: Tx, { orgCode, ...logo }: LogoRow): void {
  tx.insert(logos)
    .values({ orgCode, ...logo })
    .onConflictDoUpdate({ target: logos.orgCode, set: logo })
    .run();
}

/** Deletes the logo of the organisation. */
export function deleteLogo(tx: Tx, orgCode: string): void {
  tx.delete(logos).where(eq(logos.orgCode, orgCode)).run();
}
