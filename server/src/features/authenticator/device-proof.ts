import { deviceRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { openDeviceJws } from './device-jws.ts';
import { type ClaimsSchema, requireFreshClaims } from './fresh-claims.ts';

/** A registered device that has just proven itself, and whose it is. */
export interface ProvenDevice {
  device: deviceRepo.DeviceRow & { type: AppType };
  member: memberRepo.MemberRow;
  organisation: organisationRepo.OrganisationRow;
}

/**
 * The device behind a signed call, and its command. What has become of the device or its person is told only to the
 * holder of the key.
 * @throws Refusal 19 no zid; 66 unknown or lost; 4 signature, organisation or replay; 10 clock; 59 paused; 40 removed
 * desktop; 35 inactive person; 1 incomplete command
 */
export function requireDevice<Schema extends ClaimsSchema>(
  deps: Deps,
  { zid, jws }: { zid?: string; jws: string },
  schema: Schema,
): ProvenDevice & { claims: z.output<Schema> } {
  if (zid === undefined) throw new Refusal('REQUESTER_ZID_MISSING');
  const known = deviceRepo.findClaimedDevice(deps.db, zid);
  // A passkey answers in the browser; it signs no calls.
  if (!known?.publicKey || known.thumbprint === null) throw new Refusal('DEVICE_NOT_TRUSTED');
  const { orgCode, thumbprint, publicKey } = known;
  const payload = openDeviceJws(jws, publicKey, [zid]);
  const claims = requireFreshClaims(deps, schema, { payload, orgCode, thumbprint });
  return { ...requireStanding(deps, known), claims };
}

/** @throws Refusal 66, 40, 59, 35 for a device that may not act, as the database has it now */
export function requireStanding({ db }: Deps, device: deviceRepo.DeviceRow): ProvenDevice {
  const { type } = device;
  if (type === 'webauthn') throw new Refusal('DEVICE_NOT_TRUSTED');
  if (device.status === 'removed') throw new Refusal(type === 'desktop' ? 'DESKTOP_APP_REMOVED' : 'DEVICE_NOT_TRUSTED');
  if (device.status === 'lost') throw new Refusal('DEVICE_NOT_TRUSTED');
  if (device.status === 'paused') throw new Refusal('DEVICE_INACTIVE');
  const member = memberRepo.findMember(db, device.orgCode, device.suid);
  const organisation = organisationRepo.findOrganisation(db, device.orgCode);
  if (!organisation || member?.accountStatus !== 'active') throw new Refusal('USER_INACTIVE');
  return { device: { ...device, type }, member, organisation };
}
