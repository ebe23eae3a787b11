import { sign } from 'node:crypto';
import type { SignEs256 } from '@orchestrate/shared/authenticator';

/** The same signature as that of `signEs256`, made by Node instead of by JavaScript: in a twentieth of the time. */
export const signByNode: SignEs256 = (message, key) =>
  // RFC 7518 §3.4: r and s side by side, not DER.
  sign('sha256', message, { key, format: 'jwk', dsaEncoding: 'ieee-p1363' });
