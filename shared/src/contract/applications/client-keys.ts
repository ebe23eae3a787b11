import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { type ClientKind, isPublicKind } from './client-kinds.ts';

/**
 * Algorithms available for signing an organisation's ID tokens. Every client supports the first algorithm (OpenID
 * Connect Core 1.0 §15.1).
 */
export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256'] as const;
export const idTokenAlgorithm = z.enum(ID_TOKEN_ALGORITHMS, 'Use RS256 or ES256');

/** Formats of access tokens without the parameter `resource`: opaque, or JWTs (RFC 9068). */
export const ACCESS_TOKEN_FORMATS = ['opaque', 'jwt'] as const;
export const accessTokenFormat = z.enum(ACCESS_TOKEN_FORMATS, 'Use opaque or jwt');

/** Private members of a JWK (RFC 7518 §6.2.2 and §6.3.2). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];

const publicKey = z
  .looseObject({
    /** Key type, e.g. `EC` or `RSA`. */
    kty: z.string('Keys must have a "kty"'),
  })
  .refine(({ kty }) => ['RSA', 'EC', 'OKP'].includes(kty), 'Use an RSA or elliptic curve key')
  .refine(
    (key) => !PRIVATE_MEMBERS.some((member) => member in key),
    'This is a private key and is no longer secret. Create a new key pair and paste its public key',
  );

/** A client's public keys (JSON Web Key Set, RFC 7517 §5), which authenticate the client (RFC 7523 §2.2). */
export const clientKeys = z.object({
  /** Public keys as JWKs (RFC 7517). */
  keys: z
    .array(publicKey, 'Key sets must have a list of "keys"')
    .min(1, 'Add at least one key')
    .max(LIMITS.keysOfClient, `You can add at most ${LIMITS.keysOfClient} keys`),
});
export type ClientKeys = z.output<typeof clientKeys>;

interface ClientCredentials {
  kind: ClientKind;
  jwks: ClientKeys | null;
  jwksUri: string | null;
}

/** Returns true if a client authenticates with its own keys. */
export const hasKeys = ({ jwks, jwksUri }: Pick<ClientCredentials, 'jwks' | 'jwksUri'>): boolean =>
  jwks !== null || jwksUri !== null;

/** Returns a client's authentication method at the token endpoint (RFC 7591 §2). */
export function authMethodOf(client: ClientCredentials): 'none' | 'private_key_jwt' | 'client_secret_basic' {
  if (isPublicKind(client.kind)) return 'none';
  return hasKeys(client) ? 'private_key_jwt' : 'client_secret_basic';
}
