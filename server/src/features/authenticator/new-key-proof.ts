import { organisationRepo } from '@orchestrate/db';
import type { PublicKey } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { Refusal } from '#platform/refusal.ts';
import { verifyDeviceJws } from './device-jws.ts';
import { type ClaimsSchema, requireFreshClaims } from './fresh-claims.ts';

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
