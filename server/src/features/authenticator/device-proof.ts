import { deviceRepo, deviceSignatureRepo, type memberRepo, organisationRepo } from '@orchestrate/db';
import { type AppType, type deviceClaims, LIMITS, type PublicKey, SECOND } from '@orchestrate/shared';
import type { z } from 'zod';
import { requireActive } from '#core/device-keys/require-active.ts';
import type { Deps } from '#deps.ts';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { Refusal } from '#platform/refusal.ts';
import { verifyDeviceJws } from './device-jws.ts';

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

/** A command's claims, including those common to every device JWS. */
export type ClaimsSchema = z.ZodType<z.output<typeof deviceClaims>>;

const SKEW_MS = LIMITS.signatureSkewSeconds * SECOND;

/**
 * Returns the claims of a verified JWS, which must be for this organisation, recent and unused.
 * @throws Refusal INVALID_REQUEST if claims are incomplete; SIGNATURE_MISMATCH if the JWS is for another organisation
 * or the key has already used this `jti`; EXPIRED if `iat` is too far off
 */
export function requireFreshClaims<Schema extends ClaimsSchema>(
  { db, clock }: Deps,
  schema: Schema,
  { payload, orgCode, thumbprint }: { payload: unknown; orgCode: string; thumbprint: string },
): z.output<Schema> {
  const claims = readPart(schema, payload);
  const now = clock.now();
  const signedAt = claims.iat * SECOND;
  if (claims.aud !== orgCode) {
    throw new Refusal('SIGNATURE_MISMATCH', { message: 'The message was signed for another organisation.' });
  }
  if (Math.abs(now - signedAt) > SKEW_MS) throw new Refusal('EXPIRED', { message: tooFarOff(signedAt - now) });
  const signature = { thumbprint, jti: claims.jti, expiresAt: signedAt + SKEW_MS + 1 };
  if (!deviceSignatureRepo.rememberSignature(db, signature)) {
    throw new Refusal('SIGNATURE_MISMATCH', { message: 'This signed message has been used before.' });
  }
  return claims;
}

function tooFarOff(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / SECOND);
  const when = ms < 0 ? `${seconds} seconds ago` : `${seconds} seconds in the future`;
  return `The message was signed ${when}, but the clock can be off by at most ${LIMITS.signatureSkewSeconds} seconds. Check the device's clock.`;
}

/**
 * Verifies that the device holds the private half of a new public key, with a recent proof for this organisation.
 * @throws Refusal ORG_CODE_NOT_FOUND if the organisation is unknown; SIGNATURE_MISMATCH if the signature or
 * organisation is wrong or the proof is replayed; EXPIRED if the clock is off; INVALID_REQUEST if claims are
 * incomplete
 */
export function requireNewKeyProof<Schema extends ClaimsSchema>(
  deps: Deps,
  { orgCode, publicKey, proof }: { orgCode: string; publicKey: PublicKey; proof: string },
  schema: Schema,
): { organisation: organisationRepo.OrganisationRow; thumbprint: string; claims: z.output<Schema> } {
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  const payload = verifyDeviceJws(proof, publicKey, [undefined]);
  const thumbprint = thumbprintOf(publicKey);
  return { organisation, thumbprint, claims: requireFreshClaims(deps, schema, { payload, orgCode, thumbprint }) };
}
