import { DAY, SECOND, type TokenDamage } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { CompactSign } from 'jose/jws/compact/sign';
import { decodeJwt } from 'jose/jwt/decode';
import { generateKeyPair } from 'jose/key/generate/keypair';

/** An issuer that doesn't exist. */
const OTHER_ISSUER = 'https://another-issuer.example';
const OTHER_APPLICATION = 'another-application';
const OTHER_NONCE = 'a-nonce-that-nobody-sent';
const OTHER_KEY = 'a-key-that-nobody-publishes';

/** Longer than the clock skew that any client tolerates, in seconds. */
const A_DAY = DAY / SECOND;

type Claims = Readonly<Record<string, unknown>>;
/** Signs claims as the organisation, with the key named in the header. */
export type SignToken = (header: Header, claims: Claims) => Promise<string>;
export type Header = { alg: string; kid?: string };

/**
 * Returns an ID token with a single fault. Everything else is valid, including the signature unless it is the fault.
 */
export async function tamperIdToken(token: string, damage: TokenDamage, sign: SignToken): Promise<string> {
  const { alg = '', kid } = decodeProtectedHeader(token);
  const header = { alg, ...(kid !== undefined && { kid }) };
  const claims: Claims = decodeJwt(token);
  const issuedAt = Number(claims.iat);
  switch (damage) {
    case 'expired':
      return sign(header, { ...claims, iat: issuedAt - A_DAY, exp: issuedAt - A_DAY / 2 });
    case 'not-yet':
      return sign(header, { ...claims, nbf: issuedAt + A_DAY, exp: Number(claims.exp) + A_DAY });
    case 'wrong-nonce':
      return sign(header, { ...claims, nonce: OTHER_NONCE });
    case 'wrong-audience':
      return sign(header, { ...claims, aud: OTHER_APPLICATION });
    case 'wrong-issuer':
      return sign(header, { ...claims, iss: OTHER_ISSUER });
    case 'bad-signature':
      return withOtherSignature(token);
    case 'unknown-key':
      return signWithUnknownKey(alg, claims);
    case 'none-algorithm':
      return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
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

async function signWithUnknownKey(alg: string, claims: Claims): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  return new CompactSign(bytesOf(claims)).setProtectedHeader({ alg, kid: OTHER_KEY }).sign(privateKey);
}
