import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { applicationRepo } from '@orchestrate/db';
import { type ClientKeys, hasKeys, isPublicKind, tokenSettingProblem } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/** Minimum RSA key length, as required by NIST SP 800-131A and RFC 7518 §3.3. */
const RSA_MIN_BITS = 2_048;

const PATH = 'oidcConfiguration.clients';

type Written = Pick<applicationRepo.OidcClientRow, 'kind' | 'jwks' | 'jwksUri'>;

/**
 * Requires that a client's keys match its kind and can verify signatures.
 * @throws Refusal INVALID_REQUEST
 */
export function requireClientKeys({ kind, jwks, jwksUri }: Written): void {
  const field = jwks ? 'jwks' : 'jwks_uri';
  if (!hasKeys({ jwks, jwksUri })) return;
  if (isPublicKind(kind))
    throw refused(field, 'Public clients cannot keep a private key secret. They use PKCE instead');
  if (jwks && jwksUri !== null) throw refused('jwks_uri', 'Provide either keys or a key URL, not both');
  for (const [at, key] of (jwks?.keys ?? []).entries()) {
    const message = keyProblem(key);
    if (message !== undefined) throw refused(`jwks.keys.${at}`, message);
  }
}

/**
 * Requires that a client of this kind can have its token settings.
 * @throws Refusal INVALID_REQUEST
 */
export function requireTokenSettings(
  client: Pick<applicationRepo.OidcClientRow, 'kind' | 'rotateRefreshTokens' | 'tokenExchange'>,
): void {
  for (const [setting, field] of TOKEN_SETTINGS) {
    const message = tokenSettingProblem(client.kind, setting, client[setting]);
    if (message !== undefined) throw refused(field, message);
  }
}

const TOKEN_SETTINGS = [
  ['rotateRefreshTokens', 'rotate_refresh_tokens'],
  ['tokenExchange', 'token_exchange'],
] as const;

function keyProblem(key: ClientKeys['keys'][number]): string | undefined {
  const bits = modulusBits(key);
  if (bits === undefined) return 'This key cannot be read';
  return bits < RSA_MIN_BITS ? `RSA keys must have at least ${RSA_MIN_BITS} bits, but this key has ${bits}` : undefined;
}

/** Returns an RSA key's length in bits, infinity for other key types, or undefined if the value isn't a key. */
function modulusBits(key: JsonWebKey): number | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? Number.POSITIVE_INFINITY;
  } catch {
    return undefined;
  }
}

const refused = (field: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path: `${PATH}.${field}`, message }] });
