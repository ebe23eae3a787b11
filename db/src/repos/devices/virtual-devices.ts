import type { PublicKey } from '@orchestrate/shared';
import { and, asc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { type DeviceRowStatus, devices, virtualDevices } from '../../schema/devices.ts';
import { members } from '../../schema/members.ts';
import { organisations, roles } from '../../schema/organisations.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import type { Sealed } from '../../vault.ts';

const privateKeyOf = (tx: Tx, zid: string, sealed: Sealed): PublicKey & { d: string } =>
  JSON.parse(unsealValue(tx, 'virtual_devices.privateKey', zid, sealed));

interface VirtualDeviceFilter {
  orgCode?: string | undefined;
  /** Email of the device owner. */
  email?: string | undefined;
  zid?: string | undefined;
  /** Status of the devices to list. Defaults to active devices, which can act. */
  status?: DeviceRowStatus;
}

/**
 * Lists simulated devices (devices whose private key is stored) and their owners, in seed order within each
 * organisation.
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

/** Stores a device's private key, which makes it a simulated device. */
export function insertVirtualDevice(tx: Tx, zid: string, privateKey: PublicKey & { d: string }): void {
  const sealed = sealValue(tx, 'virtual_devices.privateKey', zid, JSON.stringify(privateKey));
  tx.insert(virtualDevices).values({ zid, privateKey: sealed }).run();
}

export type VirtualDeviceRow = ReturnType<typeof listVirtualDevices>[number];
