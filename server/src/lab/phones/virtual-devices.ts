import { virtualDeviceRepo } from '@orchestrate/db';
import { contract, fullNameOf, type VirtualDevice } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { requireOrgCode } from './find-phone.ts';

/** Returns the simulated devices with their private keys, so that a page, script or test can impersonate them. */
export function virtualDevices(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.virtualDevices, ({ query: { orgCode } }) => {
    if (orgCode !== undefined) requireOrgCode(deps, 'orgCode', orgCode);
    return { devices: virtualDeviceRepo.listVirtualDevices(deps.db, { orgCode }).map(virtualDeviceOf) };
  });
}

/** Converts a simulated device to its format in the contract. */
export function virtualDeviceOf(row: virtualDeviceRepo.VirtualDeviceRow): VirtualDevice {
  const { device, member } = row;
  return {
    zid: device.zid,
    suid: device.suid,
    orgCode: device.orgCode,
    orgName: row.orgName,
    name: device.name,
    type: device.type,
    primaryEmail: member.primaryEmail,
    fullName: fullNameOf(member),
    roleName: row.roleName,
    privateKeyJwk: row.privateKey,
  };
}
