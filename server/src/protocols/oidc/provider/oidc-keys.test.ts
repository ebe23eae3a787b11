import { createSigningKey, DAY, deleteSigningKey } from '@orchestrate/shared';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import request from 'supertest';
import { expect, test } from 'vitest';
import { testPortal } from '#testing/test-portal.ts';
import { signInToWiki } from '../relying-party-testing.ts';
import { algorithmsToRenew, retiredKeys } from './oidc-keys.ts';

const NOW = 1_000 * DAY;
const key = (alg: 'RS256' | 'ES256', days: number) => ({ alg, createdAt: NOW - days * DAY });

test('signs with a key for ninety days', () => {
  expect(algorithmsToRenew([], NOW)).toEqual(['RS256', 'ES256']);
  expect(algorithmsToRenew([key('RS256', 89), key('ES256', 90)], NOW)).toEqual(['ES256']);
});

// covers: security 11.2.2
test('retires a key thirty days after its successor has started to sign', () => {
  const old = key('RS256', 130);
  expect(retiredKeys([key('RS256', 29), old], NOW)).toEqual([]);
  expect(retiredKeys([key('RS256', 30), key('ES256', 200), old], NOW)).toEqual([old]);
});

// covers: security 11.1.1, security 11.1.2
test('signs with new keys after a renewal and keeps old signatures valid', async () => {
  const portal = await testPortal();
  const { config, tokens } = await signInToWiki(portal, { scope: 'openid offline_access' });
  const before = await published(portal.url);
  expect(before.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256']);
  expect(before.every((jwk) => !('d' in jwk))).toBe(true);
  const first = headerOf(tokens.id_token);
  expect(first).toMatchObject({ alg: 'RS256' });

  portal.clock.advance((90 * DAY) / 1_000);
  const after = await published(portal.url);
  expect(after).toHaveLength(4);
  expect(after.map(({ kid }) => kid)).toEqual(expect.arrayContaining(before.map(({ kid }) => kid)));
  const renewed = await signInToWiki(portal);
  expect(headerOf(renewed.tokens.id_token).kid).not.toBe(first.kid);
  const hint = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' });
  await request(hint.href).get('').expect(200);
  await portal.close();
});

test('signs with a rotated key immediately and publishes the previous key until it is withdrawn', async () => {
  const portal = await testPortal();
  const { token } = await portal.signIn('super.admin@acme.test');
  const { config, tokens } = await signInToWiki(portal, { scope: 'openid offline_access' });
  const first = headerOf(tokens.id_token);
  const { signingKeys } = (await portal.call(createSigningKey, { body: { alg: 'RS256' } }, { token })).body;
  expect(signingKeys.map(({ alg, isSigning }) => `${alg} ${isSigning}`).sort()).toEqual([
    'ES256 true',
    'RS256 false',
    'RS256 true',
  ]);
  const fresh = headerOf((await signInToWiki(portal)).tokens.id_token);
  expect(fresh.kid).toBe(signingKeys[0]?.kid);
  const address = new URL(config.serverMetadata().jwks_uri ?? '');
  const verify = async () => jwtVerify(tokens.id_token ?? '', createRemoteJWKSet(address));
  await verify();

  const refused = await portal.call(deleteSigningKey, { params: { kid: fresh.kid } }, { token });
  expect(refused.body.resultName).toBe('FORBIDDEN');
  await portal.call(deleteSigningKey, { params: { kid: first.kid } }, { token });
  await expect(verify()).rejects.toThrow('no applicable key found');
  await portal.close();
});

test('creates one key for each of two concurrent rotations', { tags: 'whole' }, async () => {
  const portal = await testPortal();
  const { token } = await portal.signIn('super.admin@acme.test');
  const rotate = () => portal.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  const answers = await Promise.all([rotate(), rotate(), rotate()]);
  expect(answers.map(({ body }) => body.resultCode)).toEqual([0, 0, 0]);
  expect(await published(portal.url)).toHaveLength(5);
  await portal.close();
});

test('rotates keys even if the clock was set back', async () => {
  const portal = await testPortal();
  const before = await published(portal.url);
  await portal.lab.clock({ freezeAt: new Date(portal.clock.now() - DAY).toISOString() });
  const { token } = await portal.signIn('super.admin@acme.test');
  const rotate = () => portal.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  for (let made = 0; made < 2; made += 1) expect((await rotate()).body.resultCode).toBe(0);
  expect(await published(portal.url)).toHaveLength(before.length + 2);
  await portal.close();
});

test('rejects a new signing key if ten keys are already published', async () => {
  const portal = await testPortal();
  const { token } = await portal.signIn('super.admin@acme.test');
  const rotate = () => portal.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  for (let made = 2; made < 10; made += 1) expect((await rotate()).body.resultCode).toBe(0);
  expect((await rotate()).body).toMatchObject({ resultName: 'INVALID_REQUEST' });
  expect(await published(portal.url)).toHaveLength(10);
  await portal.close();
});

// covers: security 11.2.3
test('gives each organisation its own keys', async () => {
  const portal = await testPortal();
  const [acme, globex] = [await published(portal.url), await published(portal.url, 'globex')];
  const kids = new Set([...acme, ...globex].map(({ kid }) => kid));
  expect(kids.size).toBe(4);
  await portal.close();
});

test('creates a single pair of keys for concurrent first requests', async () => {
  const portal = await testPortal();
  const answers = await Promise.all([1, 2, 3, 4].map(() => published(portal.url)));
  expect(new Set(answers.flat().map(({ kid }) => kid)).size).toBe(2);
  await portal.close();
});

async function published(origin: string, orgCode = 'acme'): Promise<{ kid: string; alg: string }[]> {
  return (await request(origin).get(`/oidc/${orgCode}/jwks`)).body.keys;
}

/** Decodes the header of a compact JWS (RFC 7515 §7.1). */
const headerOf = (jws: string | undefined): { kid: string; alg: string } =>
  JSON.parse(Buffer.from(jws?.split('.')[0] ?? '', 'base64url').toString());
