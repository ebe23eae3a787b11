import type { PublicKey } from '@orchestrate/shared';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { type DeviceRowStatus, devices, virtualDevices } from '../../schema/devices.ts';
import { members } from '../../schema/members.ts';
import { organisations, roles } from '../../schema/organisations.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import type { Sealed } from '../../vault.ts';

const privateKeyOf = (tx: Tx, zid: string, kept: Sealed): PublicKey & { d: string } =>
  JSON.parse(openIn(tx, 'virtual_devices.privateKey', zid, kept));

interface VirtualDeviceFilter {
  orgCode?: string | undefined;
  /** Primary address of the device's owner. */
  email?: string | undefined;
  zid?: string | undefined;
  /** Active ones where not given: those that can act. */
  status?: DeviceRowStatus;
}

/**
 * The simulated devices, whose private keys are known, with their owners; in each organisation the first seeded come
 * first.
 */
export function listVirtualDevices(tx: Tx, { orgCode, email, zid, status = 'active' }: VirtualDeviceFilter = {}) {
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
        eq(devices.status, status),
        orgCode === undefined ? undefined : eq(devices.orgCode, orgCode),
        email === undefined ? undefined : eq(members.primaryEmail, email),
        zid === undefined ? undefined : eq(devices.zid, zid),
      ),
    )
    .orderBy(sql`${members.id} & 0xffffffff`, asc(members.id), asc(devices.registeredAt))
    .all();
  return rows.map((row) => ({ ...row, privateKey: privateKeyOf(tx, row.device.zid, row.privateKey) }));
}

/** Keeps the private key of a device, which is then a simulated one. */
export function insertVirtualDevice(tx: Tx, zid: string, privateKey: PublicKey & { d: string }): void {
  const kept = sealIn(tx, 'virtual_devices.privateKey', zid, JSON.stringify(privateKey));
  tx.insert(virtualDevices).values({ zid, privateKey: kept }).run();
}

export type VirtualDeviceRow = ReturnType<typeof listVirtualDevices>[number];
