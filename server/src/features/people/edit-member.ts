import { activationCodeRepo, memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import type { EditUserForm } from '@orchestrate/shared';
import type { AuditActor } from '../../audit/actors.ts';
import { memberFacts, memberObject } from '../../audit/objects.ts';
import { record } from '../../audit/record.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { Refusal } from '../../http/refusal.ts';
import type { Version } from '../../http/versions.ts';
import { requireAnotherSuperAdmin, requireAuthorityOver, requireAuthorityToGrant } from '../../members/authority.ts';
import { requirePresent } from './require-present.ts';

/** What of a member is edited. */
export const editableMember = ({ firstName, lastName, primaryEmail, roleCode }: memberRepo.MemberRow) => ({
  firstName,
  lastName,
  primaryEmail,
  roles: roleCode,
});

/**
 * Edits the caller himself or, with a role too, somebody else.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST deleted, or an unknown role; EMAIL_EXISTS; INVALID_PERMISSIONS for a role of one's own,
 * for whoever is more powerful than the caller, for a role that is, and for taking it from the last Super Admin
 */
export function editMember(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  { roles, ...names }: EditUserForm,
  version: Version,
): memberRepo.MemberRow {
  return deps.db.transaction(
    (tx) => {
      const member = requirePresent(tx, orgCode, suid);
      requireAuthorityOver(tx, caller, member);
      version.require(tx, {
        orgCode,
        id: suid,
        editable: editableMember(member),
        present: () => presentMember(deps.db, member),
      });
      const roleCode = roles ?? member.roleCode;
      if (roles !== undefined) requireRoleChange(tx, caller, member, roles);
      if (!memberRepo.editMember(tx, orgCode, suid, { ...names, roleCode })) throw new Refusal('EMAIL_EXISTS');
      // A code was mailed to an address that is no longer his.
      if (names.primaryEmail !== member.primaryEmail) activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
      const edited = { ...member, ...names, roleCode };
      const facts = { before: memberFacts(member), after: memberFacts(edited) };
      record(deps, tx, actor, { action: 'member.updated', object: memberObject(edited), ...facts });
      version.answer(editableMember(edited));
      return edited;
    },
    { behavior: 'immediate' },
  );
}

/** The same with the role's name, for people. */
function presentMember(tx: Tx, member: memberRepo.MemberRow) {
  const roleName = roleRepo.findRole(tx, member.orgCode, member.roleCode)?.name ?? member.roleCode;
  return { ...editableMember(member), roleName };
}

function requireRoleChange(tx: Tx, caller: Caller, member: memberRepo.MemberRow, roleCode: string): void {
  if (member.suid === caller.suid) {
    throw new Refusal('INVALID_PERMISSIONS', { message: 'Nobody changes his own role.' });
  }
  if (roleCode === member.roleCode) return;
  requireAuthorityToGrant(tx, caller, roleCode);
  requireAnotherSuperAdmin(tx, member);
}
