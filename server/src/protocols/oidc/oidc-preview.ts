import { type memberRepo, oidcApplicationRepo, organisationRepo } from '@orchestrate/db';
import { type AppPreview, type Claims, claims } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { oidcAddresses } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { claimsByScope, claimsOf } from './account.ts';
import { secondsOf } from './portal-time.ts';

/**
 * What a client that requests every scope would be told of a member who signs in now, on a device and without step-up.
 * @throws Refusal ORG_APP_MISSING
 */
export function oidcPreview(
  { db, clock, publicUrl }: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  appId: string,
  member: memberRepo.MemberRow,
): AppPreview {
  const { orgCode, suid } = member;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  if (!organisation || !application) throw new Refusal('ORG_APP_MISSING');
  const { primaryAttrField } = organisation;
  const scopes = claimsByScope(primaryAttrField);
  const now = secondsOf(clock.told());
  const personal = told(claims.parse(claimsOf(member, primaryAttrField)), Object.values(scopes).flat());
  return {
    protocol: 'oidc',
    idToken: {
      ...personal,
      amr: ['hwk'],
      auth_time: now,
      aud: appId,
      exp: now + Math.max(1, application.ttlIdToken),
      iat: now,
      iss: oidcAddresses(publicUrl, orgCode).issuer,
    },
    userinfo: { ...personal, sub: suid },
    scopes,
  };
}

const told = (all: Claims, names: readonly string[]): Claims =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
