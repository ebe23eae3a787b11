import type { oidcKeyRepo } from '@orchestrate/db';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { z } from 'zod';
import { deriveKey } from '#platform/adapters/drawn-keys.ts';

type Key = oidcKeyRepo.OidcKeyRow;

/**
 * Creates an organisation's signing key. The same `derivedFrom` always produces the same key; without `derivedFrom`,
 * the key is random.
 */
export async function createKey(
  orgCode: string,
  alg: Key['alg'],
  createdAt: number,
  derivedFrom?: string,
): Promise<Key> {
  const privateJwk = derivedFrom === undefined ? await randomKey(alg) : await deriveKey(alg, derivedFrom);
  return { kid: await calculateJwkThumbprint(privateJwk), orgCode, alg, privateJwk, createdAt };
}

async function randomKey(alg: Key['alg']): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return z.record(z.string(), z.string()).parse(await exportJWK(privateKey));
}
