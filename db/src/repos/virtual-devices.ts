import type { PublicKey } from '@orchestrate/shared';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { devices, virtualDevices } from '../schema/devices.ts';
import { members } from '../schema/members.ts';
import { organisations, roles } from '../schema/organisations.ts';
import { openIn } from '../sealed-columns.ts';
import type { Sealed } from '../vault.ts';

const privateKeyOf = (tx: Tx, zid: string, kept: Sealed): PublicKey & { d: string } =>
  JSON.parse(openIn(tx, 'virtual_devices.privateKey', zid, kept));

interface VirtualDeviceFilter {
  orgCode?: string | undefined;
  /** Primary address of the device's owner. */
  email?: string;
}

/**
 * The simulated devices of the demo seed that can still act, with their owners; in each organisation the first seeded
 * come first.
 */
export function listVirtualDevices(tx: Tx, { orgCode, email }: VirtualDeviceFilter = {}) {
  const rows = tx
    .select({
      device: devices,
      privateKey: virtualDevices.privateKey,
      member: members,
      roleName: roles.name,
      orgName: organisations.name,
    })
    .from(virtualDevices)
    .innerJoin(devices, eq(devices.zid, virtualDevices.zid))
    .innerJoin(members, eq(members.suid, devices.suid))
    .innerJoin(roles, and(eq(roles.orgCode, members.orgCode), eq(roles.roleCode, members.roleCode)))
    .innerJoin(organisations, eq(organisations.orgCode, devices.orgCode))
    .where(
      and(
        eq(devices.status, 'active'),
        orgCode === undefined ? undefined : eq(devices.orgCode, orgCode),
        email === undefined ? undefined : eq(members.primaryEmail, email),
      ),
    )
    .orderBy(sql`${members.id} & 0xffffffff`, asc(members.id), asc(devices.registeredAt))
    .all();
  return rows.map((row) => ({ ...row, privateKey: privateKeyOf(tx, row.device.zid, row.privateKey) }));
}

export type VirtualDeviceRow = ReturnType<typeof listVirtualDevices>[number];
