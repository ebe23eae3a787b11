import { deviceRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { z } from 'zod';
import { requireActive } from '#core/device-keys/require-active.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { openDeviceJws } from './device-jws.ts';
import { type ClaimsSchema, requireFreshClaims } from './fresh-claims.ts';

/** Device that has just proven its key, and its owner. */
export interface ProvenDevice {
  device: deviceRepo.DeviceRow & { type: AppType };
  member: memberRepo.MemberRow;
  organisation: organisationRepo.OrganisationRow;
}

/**
 * Verifies a signed call and returns its device and command. The status of the device or its member is disclosed only
 * to the holder of the key.
 * @throws Refusal REQUESTER_ZID_MISSING; DEVICE_NOT_TRUSTED unknown; SIGNATURE_MISMATCH signature, organisation or
 * replay; EXPIRED its clock is off; INVALID_REQUEST incomplete command; as `requireActive`
 */
export function requireDevice<Schema extends ClaimsSchema>(
  deps: Deps,
  { zid, jws }: { zid?: string; jws: string },
  schema: Schema,
): ProvenDevice & { claims: z.output<Schema> } {
  if (zid === undefined) throw new Refusal('REQUESTER_ZID_MISSING');
  const known = deviceRepo.findClaimedDevice(deps.db, zid);
  // Passkeys answer in the browser and don't sign calls.
  if (!known?.publicKey || known.thumbprint === null) {
    throw new Refusal('DEVICE_NOT_TRUSTED', { message: 'The portal does not know this device.' });
  }
  const { orgCode, thumbprint, publicKey } = known;
  const payload = openDeviceJws(jws, publicKey, [zid]);
  const claims = requireFreshClaims(deps, schema, { payload, orgCode, thumbprint });
  return { ...requireActingDevice(deps, known), claims };
}

/** @throws Refusal DEVICE_NOT_TRUSTED for a passkey, which signs no calls; as `requireActive` */
export function requireActingDevice({ db }: Deps, of: Pick<deviceRepo.DeviceRow, 'orgCode' | 'zid'>): ProvenDevice {
  const { device, member } = requireActive(db, of);
  const { type, orgCode } = device;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (type === 'webauthn' || !organisation) throw new Refusal('DEVICE_NOT_TRUSTED');
  return { device: { ...device, type }, member, organisation };
}
