import { applicationRepo, memberRepo } from '@orchestrate/db';
import type { Access, MemberRights, Permission } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '../../refusal.ts';
import type { Caller } from './caller.ts';

/** Request fields that name an organisation, which must be the caller's own (contract §6). */
export const ORGANISATION_FIELDS = ['orgCode', 'orgId', 'org'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a request's params, query or body. Anything other than an object yields no fields. */
export function fieldsOf(part: unknown): Fields {
  return typeof part === 'object' && part !== null ? { ...part } : {};
}

/**
 * Requires that the request names no organisation but the caller's own.
 * @throws Refusal FORBIDDEN if the request names another organisation
 */
export function requireOwnOrganisation(caller: Caller, ...parts: Fields[]): void {
  for (const part of parts) {
    for (const name of ORGANISATION_FIELDS) {
      const named = part[name];
      if (typeof named === 'string' && named.trim().toLowerCase() !== caller.orgCode) throw new Refusal('FORBIDDEN');
    }
  }
}

const holds = (caller: Caller, needed: true | readonly Permission[] | undefined) =>
  needed === true || (needed?.every((permission) => caller.permissions.includes(permission)) ?? false);

/**
 * Requires that the caller has a permission.
 * @throws Refusal INVALID_PERMISSIONS if the caller lacks the permission
 */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!holds(caller, [permission])) throw new Refusal('INVALID_PERMISSIONS');
}

type PermissionAccess = Extract<Access, { who: 'permission' }>;

/**
 * Returns true if the caller's permission for an endpoint is limited to SAML applications. The caller must already
 * have access.
 */
export const isForSamlOnly = (caller: Caller, { permission }: PermissionAccess): boolean =>
  !holds(caller, [permission]);

/**
 * Requires the endpoint's permission.
 * @throws Refusal INVALID_PERMISSIONS if the caller lacks it; ORG_APP_MISSING if the caller's permission is limited
 * to SAML applications and the request names any other application
 */
export function requireAccess({ db }: Deps, caller: Caller, access: PermissionAccess, { appId }: Fields): void {
  if (!isForSamlOnly(caller, access)) return;
  if (!access.forSaml) throw new Refusal('INVALID_PERMISSIONS');
  requirePermission(caller, access.forSaml);
  if (appId === undefined) return;
  const application = applicationRepo.findApplication(db, caller.orgCode, String(appId));
  if (application?.integrationType !== 'saml') throw new Refusal('ORG_APP_MISSING');
}

type MemberAccess = Extract<Access, { who: 'member' }>;

function rightsOf(access: MemberAccess, fields: Fields): MemberRights {
  const { when } = access;
  return when && fields[when.field] === when.is ? when.rights : access;
}

/**
 * Returns the member that the request names by `suid` or `primaryAttr`, or the caller if the request names no member.
 * @throws Refusal INVALID_PERMISSIONS if the caller lacks permission, whether or not the member exists;
 * ID_DOESNOT_EXIST if the caller has permission but the member isn't in the organisation or among the manager's
 * reports
 */
export function requireMember(deps: Deps, caller: Caller, access: MemberAccess, fields: Fields): memberRepo.MemberRow {
  const rights = rightsOf(access, fields);
  if (namesOnly(caller, fields)) {
    if (!holds(caller, rights.own)) throw new Refusal('INVALID_PERMISSIONS');
    return caller.member;
  }
  const mayOthers = holds(caller, rights.others);
  if (!mayOthers && !holds(caller, rights.reports)) throw new Refusal('INVALID_PERMISSIONS');
  const member = findNamed(deps, caller, fields);
  if (!member || (!mayOthers && member.managerSuid !== caller.suid)) throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}

function namesOnly({ member }: Caller, { suid, primaryAttr }: Fields): boolean {
  return (suid ?? member.suid) === member.suid && (primaryAttr ?? member.primaryAttr) === member.primaryAttr;
}

/**
 * Finds the member with the given `suid` or `primaryAttr`. If both fields are present, they must identify the same
 * member.
 */
function findNamed({ db }: Deps, { orgCode }: Caller, { suid, primaryAttr }: Fields) {
  if (typeof suid !== 'string') return memberRepo.findMemberByPrimaryAttr(db, orgCode, String(primaryAttr));
  const member = memberRepo.findMember(db, orgCode, suid);
  return primaryAttr === undefined || primaryAttr === member?.primaryAttr ? member : undefined;
}
