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
import { requestEmailChange, requirePresent } from './email-change.ts';

/** Returns the editable fields of a member. */
export const editableMember = ({ firstName, lastName, primaryEmail, roleCode }: memberRepo.MemberRow) => ({
  firstName,
  lastName,
  primaryEmail,
  roles: roleCode,
});

/**
 * Edits the caller or, including the role, another member. The caller's own address is kept until the code sent to the
 * new one comes back; another member's changes immediately and is then unverified.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST deleted, or an unknown role; EMAIL_EXISTS; INVALID_DOMAIN;
 * ORG_EMAIL_LIMIT_REACHED too many codes; INVALID_PERMISSIONS for a role of one's own, for a member with more
 * permissions than the caller, for a role that has more, and for taking it from the last Super Admin;
 * AUTHENTICATION_INCOMPLETE as `requireDeviceToManage` and `requireDeviceToChangeEmail`
 */
export function editMember(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  { roles, primaryEmail, ...names }: EditUserForm,
  version: Version,
): memberRepo.MemberRow {
  const edited = deps.db.transaction((tx) => {
    const member = requirePresent(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    version.require(tx, {
      orgCode,
      id: suid,
      editable: editableMember(member),
      present: () => presentMember(deps.db, member),
    });
    const roleCode = roles ?? member.roleCode;
    if (roles !== undefined) requireRoleChange(deps, tx, { caller, member }, roles);
    const isMoved = primaryEmail !== member.primaryEmail;
    if (isMoved) requireOwnDomain(tx, orgCode, primaryEmail);
    const isOwn = suid === caller.suid;
    // Otherwise an administrator's code could be emailed to another address.
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
    version.answer(editableMember(after));
    return after;
  });
  deps.bus.changed(TOPIC.outbox);
  return edited;
}

function requireOwnDomain(tx: Tx, orgCode: string, primaryEmail: string): void {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (organisation) requireAllowedDomain(primaryEmail, organisation, 'primaryEmail');
}

/** Voids the codes emailed to the former address and the member's own pending change. */
function leaveAddress(tx: Tx, { orgCode, suid }: memberRepo.MemberRow): void {
  activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
}

/** Returns the same with the role's name. */
function presentMember(tx: Tx, member: memberRepo.MemberRow) {
  const roleName = roleRepo.findRole(tx, member.orgCode, member.roleCode)?.name ?? member.roleCode;
  return { ...editableMember(member), roleName };
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
