import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { signingKeyRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';

/**
 * Creates and checks exchange tokens, which prove that the client exchanging a sign-in received its success message.
 */
export interface ExchangeTokens {
  /** Returns the exchange token for a sign-in. The token is derived from the ID and isn't stored. */
  of(loginId: string): string;
  isRight(loginId: string, token: string): boolean;
}

/** Creates exchange tokens: HMAC-SHA256 of the ID with the installation secret, base64url. */
export function createExchangeTokens(deps: Pick<Deps, 'db' | 'random' | 'clock'>): ExchangeTokens {
  const secret = installationSecret(deps);
  const of = (loginId: string) => createHmac('sha256', secret).update(loginId).digest('base64url');
  return { of, isRight: (loginId, token) => isSameSecret(token, of(loginId)) };
}

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
