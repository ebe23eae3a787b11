import { createHmac } from 'node:crypto';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { installationSecret } from '../installation-secret.ts';

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
