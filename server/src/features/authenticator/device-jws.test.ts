import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { publicKey } from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf, signCompactJws, signDeviceJws } from '@orchestrate/shared/authenticator';
import { expect, test } from 'vitest';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { openDeviceJws } from './device-jws.ts';

const key = createDeviceKey();
const claims = { aud: 'acme', iat: 1_767_225_600, jti: 'one' };
const header = { alg: 'ES256', typ: 'device+jwt', kid: 'phone' };
const signedAs = (head: object, payload = JSON.stringify(claims)) => signCompactJws(JSON.stringify(head), payload, key);

test('the device core and this verifier agree', () => {
  expect(openDeviceJws(signDeviceJws(claims, key, 'phone'), publicKeyOf(key), ['phone'])).toEqual(claims);
  expect(openDeviceJws(signDeviceJws(claims, key), publicKeyOf(key), [undefined])).toEqual(claims);
});

// covers: security 11.2.1
test('verifies a JWS from the platform key store like any other', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
  const jws = `${input}.${signature.toString('base64url')}`;
  const jwk = publicKey.parse(pair.publicKey.export({ format: 'jwk' }));
  expect(openDeviceJws(jws, jwk, ['phone'])).toEqual(claims);
});

test.each([
  ['another algorithm', { ...header, alg: 'ES384' }],
  ['no algorithm', { ...header, alg: 'none' }],
  ['a symmetric algorithm', { ...header, alg: 'HS256' }],
  ['another type', { ...header, typ: 'JWT' }],
  ['no type', { alg: 'ES256', kid: 'phone' }],
  ['another device', { ...header, kid: 'tablet' }],
  ['no device', { alg: 'ES256', typ: 'device+jwt' }],
  ['a key of its own', { ...header, jwk: publicKeyOf(key) }],
  ['an address of keys', { ...header, jku: 'https://keys.example/jwks.json' }],
  ['a critical extension', { ...header, crit: ['exp'] }],
])('refuses a header with %s', (_, head) => {
  expect(() => openDeviceJws(signedAs(head), publicKeyOf(key), ['phone'])).toThrow('signature of the device');
});

// covers: security 9.1.3
test('refuses a header with a zid before the device has one', () => {
  expect(() => openDeviceJws(signedAs(header), publicKeyOf(key), [undefined])).toThrow('signature of the device');
});

test.each([
  ['another key', () => signDeviceJws(claims, createDeviceKey(), 'phone')],
  ['no signature', () => signedAs(header).replace(/[^.]+$/, '')],
  ['a DER signature', () => derSigned()],
  ['another payload', () => withPayload(signedAs(header), { ...claims, aud: 'globex' })],
  ['rubbish', () => 'a.b.c'],
])('refuses %s', (_, make) => {
  expect(() => openDeviceJws(make(), publicKeyOf(key), ['phone'])).toThrow(
    /signature of the device|signed with another key or changed/,
  );
});

test('says whether the key or the content is wrong only if the payload names its key', () => {
  const open = (jws: string) => () => openDeviceJws(jws, publicKeyOf(key), ['phone']);
  const other = createDeviceKey();
  const own = { ...claims, jkt: thumbprintOf(publicKeyOf(key)) };
  expect(open(signDeviceJws(own, key, 'phone'))()).toEqual(own);
  expect(open(signDeviceJws({ ...claims, jkt: thumbprintOf(publicKeyOf(other)) }, other, 'phone'))).toThrow(
    'signed with a different device',
  );
  expect(open(withPayload(signDeviceJws(own, key, 'phone'), { ...own, jti: 'another' }))).toThrow(
    'The message was changed after it was signed.',
  );
  expect(open(signDeviceJws(claims, other, 'phone'))).toThrow('signed with another key or changed');
});

test('a key whose coordinates are not on the curve verifies nothing', () => {
  const { x } = publicKeyOf(key);
  expect(() => openDeviceJws(signedAs(header), { kty: 'EC', crv: 'P-256', x, y: x }, ['phone'])).toThrow(
    /signature of the device|signed with another key or changed/,
  );
});

test('computes the thumbprint of RFC 7638', () => {
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
