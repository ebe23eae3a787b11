import { type memberRepo, oidcApplicationRepo } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import type { Account, AccountClaims } from 'oidc-provider';
import { mayUseApplication } from '#core/applications.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';
import type { Deps } from '#deps.ts';
import { APP_CLAIMS } from '../overrides/release-app-claims.ts';
import { appClaimsOf } from './app-claims.ts';

/**
 * Returns the claims in each scope.
 * @param primaryAttrField the organisation's name for its primary attribute
 */
export const claimsByScope = (primaryAttrField: string): Record<string, string[]> => ({
  openid: [
    'sub',
    'acr',
    'amr',
    'auth_time',
    'primaryAttr',
    ...(STANDARD.has(primaryAttrField) ? [] : [primaryAttrField]),
  ],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'roles'],
  email: ['email', 'email_verified'],
  roles: ['roles'],
});

/** Claims with a standard meaning, which a primary attribute's name must not override. */
const STANDARD = new Set([
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nonce',
  'azp',
  'acr',
  'amr',
  'auth_time',
  'sid',
  'at_hash',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'roles',
  'email',
  'email_verified',
  'primaryAttr',
]);

/**
 * Returns a member as an account, or undefined if they are disabled, deleted or not registered yet.
 * @param appId application of the code or token; the result is undefined if the member can't use this application
 */
export function accountOf(
  { db }: Pick<Deps, 'db'>,
  { orgCode, primaryAttrField }: { orgCode: string; primaryAttrField: string },
  suid: string,
  appId: string | undefined,
): Account | undefined {
  const member = findActiveMember(db, orgCode, suid);
  const application = appId === undefined ? undefined : oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  if (!member || (application && !mayUseApplication(db, application, member))) return undefined;
  return {
    accountId: suid,
    claims: (use, scope) => ({
      ...claimsOf(member, primaryAttrField),
      [APP_CLAIMS]: appClaimsOf(db, member, application?.claims ?? [], {
        use: use === 'userinfo' ? 'userinfo' : 'id_token',
        scopes: scope.split(' '),
      }),
    }),
  };
}

/** Returns a member's standard claims (OpenID Connect Core 1.0 §5.1). */
export function claimsOf(member: memberRepo.MemberRow, primaryAttrField: string): AccountClaims {
  const { suid, firstName, lastName, primaryEmail, emailVerifiedAt, primaryAttr, roleCode } = member;
  return {
    [primaryAttrField]: primaryAttr,
    sub: suid,
    name: fullNameOf({ firstName, lastName }),
    given_name: firstName,
    family_name: lastName,
    // Also the user name in SCIM and LDAP. Many clients display it or identify the account by it.
    preferred_username: primaryEmail,
    email: primaryEmail,
    email_verified: emailVerifiedAt !== null,
    primaryAttr,
    roles: [roleCode],
  };
}
