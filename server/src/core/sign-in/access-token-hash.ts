import { createHash } from 'node:crypto';

/**
 * The `at_hash` that ties an access token to an ID token (OpenID Connect Core §3.1.3.6): the left half of its hash, by the
 * algorithm of the ID token's signature. @returns undefined for an algorithm of which the hash is not known here
 */
export function accessTokenHash(accessToken: string, alg: string): string | undefined {
  const bits = /^(?:RS|PS|ES)(256|384|512)$/.exec(alg)?.[1] ?? (/^Ed(?:DSA|25519)$/.test(alg) ? '512' : undefined);
  if (bits === undefined) return undefined;
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
