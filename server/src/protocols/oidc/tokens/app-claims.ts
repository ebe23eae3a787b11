import {
  groupRepo,
  type memberRepo,
  type oidcApplicationRepo,
  organisationRepo,
  roleRepo,
  type Tx,
} from '@orchestrate/db';
import { type AppClaim, type Claims, GROUPS_FIELD, hasSignIn } from '@orchestrate/shared';
import { type MemberFields, memberFieldsOf, renderForEachGroup, renderTemplate } from '#core/members/member-fields.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';

/** Where a claim is released, in the library's terms. */
export type ClaimUse = 'id_token' | 'userinfo' | 'access_token';

/** Options that include a claim in a token or response, by its use. */
const DESTINATION = { id_token: 'idToken', userinfo: 'userinfo', access_token: 'accessToken' } as const;

/**
 * Returns an application's custom claims about a member (decision 170).
 * @param scopes the granted scopes, or undefined for all
 */
export function appClaimsOf(
  tx: Tx,
  member: memberRepo.MemberRow,
  claims: readonly AppClaim[],
  { use, scopes }: { use: ClaimUse; scopes: readonly string[] | undefined },
): Claims {
  const organisation = claims.length > 0 ? organisationRepo.findOrganisation(tx, member.orgCode) : undefined;
  if (!organisation) return {};
  const role = roleRepo.findRole(tx, member.orgCode, member.roleCode);
  const fields = memberFieldsOf(tx, { member, role, organisation });
  const groups = claims.some((claim) => claim.groups.length > 0)
    ? groupRepo.listMemberGroups(tx, member.orgCode, member.suid)
    : [];
  const isFor = (claim: AppClaim) =>
    (claim.roles.length === 0 && claim.groups.length === 0) ||
    claim.roles.includes(member.roleCode) ||
    groups.some(({ groupId }) => claim.groups.includes(groupId));
  const released: Claims = {};
  for (const claim of claims) {
    const { name, scope, type } = claim;
    const isRequested = scope === '' || scopes === undefined || scopes.includes(scope);
    if (!isRequested || !isFor(claim) || !claim[DESTINATION[use]] || Object.hasOwn(released, name)) continue;
    const value = claimValue(claim.value, type, fields);
    if (value !== undefined) released[name] = value;
  }
  return released;
}

/** A service client has no member, so only constants have a value. */
const NO_MEMBER: MemberFields = { fieldOf: () => '', groups: () => [] };

/**
 * Returns an application's custom claims in an access token.
 * @param suid the user, or undefined for a service client
 */
export function accessTokenClaims(
  tx: Tx,
  { orgCode, kind, claims }: oidcApplicationRepo.OidcApplicationRow,
  suid: string | undefined,
  scopes: readonly string[],
): Claims {
  if (claims.length === 0) return {};
  if (hasSignIn(kind)) {
    const member = suid === undefined ? undefined : findActiveMember(tx, orgCode, suid);
    return member ? appClaimsOf(tx, member, claims, { use: 'access_token', scopes }) : {};
  }
  const released = claims.filter(({ scope }) => scope === '' || scopes.includes(scope));
  return Object.fromEntries(
    released.toReversed().flatMap(({ name, value, type }) => {
      const constant = claimValue(value, type, NO_MEMBER);
      return constant === undefined ? [] : [[name, constant]];
    }),
  );
}

/** Returns a template's value in the claim's type, or undefined if the value is empty or not a number. */
function claimValue(template: string, type: AppClaim['type'], fields: MemberFields): Claims[string] | undefined {
  const text = renderTemplate(template, fields);
  if (text === '') return undefined;
  switch (type) {
    case 'text':
      return text;
    case 'list':
      return listOf(template, fields);
    case 'boolean':
      return text.trim().toLowerCase() === 'true';
    case 'number': {
      const number = Number(text);
      return Number.isFinite(number) ? number : undefined;
    }
  }
}

/** Returns the entries of a list. Text is split at commas, except for group names, which can contain commas. */
const listOf = (template: string, fields: MemberFields): string[] =>
  template.split(',').flatMap((entry) => {
    const texts = renderForEachGroup(entry.trim(), fields);
    return entry.includes(`\${${GROUPS_FIELD}`)
      ? texts
      : texts.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || []);
  });
