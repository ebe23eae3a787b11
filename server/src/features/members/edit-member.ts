import { activationCodeRepo, emailChangeRepo, memberRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import type { EditUserForm } from '@orchestrate/shared';
import { memberFacts, memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireDeviceToChangeEmail, requireDeviceToManage } from '#core/device-keys/require-bound-device.ts';
import { requireAllowedDomain } from '#core/members/allowed-domain.ts';
import { requireAnotherSuperAdmin, requireAuthorityOver, requireAuthorityToGrant } from '#core/members/authority.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { requestEmailChange, requireExistingMember } from './email-change.ts';

/** Returns a member's editable fields. */
export const editableMemberFields = ({ firstName, lastName, primaryEmail, roleCode }: memberRepo.MemberRow) => ({
  firstName,
  lastName,
  primaryEmail,
  roles: roleCode,
});

/**
 * Edits the user's own account or another member's, whose role can also change. The user's own address changes only
 * once the code sent to the new address is entered. Another member's address changes immediately and is then
 * unverified.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST if the member is deleted or the role unknown; EMAIL_EXISTS;
 * INVALID_DOMAIN; ORG_EMAIL_LIMIT_REACHED for too many codes; INVALID_PERMISSIONS if the user changes their own role,
 * the member or the new role has more permissions than the user, or the last Super Admin would lose the role;
 * AUTHENTICATION_INCOMPLETE as in `requireDeviceToManage` and `requireDeviceToChangeEmail`
 */
export function editMember(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  { roles, primaryEmail, ...names }: EditUserForm,
  version: Version,
): memberRepo.MemberRow {
  const edited = deps.db.transaction((tx) => {
    const member = requireExistingMember(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    version.require(tx, {
      orgCode,
      id: suid,
      editable: editableMemberFields(member),
      present: () => presentMember(deps.db, member),
    });
    const roleCode = roles ?? member.roleCode;
    if (roles !== undefined) requireRoleChange(deps, tx, { caller, member }, roles);
    const isMoved = primaryEmail !== member.primaryEmail;
    if (isMoved) requireOwnDomain(tx, orgCode, primaryEmail);
    const isOwn = suid === caller.suid;
    // Without a device, a stolen session could redirect an administrator's codes to another address.
    if (isMoved && isOwn) requireDeviceToChangeEmail(deps, tx, caller);
    if (isMoved && !isOwn) requireDeviceToManage(deps, tx, caller, member);
    const address =
      isMoved && !isOwn
        ? { primaryEmail, emailVerifiedAt: null }
        : { primaryEmail: member.primaryEmail, emailVerifiedAt: member.emailVerifiedAt };
    const after = { ...member, ...names, ...address, roleCode };
    if (!memberRepo.editMember(tx, orgCode, suid, after)) throw new Refusal('EMAIL_EXISTS');
    if (roleCode !== member.roleCode) {
      roleRepo.touchRoles(tx, orgCode, [member.roleCode, roleCode], deps.clock.now());
    }
    if (isMoved && isOwn) requestEmailChange(deps, tx, { member: after, actor }, primaryEmail);
    if (isMoved && !isOwn) leaveAddress(tx, member);
    const facts = { before: memberFacts(member), after: memberFacts(after) };
    record(deps, tx, actor, { action: 'member.updated', object: memberObject(after), ...facts });
    version.answer(editableMemberFields(after));
    return after;
  });
  deps.bus.changed(TOPIC.outbox);
  return edited;
}

function requireOwnDomain(tx: Tx, orgCode: string, primaryEmail: string): void {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (organisation) requireAllowedDomain(primaryEmail, organisation, 'primaryEmail');
}

/** Invalidates the codes emailed to the old address and the member's own pending change. */
function leaveAddress(tx: Tx, { orgCode, suid }: memberRepo.MemberRow): void {
  activationCodeRepo.revokeActivationCodes(tx, orgCode, suid);
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
}

/** Returns the member's editable fields with the role name. */
function presentMember(tx: Tx, member: memberRepo.MemberRow) {
  const roleName = roleRepo.findRole(tx, member.orgCode, member.roleCode)?.name ?? member.roleCode;
  return { ...editableMemberFields(member), roleName };
}

function requireRoleChange(
  deps: Deps,
  tx: Tx,
  { caller, member }: { caller: Caller; member: memberRepo.MemberRow },
  roleCode: string,
): void {
  if (member.suid === caller.suid) {
    throw new Refusal('INVALID_PERMISSIONS', { message: "You can't change your own role." });
  }
  if (roleCode === member.roleCode) return;
  requireAuthorityToGrant(tx, caller, roleCode);
  requireDeviceToManage(deps, tx, caller, { roleCode });
  requireAnotherSuperAdmin(tx, member);
}
