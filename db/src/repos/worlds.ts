import { and, asc, eq, notExists, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { applications } from '../schema/applications.ts';
import { members } from '../schema/members.ts';
import { organisations, roles } from '../schema/organisations.ts';
import { setupCodes, worlds } from '../schema/world.ts';
import { portalApplication } from '../seed/applications.ts';
import { systemRoles } from '../seed/organisations.ts';

/** What the world of this portal is drawn from; undefined where the portal began empty. */
export function findRandomSeed(tx: Tx): string | undefined {
  return tx.select().from(worlds).get()?.randomSeed;
}

const ADMINISTRATOR = 'SUPER_ADMIN';

/** The codes of organisations in which nobody who can sign in is a Super Admin, in their order. */
export function listOrgCodesWithoutAdministrator(tx: Tx): string[] {
  const administrators = tx
    .select({ id: sql`1` })
    .from(members)
    .where(
      and(
        eq(members.orgCode, organisations.orgCode),
        eq(members.roleCode, ADMINISTRATOR),
        eq(members.accountStatus, 'active'),
      ),
    );
  const rows = tx
    .select({ orgCode: organisations.orgCode })
    .from(organisations)
    .where(notExists(administrators))
    .orderBy(asc(organisations.number))
    .all();
  return rows.map(({ orgCode }) => orgCode);
}

/** Claims a setup code for its only use. @param hash as `setup_codes.hash` @returns false where it has been used */
export function claimSetupCode(tx: Tx, hash: string, usedAt: number): boolean {
  return tx.insert(setupCodes).values({ hash, usedAt }).onConflictDoNothing().returning().all().length > 0;
}

/** A new organisation with its system roles and its portal application. @throws where the code is taken. */
export function insertOrganisation(
  tx: Tx,
  { orgCode, name, color, createdAt }: { orgCode: string; name: string; color?: string; createdAt: number },
): void {
  const number = sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM organisations)`;
  const settings = { primaryAttrField: 'employeeId', title: `Sign in to ${name}` };
  tx.insert(organisations)
    .values({ orgCode, number, name, color, ...settings, createdAt })
    .run();
  tx.insert(roles).values(systemRoles(orgCode)).run();
  tx.insert(applications)
    .values(portalApplication(orgCode, `${name} Portal`, createdAt))
    .run();
}
