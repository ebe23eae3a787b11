import { memberRepo, organisationRepo, provisioningRepo, type Tx } from '@orchestrate/db';
import type { AddUserForm, AppType } from '@orchestrate/shared';
import { memberFacts, memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { appPermissionObstacle, appSwitchObstacle } from '#core/device-keys/device-admission.ts';
import { requireDeviceToManage } from '#core/device-keys/require-bound-device.ts';
import { requireAllowedDomain } from '#core/members/allowed-domain.ts';
import { requireAuthorityToGrant } from '#core/members/authority.ts';
import {
  refuseField,
  requireFreePrimaryAttr,
  requireManager,
  requireMobileNumber,
} from '#core/members/member-details.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { createInvites, writeInvitations } from './invite-batch.ts';

type Organisation = organisationRepo.OrganisationRow;

const USUAL_ROLE = 'USER';

/**
 * Adds one person, and emails them an invitation if requested, in one transaction.
 * @throws Refusal on the invalid field: EMAIL_EXISTS, INVALID_DOMAIN; USER_EXISTS if the primary attribute is taken;
 * INVALID_MOBILE_NUMBER, PHONE_ALREADY_EXISTS; ID_DOESNOT_EXIST if there is no such role or manager;
 * INVALID_PERMISSIONS if the inviting member may not grant the role; AUTHENTICATION_INCOMPLETE as in
 * `requireDeviceToManage`; MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED, AUTHENTICATOR_DISALLOWED if the person
 * may not use the app they are invited to
 */
export function addUser(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  form: AddUserForm,
): memberRepo.MemberRow {
  const { invite } = form;
  const added = deps.db.transaction((tx) => {
    const organisation = organisationRepo.requireOrganisation(tx, caller.orgCode);
    const member = enter(deps, tx, { caller, actor, organisation }, form);
    if (!invite) return member;
    inviteAdded(deps, tx, { actor, organisation, member }, invite);
    return { ...member, accountStatus: 'invited' as const };
  });
  if (invite) deps.bus.changed(TOPIC.outbox);
  return added;
}

interface Entry {
  caller: Caller;
  actor: AuditActor;
  organisation: Organisation;
}

function enter(
  deps: Deps,
  tx: Tx,
  { caller, actor, organisation }: Entry,
  { roles: roleCode = USUAL_ROLE, invite: _invite, mobileNumber: typed, managerSuid, ...form }: AddUserForm,
): memberRepo.MemberRow {
  const { orgCode } = organisation;
  const suid = deps.random.id();
  requireGrantable(deps, tx, caller, roleCode);
  requireAllowedDomain(form.primaryEmail, organisation, 'primaryEmail');
  if (memberRepo.findMemberByEmail(tx, orgCode, form.primaryEmail)) refuseField('EMAIL_EXISTS', 'primaryEmail');
  requireFreePrimaryAttr(tx, orgCode, form.primaryAttr, 'primaryAttr');
  const mobileNumber = requireMobileNumber(tx, { orgCode, suid }, typed);
  if (managerSuid !== undefined) requireManager(tx, orgCode, managerSuid);
  memberRepo.insertMember(tx, {
    ...form,
    suid,
    orgCode,
    roleCode,
    mobileNumber,
    managerSuid: managerSuid ?? null,
    accountStatus: 'unregistered',
    createdAt: deps.clock.now(),
    emailVerifiedAt: null,
  });
  if (managerSuid !== undefined) provisioningRepo.markAsManager(tx, orgCode, managerSuid);
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member) throw new Error(`Expected the new member ${suid}, found none.`);
  const { primaryAttr, hasPermissionForMobileApp, hasPermissionForWindowsApp } = member;
  const apps = { hasPermissionForMobileApp, hasPermissionForWindowsApp };
  const after = { ...memberFacts(member), primaryAttr, mobileNumber, managerSuid: member.managerSuid, ...apps };
  record(deps, tx, actor, { action: 'member.created', object: memberObject(member), after });
  return member;
}

/** The invite permission alone covers ordinary users. Any other role also requires the permission to edit users. */
function requireGrantable(deps: Deps, tx: Tx, caller: Caller, roleCode: string): void {
  if (roleCode === USUAL_ROLE) return;
  if (!caller.permissions.includes('UPDATE_USER')) {
    refuseField(
      'INVALID_PERMISSIONS',
      'roles',
      'To assign a role other than Org User, you need the permission to edit users.',
    );
  }
  requireAuthorityToGrant(tx, caller, roleCode);
  requireDeviceToManage(deps, tx, caller, { roleCode });
}

function inviteAdded(
  deps: Deps,
  tx: Tx,
  { actor, organisation, member }: { actor: AuditActor; organisation: Organisation; member: memberRepo.MemberRow },
  type: AppType,
): void {
  const obstacle = appPermissionObstacle(type, member) ?? appSwitchObstacle(type, organisation);
  if (obstacle) refuseField(obstacle, 'invite');
  const { suid, firstName, language, primaryEmail: email } = member;
  const invitee = { suid, firstName, language, email, needsCode: true, needsMail: true };
  writeInvitations(deps, tx, createInvites(deps, { organisation, type, invitedBy: actor.suid }, [invitee]));
  const after = { primaryEmail: email, type, mailed: true, isNew: true };
  record(deps, tx, actor, { action: 'member.invited', object: memberObject(member), after });
}
