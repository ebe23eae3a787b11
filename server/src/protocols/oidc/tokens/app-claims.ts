import { groupRepo, type memberRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import { type AppClaim, type Claims, GROUPS_FIELD } from '@orchestrate/shared';
import type { Provider } from 'oidc-provider';
import { type MemberFields, memberFieldsOf, renderForEachGroup, renderTemplate } from '#core/members/member-fields.ts';

/** Where a claim is told, as the library calls it. */
export type ClaimUse = 'id_token' | 'userinfo';

/**
 * The claims of one application about a member (decision 170).
 * @param scopes that were granted; undefined for every scope
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
    ? groupRepo.listGroupsOf(tx, member.orgCode, member.suid)
    : [];
  const isFor = (claim: AppClaim) =>
    (claim.roles.length === 0 && claim.groups.length === 0) ||
    claim.roles.includes(member.roleCode) ||
    groups.some(({ groupId }) => claim.groups.includes(groupId));
  const told: Claims = {};
  for (const claim of claims) {
    const { name, scope, type } = claim;
    const isAsked = scope === '' || scopes === undefined || scopes.includes(scope);
    const isTold = use === 'id_token' ? claim.idToken : claim.userinfo;
    if (!isAsked || !isFor(claim) || !isTold || Object.hasOwn(told, name)) continue;
    const value = toldValue(claim.value, type, fields);
    if (value !== undefined) told[name] = value;
  }
  return told;
}

/** What a template says, as the claim's type has it; undefined where it has no value. */
function toldValue(template: string, type: AppClaim['type'], fields: MemberFields): Claims[string] | undefined {
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

/** The entries of a list: names of groups may have commas in them, everything else is cut at its commas. */
const listOf = (template: string, fields: MemberFields): string[] =>
  template.split(',').flatMap((entry) => {
    const texts = renderForEachGroup(entry.trim(), fields);
    return entry.includes(`\${${GROUPS_FIELD}`)
      ? texts
      : texts.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || []);
  });

/** Under which an account's claims have those of the application: the library lets no others through. */
export const APP_CLAIMS = Symbol('claims of the application');

/** Lets the claims of applications into ID tokens and userinfo. */
export function tellAppClaims({ Claims }: Provider): void {
  const { prototype } = Claims;
  const { result } = prototype;
  prototype.result = async function withAppClaims() {
    const claims = await result.call(this);
    const available: unknown = Reflect.get(this, 'available');
    const own: unknown = available instanceof Object ? Reflect.get(available, APP_CLAIMS) : undefined;
    return { ...claims, ...(typeof own === 'object' ? own : undefined) };
  };
}
