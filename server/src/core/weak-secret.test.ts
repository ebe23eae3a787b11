import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isWeakSecret } from './weak-secret.ts';

const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

test.each<[string, (bytes: Buffer) => string]>([
  ['43 characters of base64url', (bytes) => bytes.toString('base64url')],
  ['32 hexadecimal digits', (bytes) => bytes.toString('hex', 0, 16)],
  ['16 letters and digits', (bytes) => Array.from(bytes.subarray(0, 16), (byte) => ALPHANUMERIC[byte % 62]).join('')],
])('accepts generated secrets of %s', (_, written) => {
  const weak = Array.from({ length: 20_000 }, (_one, at) =>
    written(createHash('sha256').update(`secret ${at}`).digest()),
  ).filter(isWeakSecret);
  expect(weak).toEqual([]);
});
