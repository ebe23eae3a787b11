import type { memberRepo } from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';
import { requireAuthorityOver } from '../../core/members/authority.ts';
import { changeAccountStatus, publishStatusChange } from '../../core/members/change-account-status.ts';
import type { StatusAction } from '../../core/members/standing.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { requirePresent } from './require-present.ts';

/**
 * Disables, enables or deletes somebody else; this immediately ends their sessions, channels and waiting requests.
 * @throws Refusal ID_DOESNOT_EXIST deleted; INVALID_PERMISSIONS more powerful than the caller, or the last Super Admin
 */
export function changeStatus(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  action: StatusAction,
): AccountStatus {
  const change = deps.db.transaction((tx) => {
    const member = requirePresent(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    return changeAccountStatus(deps, tx, actor, member, action);
  });
  publishStatusChange(deps, change);
  return change.accountStatus;
}
