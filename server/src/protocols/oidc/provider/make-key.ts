import type { oidcKeyRepo } from '@orchestrate/db';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { z } from 'zod';
import { drawnKey } from '#platform/adapters/drawn-keys.ts';

type Key = oidcKeyRepo.OidcKeyRow;

/**
 * A key with which an organisation signs as an OpenID provider. @param drawnFrom the same text gives the same key;
 * random where there is none
 */
export async function makeKey(orgCode: string, alg: Key['alg'], createdAt: number, drawnFrom?: string): Promise<Key> {
  const privateJwk = drawnFrom === undefined ? await randomKey(alg) : await drawnKey(alg, drawnFrom);
  return { kid: await calculateJwkThumbprint(privateJwk), orgCode, alg, privateJwk, createdAt };
}

async function randomKey(alg: Key['alg']): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return z.record(z.string(), z.string()).parse(await exportJWK(privateKey));
}
