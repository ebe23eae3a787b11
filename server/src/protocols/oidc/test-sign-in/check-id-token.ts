import type { TryCheck } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { createLocalJWKSet } from 'jose/jwks/local';
import { compactVerify } from 'jose/jws/compact/verify';
import { decodeJwt } from 'jose/jwt/decode';
import { z } from 'zod';
import { checkResult, checkSame } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import { accessTokenHash } from '#platform/adapters/secrets.ts';

const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

export interface ExpectedIdToken {
  issuer: string;
  clientId: string;
  /** Expected nonce. Not checked if undefined. */
  nonce?: string | undefined;
  /** Access token whose hash the ID token should contain. Not checked if undefined. */
  accessToken?: string | undefined;
  /** The provider's published key set. */
  keys: unknown;
  /** Current time at the provider, in seconds since the epoch. */
  now: number;
}

export interface CheckedIdToken {
  checks: TryCheck[];
  /** Header and claims without the signature, or undefined if the token is malformed. */
  decoded: { header: { alg?: string }; claims: Record<string, unknown> } | undefined;
}

/** Checks an ID token as clients must (OpenID Connect Core 1.0 §3.1.3.7, §3.1.3.8). */
export async function checkIdToken(token: string, expected: ExpectedIdToken): Promise<CheckedIdToken> {
  const decoded = decode(token);
  if (!decoded) return { checks: [checkResult('ID token', false, 'Expected a signed JSON Web Token.')], decoded };
  const { header, claims } = decoded;
  const { nonce, issuer, clientId, accessToken, now } = expected;
  const checks = [
    await checkSignature(token, expected.keys),
    checkSame('Issuer', 'The issuer', textOf(claims.iss), issuer),
    checkSame('Audience', 'The audience', [claims.aud].flat().map(textOf).join(', '), clientId),
    ...(nonce === undefined ? [] : [checkNonce(claims.nonce, nonce)]),
    ...(claims.nbf === undefined ? [] : [checkBeginning(claims.nbf, now)]),
    checkExpiry(claims.exp, now),
    ...(claims.at_hash === undefined || accessToken === undefined
      ? []
      : [checkHash(claims.at_hash, accessToken, header.alg ?? '')]),
  ];
  return { checks, decoded };
}

function decode(token: string): CheckedIdToken['decoded'] {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    return undefined;
  }
}

async function checkSignature(token: string, keys: unknown): Promise<TryCheck> {
  try {
    const { protectedHeader } = await compactVerify(token, createLocalJWKSet(jwks.parse(keys)));
    const { alg, kid = '' } = protectedHeader;
    return checkResult('Signature', true, `Signed with ${alg} and the key ${kid}, which the organisation publishes.`);
  } catch {
    return checkResult('Signature', false, 'Not signed with any key that the organisation publishes.');
  }
}

function checkNonce(found: unknown, sent: string): TryCheck {
  const isSame = found === sent;
  return checkResult(
    'Nonce',
    isSame,
    isSame ? 'The nonce matches the one in the request.' : "The nonce doesn't match the one in the request.",
  );
}

/** RFC 7519 §4.1.5. */
function checkBeginning(nbf: unknown, now: number): TryCheck {
  const wait = typeof nbf === 'number' ? nbf - now : 0;
  return checkResult(
    'Not before',
    wait <= 0,
    wait <= 0 ? 'The token is already valid.' : `The token won't be valid for another ${wait} seconds.`,
  );
}

function checkExpiry(exp: unknown, now: number): TryCheck {
  const left = typeof exp === 'number' ? exp - now : 0;
  return checkResult(
    'Expiry',
    left > 0,
    left > 0 ? `The token is valid for another ${left} seconds.` : 'The token has expired.',
  );
}

function checkHash(found: unknown, accessToken: string, alg: string): TryCheck {
  const isSame = found === accessTokenHash(accessToken, alg);
  return checkResult(
    'Access token hash',
    isSame,
    isSame ? 'The hash matches the access token.' : "The hash doesn't match the access token.",
  );
}

/** Returns a claim or parameter, or '' if it isn't a string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
