import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, hash, hkdfSync, sign } from 'node:crypto';
import { type Db, signingKeyRepo } from '@orchestrate/db';
import { SECOND } from '@orchestrate/shared';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../adapters/clock.ts';

/** Claims of an access token (contract §7). */
export interface AccessClaims {
  suid: string;
  orgCode: string;
  roleCode: string;
  /** ID of the device used for this sign-in. */
  zid: string;
  sid: string;
  /** Expiry in milliseconds since the epoch, rounded to whole seconds. */
  expiresAt: number;
}

export interface Tokens {
  /**
   * Signs synchronously with node:crypto, which is twice as fast as jose's thread pool for one signature (decision 018).
   */
  sign(claims: AccessClaims): string;
  /** Returns the claims of a valid, unexpired token from this installation, or null for any other string. */
  verify(token: string): Promise<AccessClaims | null>;
  /** Returns the claims of an already verified token synchronously, or null if the token isn't cached. */
  recall(token: string): AccessClaims | null;
  /**
   * Returns the refresh token that replaces another refresh token: 256 bits, base64url. Only this installation can
   * derive it. Concurrent refreshes derive the same successor, so they continue a single chain.
   */
  successorOf(refreshToken: string): string;
  /** Public keys served at /.well-known/jwks.json. */
  jwks: { keys: JWK[] };
}

const ALG = 'ES256';
/** `typ` that distinguishes access tokens from other signed tokens (RFC 9068 §2.1). */
const TYPE = 'at+jwt';
/** `iss` and `aud` of access tokens. */
export const ISSUER = 'urn:orchestrate:portal';
export const AUDIENCE = 'urn:orchestrate:api';

/** Maximum number of cached tokens, about 600 bytes each. The oldest are evicted. */
const REMEMBERED = 10_000;

const payload = z.object({
  sub: z.string(),
  org: z.string(),
  role: z.string(),
  zid: z.string(),
  sid: z.string(),
  exp: z.number(),
});

/**
 * Creates a signer and verifier that use the installation's ES256 keys from the database. The newest key signs
 * tokens; all keys verify them.
 */
export function createTokens(db: Db, clock: Clock): Tokens {
  const rows = signingKeyRepo.listSigningKeys(db, 'session');
  const [newest = makeKey(db, clock), ...older] = rows;
  const keys = new Map(
    [newest, ...older].map(({ kid, privateJwk }) => {
      const { d: _private, ...publicJwk } = privateJwk;
      const key = createPublicKey({ key: publicJwk, format: 'jwk' });
      return [kid, { publicJwk: { ...publicJwk, kid, alg: ALG, use: 'sig' }, key }] as const;
    }),
  );
  const signingKey = createPrivateKey({ key: newest.privateJwk, format: 'jwk' });
  const successorKey = Buffer.from(hkdfSync('sha256', newest.privateJwk.d ?? '', newest.kid, 'refresh token', 32));
  const remembered = new Map<string, AccessClaims>();

  function remember(token: string, claims: AccessClaims): void {
    const oldest = remembered.size < REMEMBERED ? undefined : remembered.keys().next().value;
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, claims);
  }

  return {
    sign({ suid, orgCode, roleCode, zid, sid, expiresAt }) {
      const issuedAt = Math.floor(clock.now() / SECOND);
      const registered = { sub: suid, iss: ISSUER, aud: AUDIENCE, iat: issuedAt, exp: expiresAt / SECOND };
      const header = { alg: ALG, typ: TYPE, kid: newest.kid };
      const input = `${encoded(header)}.${encoded({ org: orgCode, role: roleCode, zid, sid, ...registered })}`;
      // RFC 7518 §3.4: r and s are concatenated, not DER-encoded.
      const signature = sign('sha256', Buffer.from(input), { key: signingKey, dsaEncoding: 'ieee-p1363' });
      return `${input}.${signature.toString('base64url')}`;
    },

    recall(token) {
      const claims = remembered.get(token);
      if (!claims) return null;
      if (claims.expiresAt > clock.now()) return claims;
      remembered.delete(token);
      return null;
    },

    async verify(token) {
      const { jwtVerify } = await import('jose/jwt/verify');
      const verified = await jwtVerify(
        token,
        ({ kid }) => {
          const known = keys.get(kid ?? '');
          if (!known) throw new Error(`Expected the kid of a session key, got ${kid}.`);
          return known.key;
        },
        { algorithms: [ALG], typ: TYPE, issuer: ISSUER, audience: AUDIENCE, currentDate: new Date(clock.now()) },
      ).catch(() => null);
      const claims = payload.safeParse(verified?.payload);
      if (!claims.success) return null;
      const { sub, org, role, zid, sid, exp } = claims.data;
      const access = { suid: sub, orgCode: org, roleCode: role, zid, sid, expiresAt: exp * SECOND };
      remember(token, access);
      return access;
    },

    successorOf: (refreshToken) => createHmac('sha256', successorKey).update(refreshToken).digest('base64url'),

    jwks: { keys: [...keys.values()].map(({ publicJwk }) => publicJwk) },
  };
}

/** Encodes a header or payload for a compact JWS (RFC 7515 §7.1). */
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Generates a key with node:crypto instead of WebCrypto, which would slow down the first portal start in a process. */
function makeKey(db: Db, clock: Clock) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty = '', crv = '', x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const key = {
    // RFC 7638.
    kid: hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url'),
    use: 'session' as const,
    privateJwk: { kty, crv, x, y, d },
    createdAt: clock.now(),
  };
  signingKeyRepo.insertSigningKey(db, key);
  return key;
}
