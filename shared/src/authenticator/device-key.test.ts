import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { publicKey } from '../contract/devices/authenticator.ts';
import { toBase64Url } from './base64url.ts';
import { signCompactJws } from './device-jws.ts';
import { createDeviceKey, type PrivateKeyJwk, publicKeyOf, signEs256, thumbprintOf } from './device-key.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const base64Url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** Key from RFC 7515 appendix A.3.1. */
const rfc7515Key: PrivateKeyJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
};
const rfc7515Header = '{"alg":"ES256"}';
const rfc7515Payload = '{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}';

function isVerifiedByNode(jws: string, key: PrivateKeyJwk): boolean {
  const [header, payload, signature] = jws.split('.');
  const nodeKey = createPublicKey({ format: 'jwk', key: { ...publicKeyOf(key) } });
  return verify(
    'sha256',
    bytes(`${header}.${payload}`),
    { key: nodeKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  );
}

test('produces a signature of the RFC 7515 A.3 input that node:crypto accepts', () => {
  const jws = signCompactJws(rfc7515Header, rfc7515Payload, rfc7515Key);

  expect(jws.slice(0, jws.lastIndexOf('.'))).toBe(
    'eyJhbGciOiJFUzI1NiJ9' +
      '.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
  );
  expect(isVerifiedByNode(jws, rfc7515Key)).toBe(true);
});

test('reproduces the P-256 signatures of RFC 6979', () => {
  // Key from RFC 6979 appendix A.2.5, which uses SHA-256.
  const key: PrivateKeyJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: base64Url('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6'),
    y: base64Url('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299'),
    d: base64Url('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721'),
  };

  expect(toBase64Url(signEs256(bytes('sample'), key))).toBe(
    base64Url(
      'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716' +
        'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
    ),
  );
  expect(toBase64Url(signEs256(bytes('test'), key))).toBe(
    base64Url(
      'F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367' +
        '019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083',
    ),
  );
});

test('computes the RFC 7638 thumbprint given in RFC 9449', () => {
  expect(
    thumbprintOf({
      kty: 'EC',
      crv: 'P-256',
      x: 'l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs',
      y: '9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA',
    }),
  ).toBe('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I');
});

test('computes the same thumbprint for the private key as node:crypto', () => {
  const { x, y } = rfc7515Key;
  const required = `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;

  expect(thumbprintOf(rfc7515Key)).toBe(createHash('sha256').update(required).digest('base64url'));
});

test('creates a valid key from the provided random bytes', () => {
  const random = (length: number) => new Uint8Array(length).fill(7);
  const key = createDeviceKey(random);

  expect(createDeviceKey(random)).toEqual(key);
  expect(createDeviceKey().d).not.toBe(createDeviceKey().d);
  expect(publicKey.parse(publicKeyOf(key))).toEqual({ kty: 'EC', crv: 'P-256', x: key.x, y: key.y });
  expect(isVerifiedByNode(signCompactJws('{"alg":"ES256"}', '{}', key), key)).toBe(true);
});
