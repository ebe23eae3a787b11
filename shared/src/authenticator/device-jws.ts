import { toBase64Url } from './base64url.ts';
import { type PrivateKeyJwk, type SignEs256, signEs256 } from './device-key.ts';

/** Claims of a device's JWS: the contract's `deviceClaims` plus the command's own fields. */
export interface DeviceJwsClaims {
  /** Organisation code. */
  aud: string;
  /** Seconds since the epoch. */
  iat: number;
  /** Unique per call. */
  jti: string;
  [field: string]: unknown;
}

/**
 * Signs a device's claims as a compact JWS (RFC 7515 §3.1, contract §14). `zid` becomes the header's `kid`, which is
 * omitted for a device that isn't registered yet.
 */
export function signDeviceJws(
  claims: DeviceJwsClaims,
  key: PrivateKeyJwk,
  zid?: string,
  sign: SignEs256 = signEs256,
): string {
  const header = { alg: 'ES256', typ: 'device+jwt', ...(zid === undefined ? {} : { kid: zid }) };
  return signCompactJws(JSON.stringify(header), JSON.stringify(claims), key, sign);
}

/** Signs a serialised header and payload (RFC 7515 §7.1). */
export function signCompactJws(
  header: string,
  payload: string,
  key: PrivateKeyJwk,
  sign: SignEs256 = signEs256,
): string {
  const encoder = new TextEncoder();
  const input = `${toBase64Url(encoder.encode(header))}.${toBase64Url(encoder.encode(payload))}`;
  return `${input}.${toBase64Url(sign(encoder.encode(input), key))}`;
}
