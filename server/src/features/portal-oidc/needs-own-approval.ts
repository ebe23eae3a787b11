import { memberRepo, organisationRepo, portalOidcRepo, roleRepo, type Tx } from '@orchestrate/db';
import type { Permission } from '@orchestrate/shared';
import { effectivePermissions } from '#platform/http/callers/caller.ts';

/**
 * Returns true if a member must approve the link on their own device (decision 140). The provider alone isn't enough
 * for a member with more permissions than an ordinary user or than the administrator who set the provider up.
 */
export function needsOwnApproval(tx: Tx, member: memberRepo.MemberRow): boolean {
  const { orgCode } = member;
  const allowed = permissionsOf(tx, member);
  const ordinary = roleRepo.findRole(tx, orgCode, 'USER')?.permissions ?? [];
  if (!holdsAll(ordinary, allowed)) return true;
  const configuredBy = portalOidcRepo.findPortalOidc(tx, orgCode)?.configuredBy ?? null;
  const configurer = configuredBy === null ? undefined : memberRepo.findMember(tx, orgCode, configuredBy);
  return configurer !== undefined && !holdsAll(permissionsOf(tx, configurer), allowed);
}

function permissionsOf(tx: Tx, member: memberRepo.MemberRow): readonly Permission[] {
  const permissions = roleRepo.findRole(tx, member.orgCode, member.roleCode)?.permissions ?? [];
  const allowReporteeSearch = organisationRepo.findOrganisation(tx, member.orgCode)?.allowReporteeSearch ?? false;
  return effectivePermissions({ member, permissions, allowReporteeSearch });
}

const holdsAll = (held: readonly Permission[], wanted: readonly Permission[]): boolean =>
  wanted.every((permission) => held.includes(permission));
