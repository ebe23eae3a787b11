import { memberRepo, provisioningRepo, type Tx } from '@orchestrate/db';
import type { EditDetailsForm } from '@orchestrate/shared';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireDeviceToManage } from '#core/device-keys/require-bound-device.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
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
import { requireExistingMember } from './email-change.ts';

type Details = memberRepo.MemberDirectoryData;

const detailsIn = ({
  primaryAttr,
  mobileNumber,
  managerSuid,
  hasPermissionForMobileApp,
  hasPermissionForWindowsApp,
}: memberRepo.MemberRow): Details => ({
  primaryAttr,
  mobileNumber,
  managerSuid,
  hasPermissionForMobileApp,
  hasPermissionForWindowsApp,
});

/** Returns true if a directory has provisioned the member and therefore owns some fields. */
const isProvisioned = ({ provisionedAt }: memberRepo.MemberRow): boolean => provisionedAt !== null;

/** Returns a member's details, to display to members who can edit them. */
export function detailsOf({ db }: Deps, member: memberRepo.MemberRow) {
  const { orgCode, mobileNumber, managerSuid } = member;
  const manager = managerSuid === null ? undefined : memberRepo.findMember(db, orgCode, managerSuid);
  return {
    mobileNumber: mobileNumber ?? '',
    managerSuid: manager && manager.accountStatus !== 'deleted' ? managerSuid : null,
    isProvisioned: isProvisioned(member),
  };
}

/**
 * Changes the fields present in the request. Fields owned by the member's directory can't change.
 * @throws Refusal on the invalid field: INVALID_REQUEST if the directory owns the field, or the member would be their
 * own manager; USER_EXISTS; INVALID_MOBILE_NUMBER, PHONE_ALREADY_EXISTS; ID_DOESNOT_EXIST if there is no such
 * manager, or the member is deleted; INVALID_PERMISSIONS if the member has more permissions;
 * AUTHENTICATION_INCOMPLETE as in `requireDeviceToManage`
 */
export function editDetails(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  form: EditDetailsForm,
): memberRepo.MemberRow {
  const edited = deps.db.transaction((tx) => {
    const member = requireExistingMember(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    requireDeviceToManage(deps, tx, caller, member);
    const before = detailsIn(member);
    const after = { ...before, ...changesOf(tx, member, form) };
    memberRepo.editDetails(tx, orgCode, suid, after);
    if (after.managerSuid !== null && after.managerSuid !== before.managerSuid) {
      provisioningRepo.markAsManager(tx, orgCode, after.managerSuid);
    }
    record(deps, tx, actor, {
      action: 'member.updated',
      object: memberObject(member),
      before: { ...before },
      after: { ...after },
    });
    return { ...member, ...after };
  });
  deps.bus.changed(TOPIC.member(suid));
  return edited;
}

function changesOf(tx: Tx, member: memberRepo.MemberRow, form: EditDetailsForm): Partial<Details> {
  const { orgCode, suid } = member;
  const { newPrimaryAttr, mobileNumber: typed, managerSuid, ...apps } = form;
  const changes: Partial<Details> = apps;
  const own = (path: string) => {
    if (isProvisioned(member))
      refuseField('INVALID_REQUEST', path, 'Your directory manages this field. Change it there.');
  };
  if (newPrimaryAttr !== undefined && newPrimaryAttr !== member.primaryAttr) {
    own('newPrimaryAttr');
    requireFreePrimaryAttr(tx, orgCode, newPrimaryAttr, 'newPrimaryAttr');
    changes.primaryAttr = newPrimaryAttr;
  }
  if (typed !== undefined) {
    const mobileNumber = requireMobileNumber(tx, member, typed);
    if (mobileNumber !== member.mobileNumber) own('mobileNumber');
    changes.mobileNumber = mobileNumber;
  }
  if (managerSuid !== undefined && managerSuid !== member.managerSuid) {
    own('managerSuid');
    if (managerSuid === suid) refuseField('INVALID_REQUEST', 'managerSuid', 'Choose another member as the manager.');
    if (managerSuid !== null) requireManager(tx, orgCode, managerSuid);
    changes.managerSuid = managerSuid;
  }
  return changes;
}
