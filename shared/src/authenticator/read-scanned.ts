import { LIMITS } from '../limits.ts';
import { type QrPayload, readQrAddress } from '../qr-address.ts';

/** Input to the authenticator: the content of a QR code, or a typed eight-character code in normalised form. */
export type Scanned = QrPayload | { kind: 'typed'; code: string };

/**
 * Parses a scanned URL or a typed code. Codes can be in any case and contain spaces or hyphens. Returns null for any
 * other input.
 */
export function readScanned(input: string): Scanned | null {
  const text = input.trim();
  if (text.includes('://')) return readQrAddress(text);
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]+$/.test(code) && code.length === LIMITS.typedCodeLength ? { kind: 'typed', code } : null;
}
