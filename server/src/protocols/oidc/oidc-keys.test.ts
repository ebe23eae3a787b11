import { DAY } from '@orchestrate/shared';
import * as client from 'openid-client';
import request from 'supertest';
import { expect, test } from 'vitest';
import { testPortal } from '../../testing/test-portal.ts';
import { agedAlgorithms, retiredKeys } from './oidc-keys.ts';
import { signInToWiki } from './relying-party-testing.ts';

const NOW = 1_000 * DAY;
const key = (alg: 'RS256' | 'ES256', days: number) => ({ alg, createdAt: NOW - days * DAY });

test('a key signs for ninety days', () => {
  expect(agedAlgorithms([], NOW)).toEqual(['RS256', 'ES256']);
  expect(agedAlgorithms([key('RS256', 89), key('ES256', 90)], NOW)).toEqual(['ES256']);
});

test('a key is retired thirty days after its successor has taken over', () => {
  const old = key('RS256', 130);
  expect(retiredKeys([key('RS256', 29), old], NOW)).toEqual([]);
  expect(retiredKeys([key('RS256', 30), key('ES256', 200), old], NOW)).toEqual([old]);
});

test('when keys are renewed, what the old ones signed stays valid, and the new ones sign', async () => {
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

test('organisations have keys of their own', async () => {
  const portal = await testPortal();
  const [acme, globex] = [await published(portal.url), await published(portal.url, 'globex')];
  const kids = new Set([...acme, ...globex].map(({ kid }) => kid));
  expect(kids.size).toBe(4);
  await portal.close();
});

test('concurrent first requests create one pair of keys', async () => {
  const portal = await testPortal();
  const answers = await Promise.all([1, 2, 3, 4].map(() => published(portal.url)));
  expect(new Set(answers.flat().map(({ kid }) => kid)).size).toBe(2);
  await portal.close();
});

async function published(origin: string, orgCode = 'acme'): Promise<{ kid: string; alg: string }[]> {
  return (await request(origin).get(`/oidc/${orgCode}/jwks`)).body.keys;
}

/** The header of a compact JWS (RFC 7515 §7.1). */
const headerOf = (jws: string | undefined): { kid: string; alg: string } =>
  JSON.parse(Buffer.from(jws?.split('.')[0] ?? '', 'base64url').toString());
