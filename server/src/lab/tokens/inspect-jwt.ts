import { apiResourceRepo, applicationRepo, oidcKeyRepo, organisationRepo } from '@orchestrate/db';
import type { contract, ReplyOf, TryCheck } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { AUDIENCE, ISSUER } from '#platform/http/callers/tokens.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { secondsOf, toExternalTime } from '#protocols/oidc/provider/portal-time.ts';
import { type CheckedIdToken, checkIdToken, textOf } from '#protocols/oidc/test-sign-in/check-id-token.ts';

export type Inspection = Omit<ReplyOf<typeof contract.inspectToken>, 'resultCode'>;

/** Summarises the checks in one sentence. @param what subject of the sentence, e.g. `This ID token` */
export function summariseChecks(what: string, checks: readonly TryCheck[]): Pick<Inspection, 'isValid' | 'verdict'> {
  const failed = checks.filter(({ isMet }) => !isMet);
  if (failed.length === 0) return { isValid: true, verdict: `${what} is valid.` };
  const reasons = failed.map(({ name }) => name).join(', ');
  return { isValid: false, verdict: `${what} must not be accepted: ${reasons}.` };
}

/**
 * Returns true if a string has the three parts of a JSON Web Token (RFC 7519 §3). The last part is empty in an
 * unsigned token.
 */
export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/**
 * Returns true if a string has the five parts of an encrypted JSON Web Token (RFC 7516 §3.1). The second part is
 * empty with direct key agreement.
 */
export const isEncryptedJwt = (token: string): boolean => /^[\w-]+(\.[\w-]*){4}$/.test(token);

/** Inspects an access token of the portal's own API, or a token signed by one of its organisations. */
export async function inspectJwt(deps: Deps, token: string, nonce: string | undefined): Promise<Inspection> {
  const { header, claims } = decoded(token);
  const orgCode = organisationOf(deps, header, claims);
  const kind = KINDS[textOf(header.typ)] ?? 'id-token';
  if (kind === 'access-token' && orgCode === undefined) {
    const now = secondsOf(deps.clock.now());
    const checked = await checkIdToken(token, { issuer: ISSUER, clientId: AUDIENCE, keys: deps.tokens.jwks, now });
    return inspected(kind, 'This portal access token', checked);
  }
  const keys = orgCode === undefined ? [] : oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  const audience = [claims.aud].flat().map(textOf).join(', ');
  const checked = await checkIdToken(token, {
    issuer:
      orgCode === undefined
        ? 'the issuer of an organisation of this portal'
        : oidcAddresses(deps.publicUrl, orgCode).issuer,
    clientId: isKnown(deps, { kind, orgCode, audience }) ? audience : WHOM[kind],
    nonce,
    keys: { keys: keys.map(({ privateJwk, kid, alg }) => ({ ...publicPart(privateJwk), kid, alg, use: 'sig' })) },
    now: toExternalTime(deps.clock, secondsOf(machineNow())),
  });
  return inspected(kind, `This ${NAMES[kind]}${orgCode === undefined ? '' : ` of ${orgCode}`}`, checked);
}

type Kind = Exclude<Inspection['kind'], 'saml-response'>;

/** Token kinds by `typ` header (RFC 9068 §2.1, Back-Channel Logout 1.0 §2.4). ID tokens may omit `typ`. */
const KINDS: Readonly<Record<string, Kind>> = { 'at+jwt': 'access-token', 'logout+jwt': 'logout-token' };
const NAMES = { 'access-token': 'access token', 'id-token': 'ID token', 'logout-token': 'logout token' };
const AN_APPLICATION = 'an application of this portal';
const WHOM = {
  'access-token': 'an API or application of this portal',
  'id-token': AN_APPLICATION,
  'logout-token': AN_APPLICATION,
};

/**
 * Returns true if the token's audience exists in the organisation: an application, or an API for access tokens. Access
 * tokens without an API are for their application.
 */
function isKnown(
  { db }: Deps,
  { kind, orgCode, audience }: { kind: Kind; orgCode: string | undefined; audience: string },
): boolean {
  if (orgCode === undefined) return false;
  if (applicationRepo.findApplication(db, orgCode, audience) !== undefined) return true;
  return kind === 'access-token' && apiResourceRepo.findApiResourceByIdentifier(db, orgCode, audience) !== undefined;
}

function inspected(kind: Kind, what: string, { checks, decoded: parts }: CheckedIdToken): Inspection {
  const text = JSON.stringify(parts ?? {}, null, 2);
  return {
    kind,
    ...summariseChecks(what, checks),
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

/** Finds the organisation by signing key first and by issuer second, so a wrong issuer can be reported. */
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

/** Public JWK members (RFC 7518 §6). */
const PUBLIC = ['kty', 'n', 'e', 'crv', 'x', 'y'];

const publicPart = (jwk: object): object =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => PUBLIC.includes(name)));
