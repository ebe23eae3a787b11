import type { oidcKeyRepo } from '@orchestrate/db';
import { DAY, SECOND, type TokenFlaw } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { CompactSign } from 'jose/jws/compact/sign';
import { decodeJwt } from 'jose/jwt/decode';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';

/** An issuer that isn't an organisation of this portal. */
const OTHER_ISSUER = 'https://another-issuer.example';
const OTHER_AUDIENCE = 'another-application';
const OTHER_NONCE = 'a-nonce-that-nobody-sent';
const OTHER_KEY = 'a-key-that-nobody-publishes';

/** A time shift in seconds, longer than the clock skew that any client tolerates. */
const A_DAY = DAY / SECOND;

type Claims = Readonly<Record<string, unknown>>;
/** Signs claims as the organisation, with the key named in the header. */
export type SignToken = (header: Header, claims: Claims) => Promise<string>;
type Header = { alg: string; kid?: string; typ?: string };

/** Returns the function that signs with an organisation's keys. */
export function signerOf(orgCode: string, keys: readonly oidcKeyRepo.OidcKeyRow[]): SignToken {
  return async (header, claims) => {
    const jwk = keys.find(({ kid }) => kid === header.kid)?.privateJwk;
    if (!jwk) throw new Error(`${orgCode} doesn't have the signing key ${header.kid}.`);
    return new CompactSign(bytesOf(claims)).setProtectedHeader(header).sign(await importJWK(jwk, header.alg));
  };
}

/** Returns a token's `alg`, `kid` and `typ`, for signing it again. */
export function headerOf(token: string): Header {
  const { alg = '', kid, typ } = decodeProtectedHeader(token);
  return { alg, ...(kid !== undefined && { kid }), ...(typ !== undefined && { typ }) };
}

/**
 * Returns a token with a single flaw. Everything else is valid, including the signature unless it is the flaw.
 */
export async function tamperToken(token: string, flaw: TokenFlaw, sign: SignToken): Promise<string> {
  const header = headerOf(token);
  const claims: Claims = decodeJwt(token);
  const issuedAt = Number(claims.iat);
  if (typeof flaw === 'object') {
    const { [flaw.without]: _left, ...others } = claims;
    return sign(header, others);
  }
  switch (flaw) {
    case 'expired':
      return sign(header, { ...claims, iat: issuedAt - A_DAY, exp: issuedAt - A_DAY / 2 });
    case 'not-yet':
      return sign(header, { ...claims, nbf: issuedAt + A_DAY, exp: Number(claims.exp) + A_DAY });
    case 'wrong-nonce':
      return sign(header, { ...claims, nonce: OTHER_NONCE });
    case 'wrong-audience':
      return sign(header, { ...claims, aud: OTHER_AUDIENCE });
    case 'wrong-issuer':
      return sign(header, { ...claims, iss: OTHER_ISSUER });
    case 'bad-signature':
      return withOtherSignature(token);
    case 'unknown-key':
      return signWithUnknownKey(header, claims);
    case 'none-algorithm':
      return `${encoded({ ...header, alg: 'none', kid: undefined })}.${encoded(claims)}.`;
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const bytesOf = (claims: Claims): Uint8Array => new TextEncoder().encode(JSON.stringify(claims));

function withOtherSignature(token: string): string {
  const [header, claims, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
  return [header, claims, bytes.toString('base64url')].join('.');
}

async function signWithUnknownKey(header: Header, claims: Claims): Promise<string> {
  const { privateKey } = await generateKeyPair(header.alg);
  return new CompactSign(bytesOf(claims)).setProtectedHeader({ ...header, kid: OTHER_KEY }).sign(privateKey);
}
