import { type memberRepo, type organisationRepo, roleRepo } from '@orchestrate/db';
import type { Profile } from '@orchestrate/shared';
import { profileOf } from '../../core/sign-in/profile-of.ts';
import type { Deps } from '../../deps.ts';
import { effectivePermissions } from '../../platform/http/callers/caller.ts';

/** The profile given to a new device: its person's, with itself as the device. */
export function deviceProfile(
  { db }: Deps,
  {
    zid,
    member,
    organisation,
  }: { zid: string; member: memberRepo.MemberRow; organisation: organisationRepo.OrganisationRow },
): Profile {
  const { orgCode, roleCode, isManager } = member;
  const { allowReporteeSearch } = organisation;
  const role = roleRepo.findRole(db, orgCode, roleCode);
  return profileOf({
    zid,
    member,
    orgCode,
    roleCode,
    isManager,
    allowReporteeSearch,
    roleName: role?.name ?? roleCode,
    permissions: effectivePermissions({ member, permissions: role?.permissions ?? [], allowReporteeSearch }),
  });
}
