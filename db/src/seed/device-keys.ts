import { createECDH, hash } from 'node:crypto';
import type { PublicKey } from '@orchestrate/shared';
import type { KeySource } from './key-source.ts';

/** A key pair in JWK format (RFC 7517). */
export interface DeviceKeys {
  publicKey: PublicKey;
  privateKey: PublicKey & { d: string };
  /** RFC 7638 thumbprint of the public key. */
  thumbprint: string;
}

const curve = createECDH('prime256v1');

/** Returns a seeded device's P-256 key pair. The same `zid`, seed and source always yield the same keys. */
export function deviceKeys(zid: string, randomSeed: string, source: KeySource): DeviceKeys {
  const scalar = deviceScalar(zid, randomSeed, source);
  curve.setPrivateKey(scalar);
  // Uncompressed point: 0x04, then x and y.
  const point = curve.getPublicKey();
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33, 65);
  const publicKey: PublicKey = { kty: 'EC', crv: 'P-256', x, y };
  return {
    publicKey,
    privateKey: { ...publicKey, d: scalar.toString('base64url') },
    thumbprint: thumbprintOf(publicKey),
  };
}

/** Returns the 32-byte private scalar of the key pair. */
export const deviceScalar = (zid: string, randomSeed: string, source: KeySource): Buffer =>
  source.bytes(`orchestrate demo device ${zid}${randomSeed && `\n${randomSeed}`}`);

/**
 * Returns a key's thumbprint (RFC 7638 §3.2), hashing the required members in lexicographic order without whitespace.
 */
export const thumbprintOf = ({ x, y }: PublicKey): string =>
  hash('sha256', `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`, 'base64url');
