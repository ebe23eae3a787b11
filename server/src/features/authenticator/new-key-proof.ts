import { organisationRepo } from '@orchestrate/db';
import type { PublicKey } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { Refusal } from '#platform/refusal.ts';
import { openDeviceJws } from './device-jws.ts';
import { type ClaimsSchema, requireFreshClaims } from './fresh-claims.ts';

/**
 * Verifies that the caller holds the private half of a new public key, for this organisation and now.
 * @throws Refusal ORG_CODE_NOT_FOUND unknown organisation; SIGNATURE_MISMATCH signature, organisation or replay;
 * EXPIRED clock; INVALID_REQUEST incomplete claims
 */
export function requireNewKey<Schema extends ClaimsSchema>(
  deps: Deps,
  { orgCode, publicKey, proof }: { orgCode: string; publicKey: PublicKey; proof: string },
  schema: Schema,
): { organisation: organisationRepo.OrganisationRow; thumbprint: string; claims: z.output<Schema> } {
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  const payload = openDeviceJws(proof, publicKey, [undefined]);
  const thumbprint = thumbprintOf(publicKey);
  return { organisation, thumbprint, claims: requireFreshClaims(deps, schema, { payload, orgCode, thumbprint }) };
}
