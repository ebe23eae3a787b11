import { and, asc, eq, exists, isNotNull, isNull, notExists, or, sql } from '#drizzle';
import type { Tx } from '../database.ts';
import { applications } from '../schema/applications.ts';
import { devices, passkeys, virtualDevices } from '../schema/devices.ts';
import { externalIdentities } from '../schema/external-sign-ins.ts';
import { members } from '../schema/members.ts';
import { organisations, roles } from '../schema/organisations.ts';
import { setupCodes, worlds } from '../schema/world.ts';
import { portalApplication } from '../seed/applications.ts';
import type { KeyOrigin } from '../seed/key-source.ts';
import { systemRoles } from '../seed/organisations.ts';

/** Finds the world of this portal. Returns undefined if the portal started empty. */
export function findWorld(tx: Tx): Pick<typeof worlds.$inferSelect, 'randomSeed' | 'keysFrom'> | undefined {
  return tx.select().from(worlds).get();
}

/** Stores which source this portal's keys are derived from. */
export function setKeyOrigin(tx: Tx, keysFrom: KeyOrigin): void {
  tx.update(worlds).set({ keysFrom }).run();
}

const ADMINISTRATOR = 'SUPER_ADMIN';

/**
 * Lists the codes of organisations in which no Super Admin can sign in, in the order the organisations were created.
 * @param phones whether simulated devices count; without the lab, they can't be used
 */
export function listOrgCodesWithoutAdministrator(tx: Tx, { phones }: { phones: 'simulated' | 'real' }): string[] {
  const owned = and(eq(devices.suid, members.suid), eq(devices.status, 'active'));
  const simulated = tx
    .select({ id: sql`1` })
    .from(devices)
    .innerJoin(virtualDevices, eq(virtualDevices.zid, devices.zid))
    .where(owned);
  const real = tx
    .select({ id: sql`1` })
    .from(devices)
    .leftJoin(virtualDevices, eq(virtualDevices.zid, devices.zid))
    .leftJoin(passkeys, eq(passkeys.zid, devices.zid))
    .where(and(owned, isNull(virtualDevices.zid), or(isNotNull(devices.thumbprint), isNotNull(passkeys.zid))));
  const identities = tx
    .select({ id: sql`1` })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.suid, members.suid), isNotNull(externalIdentities.approvedAt)));
  const administrators = tx
    .select({ id: sql`1` })
    .from(members)
    .where(
      and(
        eq(members.orgCode, organisations.orgCode),
        eq(members.roleCode, ADMINISTRATOR),
        eq(members.accountStatus, 'active'),
        phones === 'simulated' ? undefined : or(notExists(simulated), exists(real), exists(identities)),
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

/**
 * Claims a single-use setup code. Returns false if the code was already used.
 * @param hash as in `setup_codes.hash`
 */
export function claimSetupCode(tx: Tx, hash: string, usedAt: number): boolean {
  return tx.insert(setupCodes).values({ hash, usedAt }).onConflictDoNothing().returning().all().length > 0;
}

/**
 * Adds an organisation with its system roles and portal application.
 * @throws if the code is taken
 */
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
