import { deviceSignatureRepo } from '@orchestrate/db';
import { type deviceClaims, LIMITS, SECOND } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { Refusal } from '#platform/refusal.ts';

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
  if (!deviceSignatureRepo.rememberSignature(db, signature, clock.pastOnBoth())) {
    throw new Refusal('SIGNATURE_MISMATCH', { message: 'This signed message has been used before.' });
  }
  return claims;
}

function tooFarOff(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / SECOND);
  const when = ms < 0 ? `${seconds} seconds ago` : `${seconds} seconds in the future`;
  return `The message was signed ${when}, but the clock can be off by at most ${LIMITS.signatureSkewSeconds} seconds. Check the device's clock.`;
}
