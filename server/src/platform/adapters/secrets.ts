import { hash, sign, timingSafeEqual } from 'node:crypto';
import type { PublicKey } from '@orchestrate/shared';
import type { SignEs256 } from '@orchestrate/shared/authenticator';

/**
 * Hashes a secret for storage (SHA-256, base64url). Use it only for tokens, links, codes and cookies with at least
 * 128 random bits, for which a slow hash adds no security.
 */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** Returns true if two secrets are equal, comparing them in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns a key's thumbprint (RFC 7638): SHA-256 of the required members in alphabetical order, as base64url. */
export const thumbprintOf = ({ crv, kty, x, y }: PublicKey): string =>
  hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');

/**
 * Returns the `at_hash` that binds an access token to an ID token (OpenID Connect Core §3.1.3.6): the left half of
 * the access token's hash, computed with the hash function of the ID token's `alg`. Returns undefined if `alg` is not
 * supported.
 */
export function accessTokenHash(accessToken: string, alg: string): string | undefined {
  const bits = /^(?:RS|PS|ES)(256|384|512)$/.exec(alg)?.[1] ?? (/^Ed(?:DSA|25519)$/.test(alg) ? '512' : undefined);
  if (bits === undefined) return undefined;
  const digest = hash(`sha${bits}`, accessToken, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** Signs like `signEs256` but uses Node's crypto, which is twenty times faster. */
export const signWithNode: SignEs256 = (message, key) =>
  // RFC 7518 §3.4: r and s are concatenated, not DER-encoded.
  sign('sha256', message, { key, format: 'jwk', dsaEncoding: 'ieee-p1363' });
