import { createHmac } from 'node:crypto';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { installationSecret } from '../installation-secret.ts';

/** Proves that the caller exchanging a sign-in is the one that was told of its success. */
export interface ExchangeTokens {
  /** Derived from the sign-in's id, so that every success message can carry it and nothing has to be stored. */
  of(loginId: string): string;
  isRight(loginId: string, token: string): boolean;
}

/** Exchange tokens: HMAC-SHA256 of the id with a secret of this installation, base64url. */
export function createExchangeTokens(deps: Pick<Deps, 'db' | 'random' | 'clock'>): ExchangeTokens {
  const secret = installationSecret(deps);
  const of = (loginId: string) => createHmac('sha256', secret).update(loginId).digest('base64url');
  return { of, isRight: (loginId, token) => isSameSecret(token, of(loginId)) };
}
