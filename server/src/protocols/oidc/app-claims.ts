import { type memberRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import type { AppClaim, Claims } from '@orchestrate/shared';
import type { Provider } from 'oidc-provider';
import { memberFieldsOf, renderTemplate } from '../../core/members/member-fields.ts';

/** Where a claim is told, as the library calls it. */
export type ClaimUse = 'id_token' | 'userinfo';

/**
 * The claims of one application about a member (decision 179).
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
  const fieldOf = memberFieldsOf({ member, role, organisation });
  const told: Claims = {};
  for (const claim of claims) {
    const { name, scope, roles, type } = claim;
    const isAsked = scope === '' || scopes === undefined || scopes.includes(scope);
    const isFor = roles.length === 0 || roles.includes(member.roleCode);
    const isTold = use === 'id_token' ? claim.idToken : claim.userinfo;
    if (!isAsked || !isFor || !isTold || Object.hasOwn(told, name)) continue;
    const value = toldValue(renderTemplate(claim.value, fieldOf), type);
    if (value !== undefined) told[name] = value;
  }
  return told;
}

/** A text as the claim's type says; undefined where it has no value. */
function toldValue(text: string, type: AppClaim['type']): Claims[string] | undefined {
  if (text === '') return undefined;
  switch (type) {
    case 'text':
      return text;
    case 'list':
      return text.split(',').flatMap((entry) => entry.trim() || []);
    case 'boolean':
      return text.trim().toLowerCase() === 'true';
    case 'number': {
      const number = Number(text);
      return Number.isFinite(number) ? number : undefined;
    }
  }
}

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
