import { createHmac } from 'node:crypto';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { installationSecret } from '../installation-secret.ts';

/** Tokens that prove that the caller exchanging a sign-in received its success message. */
export interface ExchangeTokens {
  /** Returns the token of a sign-in. It is derived from the id, so nothing has to be stored. */
  of(loginId: string): string;
  isRight(loginId: string, token: string): boolean;
}

/** Creates exchange tokens: HMAC-SHA256 of the id with the installation secret, base64url. */
export function createExchangeTokens(deps: Pick<Deps, 'db' | 'random' | 'clock'>): ExchangeTokens {
  const secret = installationSecret(deps);
  const of = (loginId: string) => createHmac('sha256', secret).update(loginId).digest('base64url');
  return { of, isRight: (loginId, token) => isSameSecret(token, of(loginId)) };
}
