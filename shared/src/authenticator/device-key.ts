import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { z } from 'zod';
import { type PublicKey, publicKey } from '../contract/devices/authenticator.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

/** A device's P-256 key pair as a JWK (RFC 7518 §6.2). It never leaves the device. */
export const privateKeyJwk = publicKey.extend({
  d: z.string().regex(/^[\w-]{43}$/, 'P-256 private keys must have 43 base64url characters'),
});
export type PrivateKeyJwk = z.output<typeof privateKeyJwk>;

/** Source of unpredictable bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** Returns the platform's random bytes. Unlike WebCrypto keys, browsers offer them to plain-HTTP pages too. */
export const platformRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

/** Creates a P-256 key pair. */
export function createDeviceKey(random: RandomBytes = platformRandom): PrivateKeyJwk {
  const secret = p256.utils.randomSecretKey(random(48));
  const point = p256.getPublicKey(secret, false);
  return {
    kty: 'EC',
    crv: 'P-256',
    // An uncompressed point is 04, x, y (SEC 1 §2.3.3).
    x: toBase64Url(point.subarray(1, 33)),
    y: toBase64Url(point.subarray(33, 65)),
    d: toBase64Url(secret),
  };
}

/** Returns the public key of a key pair, which the server can store. */
export function publicKeyOf({ kty, crv, x, y }: PublicKey): PublicKey {
  return { kty, crv, x, y };
}

/** Computes the RFC 7638 thumbprint: SHA-256 over the required members in alphabetical order, as base64url. */
export function thumbprintOf({ crv, kty, x, y }: PublicKey): string {
  return toBase64Url(sha256(new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))));
}

/** Signs with ES256 (RFC 7518 §3.4). The signature is r and s, 32 bytes each. */
export type SignEs256 = (message: Uint8Array, key: PrivateKeyJwk) => Uint8Array;

/** Signs deterministically (RFC 6979) and without WebCrypto, which browsers don't expose to plain-HTTP pages. */
export const signEs256: SignEs256 = (message, key) =>
  p256.sign(message, fromBase64Url(key.d), { prehash: true, lowS: false });
