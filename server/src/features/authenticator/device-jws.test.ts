import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { publicKey } from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf, signCompactJws, signDeviceJws } from '@orchestrate/shared/authenticator';
import { expect, test } from 'vitest';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { verifyDeviceJws } from './device-jws.ts';

const key = createDeviceKey();
const claims = { aud: 'acme', iat: 1_767_225_600, jti: 'one' };
const header = { alg: 'ES256', typ: 'device+jwt', kid: 'phone' };
const signedAs = (head: object, payload = JSON.stringify(claims)) => signCompactJws(JSON.stringify(head), payload, key);

test('verifies signatures made by the device core', () => {
  expect(verifyDeviceJws(signDeviceJws(claims, key, 'phone'), publicKeyOf(key), ['phone'])).toEqual(claims);
  expect(verifyDeviceJws(signDeviceJws(claims, key), publicKeyOf(key), [undefined])).toEqual(claims);
});

// covers: security 11.2.1
test('verifies a JWS signed by the platform key store', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
  const jws = `${input}.${signature.toString('base64url')}`;
  const jwk = publicKey.parse(pair.publicKey.export({ format: 'jwk' }));
  expect(verifyDeviceJws(jws, jwk, ['phone'])).toEqual(claims);
});

test.each([
  ['another algorithm', { ...header, alg: 'ES384' }],
  ['no algorithm', { ...header, alg: 'none' }],
  ['a symmetric algorithm', { ...header, alg: 'HS256' }],
  ['another type', { ...header, typ: 'JWT' }],
  ['no type', { alg: 'ES256', kid: 'phone' }],
  ['another device', { ...header, kid: 'tablet' }],
  ['no device', { alg: 'ES256', typ: 'device+jwt' }],
  ['an embedded key', { ...header, jwk: publicKeyOf(key) }],
  ['a key URL', { ...header, jku: 'https://keys.example/jwks.json' }],
  ['a critical extension', { ...header, crit: ['exp'] }],
])('rejects a header with %s', (_, head) => {
  expect(() => verifyDeviceJws(signedAs(head), publicKeyOf(key), ['phone'])).toThrow('device signature does not match');
});

// covers: security 9.1.3
test('rejects a header with a zid if the device doesn’t have one yet', () => {
  expect(() => verifyDeviceJws(signedAs(header), publicKeyOf(key), [undefined])).toThrow(
    'device signature does not match',
  );
});

test.each([
  ['another key', () => signDeviceJws(claims, createDeviceKey(), 'phone')],
  ['no signature', () => signedAs(header).replace(/[^.]+$/, '')],
  ['a DER signature', () => derSigned()],
  ['another payload', () => withPayload(signedAs(header), { ...claims, aud: 'globex' })],
  ['text that is not a JWS', () => 'a.b.c'],
])('rejects %s', (_, make) => {
  expect(() => verifyDeviceJws(make(), publicKeyOf(key), ['phone'])).toThrow(
    /device signature does not match|signed with another key or changed/,
  );
});

test('reports whether the key or the content is wrong only if the payload names its key', () => {
  const open = (jws: string) => () => verifyDeviceJws(jws, publicKeyOf(key), ['phone']);
  const other = createDeviceKey();
  const own = { ...claims, jkt: thumbprintOf(publicKeyOf(key)) };
  expect(open(signDeviceJws(own, key, 'phone'))()).toEqual(own);
  expect(open(signDeviceJws({ ...claims, jkt: thumbprintOf(publicKeyOf(other)) }, other, 'phone'))).toThrow(
    'signed with a different device',
  );
  expect(open(withPayload(signDeviceJws(own, key, 'phone'), { ...own, jti: 'another' }))).toThrow(
    'The message was changed after signing.',
  );
  expect(open(signDeviceJws(claims, other, 'phone'))).toThrow('signed with another key or changed');
});

test('rejects every signature if the key’s coordinates are not on the curve', () => {
  const { x } = publicKeyOf(key);
  expect(() => verifyDeviceJws(signedAs(header), { kty: 'EC', crv: 'P-256', x, y: x }, ['phone'])).toThrow(
    /device signature does not match|signed with another key or changed/,
  );
});

test('computes the RFC 7638 thumbprint', () => {
  const { x, y } = publicKeyOf(key);
  const canonical = `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;
  expect(thumbprintOf(publicKeyOf(key))).toBe(createHash('sha256').update(canonical).digest('base64url'));
});

function withPayload(jws: string, payload: object): string {
  const [head, , signature] = jws.split('.');
  return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
}

function derSigned(): string {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [head, payload] = signedAs(header).split('.');
  return `${head}.${payload}.${sign('sha256', Buffer.from(`${head}.${payload}`), pair.privateKey).toString('base64url')}`;
}
