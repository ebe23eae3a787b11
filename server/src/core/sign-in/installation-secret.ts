import { createSecretKey, type KeyObject } from 'node:crypto';
import { signingKeyRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';

/** Returns the installation secret that other secrets are derived from. Creates it on first use. */
export function installationSecret({ db, random, clock }: Pick<Deps, 'db' | 'random' | 'clock'>): KeyObject {
  const [known] = signingKeyRepo.listSigningKeys(db, 'exchange');
  const k = known?.privateJwk.k ?? random.secret();
  if (!known) {
    const key = { kid: random.id(), use: 'exchange' as const, privateJwk: { kty: 'oct', k }, createdAt: clock.now() };
    signingKeyRepo.insertSigningKey(db, key);
  }
  return createSecretKey(k, 'base64url');
}
