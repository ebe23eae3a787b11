import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { z } from 'zod';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { platformRandom, type RandomBytes } from './device-key.ts';

export const APP_PIN_LENGTH = 6;

/** An authenticator app's PIN, as the app stores it. It never leaves the device. */
export const appPin = z.object({ salt: z.string(), hash: z.string() });
export type AppPin = z.output<typeof appPin>;

/** Hashes a PIN. Deliberately slow (RFC 8018 §5.2) to prevent quick guessing of the PIN from its hash. */
const hashOf = (pin: string, salt: Uint8Array): string =>
  toBase64Url(pbkdf2(sha256, new TextEncoder().encode(pin), salt, { c: 20_000, dkLen: 32 }));

/**
 * Hashes a new PIN for storage.
 * @param pin `APP_PIN_LENGTH` digits
 */
export function createAppPin(pin: string, random: RandomBytes = platformRandom): AppPin {
  const salt = random(16);
  return { salt: toBase64Url(salt), hash: hashOf(pin, salt) };
}

/** Returns true if a PIN matches the stored PIN. */
export function isAppPin(pin: string, { salt, hash }: AppPin): boolean {
  return hashOf(pin, fromBase64Url(salt)) === hash;
}
