import { type memberRepo, oidcApplicationRepo, organisationRepo } from '@orchestrate/db';
import { type AppClaim, type AppPreview, type Claims, claims } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { secondsOf } from '../provider/portal-time.ts';
import { STEP_UP } from '../sign-in/acr.ts';
import { claimsByScope, claimsOf } from './account.ts';
import { appClaimsOf, type ClaimUse } from './app-claims.ts';

/**
 * Returns the claims that a client would receive if it requested every scope and the member signed in now, with a
 * device and without requesting step-up.
 * @param draft the application's unsaved claims
 * @throws Refusal ORG_APP_MISSING
 */
export function previewOidcClaims(
  { db, clock, publicUrl }: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  appId: string,
  member: memberRepo.MemberRow,
  draft?: readonly AppClaim[],
): AppPreview {
  const { orgCode, suid } = member;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  if (!organisation || !application) throw new Refusal('ORG_APP_MISSING');
  const { primaryAttrField } = organisation;
  const scopes = claimsByScope(primaryAttrField);
  const now = secondsOf(clock.toExternalTime());
  const standard = pick(claims.parse(claimsOf(member, primaryAttrField)), Object.values(scopes).flat());
  const claimsNow = draft ?? application.claims;
  const own = (use: ClaimUse) => appClaimsOf(db, member, claimsNow, { use, scopes: undefined });
  return {
    protocol: 'oidc',
    idToken: {
      ...standard,
      ...own('id_token'),
      ...(organisation.stepUpAuthEnabled ? { acr: STEP_UP, amr: ['hwk', 'mfa'] } : { amr: ['hwk'] }),
      auth_time: now,
      aud: appId,
      exp: now + application.ttlIdToken,
      iat: now,
      iss: oidcAddresses(publicUrl, orgCode).issuer,
    },
    userinfo: { ...standard, ...own('userinfo'), sub: suid },
    accessToken: {
      ...own('access_token'),
      ...(application.accessTokenFormat === 'jwt' && { aud: appId }),
      client_id: appId,
      exp: now + application.ttlAccessToken,
      iat: now,
      iss: oidcAddresses(publicUrl, orgCode).issuer,
      sub: suid,
    },
    scopes: withOwn(scopes, claimsNow),
  };
}

const pick = (all: Claims, names: readonly string[]): Claims =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));

/** Returns the scopes with the application's custom claims added. */
function withOwn(scopes: Readonly<Record<string, string[]>>, own: readonly AppClaim[]): Record<string, string[]> {
  const all: Record<string, string[]> = { ...scopes };
  for (const { name, scope } of own) {
    const key = scope || 'openid';
    all[key] = [...new Set([...(all[key] ?? []), name])];
  }
  return all;
}
