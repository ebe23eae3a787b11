import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { signingKeyRepo } from '@orchestrate/db';
import { isSameSecret } from '../../challenges/is-same-secret.ts';
import type { Deps } from '../../deps.ts';

/** Proves that whoever exchanges a sign-in is the one who was told of its success. */
export interface ExchangeTokens {
  /** Derived from the sign-in's id, so that every message of success carries it and nothing has to be kept. */
  of(loginId: string): string;
  isRight(loginId: string, token: string): boolean;
}

/** Exchange tokens: HMAC-SHA256 of the id under a secret of this installation, base64url. */
export function createExchangeTokens(deps: Pick<Deps, 'db' | 'random' | 'clock'>): ExchangeTokens {
  const secret = installationSecret(deps);
  const of = (loginId: string) => createHmac('sha256', secret).update(loginId).digest('base64url');
  return { of, isRight: (loginId, token) => isSameSecret(token, of(loginId)) };
}

function installationSecret({ db, random, clock }: Pick<Deps, 'db' | 'random' | 'clock'>): KeyObject {
  const [known] = signingKeyRepo.listSigningKeys(db, 'exchange');
  const k = known?.privateJwk.k ?? random.secret();
  if (!known) {
    const key = { kid: random.id(), use: 'exchange' as const, privateJwk: { kty: 'oct', k }, createdAt: clock.now() };
    signingKeyRepo.insertSigningKey(db, key);
  }
  return createSecretKey(k, 'base64url');
}
