import { deviceRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { z } from 'zod';
import { requireActive } from '#core/device-keys/require-active.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { verifyDeviceJws } from './device-jws.ts';
import { type ClaimsSchema, requireFreshClaims } from './fresh-claims.ts';

/** A device that has just proven possession of its key, and the device's owner. */
export interface ProvenDevice {
  device: deviceRepo.DeviceRow & { type: AppType };
  member: memberRepo.MemberRow;
  organisation: organisationRepo.OrganisationRow;
}

/**
 * Verifies a signed call and returns its device and command. Discloses the status of the device or its member only to
 * the key holder.
 * @throws Refusal REQUESTER_ZID_MISSING; DEVICE_NOT_TRUSTED if the device is unknown; SIGNATURE_MISMATCH if the
 * signature or organisation is wrong or the call is replayed; EXPIRED if the device's clock is off; INVALID_REQUEST
 * if the command is incomplete; or for any reason `requireActive` throws it
 */
export function requireDevice<Schema extends ClaimsSchema>(
  deps: Deps,
  { zid, jws }: { zid?: string; jws: string },
  schema: Schema,
): ProvenDevice & { claims: z.output<Schema> } {
  if (zid === undefined) throw new Refusal('REQUESTER_ZID_MISSING');
  const known = deviceRepo.findClaimedDevice(deps.db, zid);
  // Passkeys sign in through the browser and don't sign calls.
  if (!known?.publicKey || known.thumbprint === null) {
    throw new Refusal('DEVICE_NOT_TRUSTED', { message: "The portal doesn't recognise this device." });
  }
  const { orgCode, thumbprint, publicKey } = known;
  const payload = verifyDeviceJws(jws, publicKey, [zid]);
  const claims = requireFreshClaims(deps, schema, { payload, orgCode, thumbprint });
  return { ...requireActingDevice(deps, known), claims };
}

/**
 * Returns an active device with its member and organisation. The device must already have proven possession of its
 * key.
 * @throws Refusal DEVICE_NOT_TRUSTED for a passkey, which can't sign calls; or for any reason `requireActive` throws
 * it
 */
export function requireActingDevice({ db }: Deps, of: Pick<deviceRepo.DeviceRow, 'orgCode' | 'zid'>): ProvenDevice {
  const { device, member } = requireActive(db, of);
  const { type, orgCode } = device;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (type === 'webauthn' || !organisation) throw new Refusal('DEVICE_NOT_TRUSTED');
  return { device: { ...device, type }, member, organisation };
}
