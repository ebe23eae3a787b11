import { createPublicKey, verify } from 'node:crypto';
import type { PublicKey } from '@orchestrate/shared';
import { z } from 'zod';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { boundedCache } from '#platform/cache.ts';
import { readBoundedJson } from '#platform/http/requests/bounded-json.ts';
import { Refusal } from '#platform/refusal.ts';

/**
 * Exactly the members in contract §14. Additional members (`jwk`, `jku`, `x5u`, `crit` …) would let the sender choose
 * the key or the rules, so a header that contains any is rejected (RFC 8725 §3.1, §3.10).
 */
const header = z.strictObject({
  alg: z.literal('ES256'),
  typ: z.literal('device+jwt'),
  kid: z.string().optional(),
});

const UNFIT = 'The message was signed with another key or changed after signing.';
const OTHER_KEY = "The message was signed with a different device's key.";
const ALTERED = 'The message was changed after signing.';

const keyNamed = z.object({ jkt: z.string() });

/**
 * Verifies a compact JWS (RFC 7515 §7.1) signed with ES256 by the key `publicKey`, and returns its payload.
 * @param kids allowed `kid` header values; include undefined to allow a header without `kid`, for a key that has no
 * zid yet
 * @throws Refusal SIGNATURE_MISMATCH if the JWS is malformed or its header, `kid` or signature is wrong
 */
export function verifyDeviceJws(jws: string, publicKey: PublicKey, kids: readonly (string | undefined)[]): unknown {
  const [protectedPart = '', payloadPart = '', signaturePart = ''] = jws.split('.');
  const claimed = header.safeParse(readPart(protectedPart));
  if (!claimed.success || !kids.includes(claimed.data.kid)) throw new Refusal('SIGNATURE_MISMATCH');
  const signed = Buffer.from(`${protectedPart}.${payloadPart}`, 'ascii');
  if (!isSignedBy(publicKey, signed, Buffer.from(signaturePart, 'base64url'))) {
    throw new Refusal('SIGNATURE_MISMATCH', { message: whyUnfit(readPart(payloadPart), publicKey) });
  }
  return readPart(payloadPart);
}

/** Returns the reason why the signature is wrong. The payload is unverified, so use it only for this message. */
function whyUnfit(payload: unknown, publicKey: PublicKey): string {
  const sent = keyNamed.safeParse(payload);
  if (!sent.success) return UNFIT;
  return sent.data.jkt === thumbprintOf(publicKey) ? ALTERED : OTHER_KEY;
}

/** Prepares the keys of active devices only once, because that takes half as long as verifying a signature. */
const keyOf = boundedCache((jwk) => createPublicKey({ key: JSON.parse(jwk), format: 'jwk' }), 1_000);

function isSignedBy(publicKey: PublicKey, signed: Buffer, signature: Buffer): boolean {
  try {
    // RFC 7518 §3.4 requires r and s concatenated, not DER.
    return verify('sha256', signed, { key: keyOf(JSON.stringify(publicKey)), dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    // Node throws if the coordinates aren't on the curve.
    return false;
  }
}

const readPart = (part: string): unknown => readBoundedJson(Buffer.from(part, 'base64url').toString('utf8'));
