import { LIMITS } from '../limits.ts';
import { type QrPayload, readQrAddress } from '../qr-address.ts';

/** Input to the authenticator: the content of a QR code, or a typed eight-character code in its normal form. */
export type Scanned = QrPayload | { kind: 'typed'; code: string };

/** Reads a scanned URL or a typed code, in any case and with spaces or hyphens. Returns null for anything else. */
export function readScanned(input: string): Scanned | null {
  const text = input.trim();
  if (text.includes('://')) return readQrAddress(text);
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]+$/.test(code) && code.length === LIMITS.typedCodeLength ? { kind: 'typed', code } : null;
}
