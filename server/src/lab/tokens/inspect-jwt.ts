import { applicationRepo, oidcKeyRepo, organisationRepo } from '@orchestrate/db';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import type { Deps } from '../../deps.ts';
import { machineNow } from '../../platform/adapters/machine-time.ts';
import { AUDIENCE, ISSUER } from '../../platform/http/callers/tokens.ts';
import { oidcAddresses } from '../../platform/own-addresses.ts';
import { type CheckedIdToken, checkIdToken, textOf } from '../../protocols/oidc/check-id-token.ts';
import { secondsOf, toldOf } from '../../protocols/oidc/portal-time.ts';
import { type Inspected, verdictOn } from './verdict.ts';

/** Whether a text has the three parts of a JSON Web Token (RFC 7519 §3); the last is empty where nobody signed. */
export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/**
 * Whether a text has the five parts of an encrypted one (RFC 7516 §3.1); the second is empty where the key is agreed
 * on.
 */
export const isEncryptedJwt = (token: string): boolean => /^[\w-]+(\.[\w-]*){4}$/.test(token);

/** An access token of the portal's own API, or an ID token of one of its organisations. */
export async function inspectJwt(deps: Deps, token: string, nonce: string | undefined): Promise<Inspected> {
  const { header, claims } = decoded(token);
  if (header.typ === 'at+jwt') {
    const now = secondsOf(deps.clock.now());
    const checked = await checkIdToken(token, { issuer: ISSUER, clientId: AUDIENCE, keys: deps.tokens.jwks, now });
    return inspected('access-token', 'This access token of the portal', checked);
  }
  const orgCode = organisationOf(deps, header, claims);
  const keys = orgCode === undefined ? [] : oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  const audience = [claims.aud].flat().map(textOf).join(', ');
  const isClient = orgCode !== undefined && applicationRepo.findApplication(deps.db, orgCode, audience) !== undefined;
  const checked = await checkIdToken(token, {
    issuer: orgCode === undefined ? 'that of an organisation here' : oidcAddresses(deps.publicUrl, orgCode).issuer,
    clientId: isClient ? audience : 'that of an application here',
    nonce,
    keys: { keys: keys.map(({ privateJwk, kid, alg }) => ({ ...publicPart(privateJwk), kid, alg, use: 'sig' })) },
    now: toldOf(deps.clock, secondsOf(machineNow())),
  });
  return inspected('id-token', `This ID token${orgCode === undefined ? '' : ` of ${orgCode}`}`, checked);
}

function inspected(kind: Inspected['kind'], what: string, { checks, decoded: parts }: CheckedIdToken): Inspected {
  const text = JSON.stringify(parts ?? {}, null, 2);
  return {
    kind,
    ...verdictOn(what, checks),
    checks,
    documents: [{ name: 'Header and claims', language: 'json', text }],
  };
}

function decoded(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    return { header: {}, claims: {} };
  }
}

/** By the key that signed, else by the issuer, so that a wrong issuer can be named. */
function organisationOf(
  { db, publicUrl }: Deps,
  { kid }: Record<string, unknown>,
  { iss }: Record<string, unknown>,
): string | undefined {
  const orgCodes = organisationRepo.listOrgCodes(db);
  return (
    orgCodes.find((orgCode) => oidcKeyRepo.listOidcKeys(db, orgCode).some((key) => key.kid === kid)) ??
    orgCodes.find((orgCode) => oidcAddresses(publicUrl, orgCode).issuer === iss)
  );
}

/** RFC 7518 §6: what of a key may be published. */
const PUBLIC = ['kty', 'n', 'e', 'crv', 'x', 'y'];

const publicPart = (jwk: object): object =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => PUBLIC.includes(name)));
