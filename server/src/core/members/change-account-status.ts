import {
  activationCodeRepo,
  challengeRepo,
  deviceRepo,
  emailChangeRepo,
  externalIdentityRepo,
  groupRepo,
  invitationRepo,
  memberRepo,
  roleRepo,
  sessionRepo,
  type Tx,
} from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { memberObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import { announceChallenge } from '../sign-in/challenges/challenge.ts';
import { publishEndedSessions } from '../sign-in/sessions.ts';
import { nextAccountStatus, type StatusAction } from './account-status.ts';
import { requireAnotherSuperAdmin } from './authority.ts';

/** The new account status of a member, with the IDs of sessions and challenges that ended as a result. */
export interface StatusChange {
  suid: string;
  accountStatus: AccountStatus;
  sessions: readonly string[];
  challenges: readonly string[];
}

const RECORDED = { pause: 'member.paused', unpause: 'member.unpaused', delete: 'member.deleted' } as const;

/**
 * Disables, enables or deletes a member. Disabling and deleting end the member's sessions, channels and pending
 * requests. Call it in a writing transaction, and `publishStatusChange` after the commit.
 * @throws Refusal as `nextAccountStatus`; INVALID_PERMISSIONS for the last Super Admin
 */
export function changeAccountStatus(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  member: memberRepo.MemberRow,
  action: StatusAction,
): StatusChange {
  const { orgCode, suid } = member;
  const status = nextAccountStatus(member, action);
  if (action !== 'unpause') requireAnotherSuperAdmin(tx, member);
  memberRepo.setAccountStatus(tx, orgCode, suid, status);
  if (action === 'delete') {
    takeEverything(tx, member, deps.clock.now());
    roleRepo.touchRoles(tx, orgCode, [member.roleCode], deps.clock.now());
  }
  record(deps, tx, actor, {
    action: RECORDED[action],
    object: memberObject(member),
    before: { accountStatus: member.accountStatus },
    after: { accountStatus: status.accountStatus },
  });
  // Leave the groups after recording the change, because the recorded events include the member's groups.
  if (action === 'delete') groupRepo.leaveAllGroups(tx, orgCode, suid, deps.clock.now());
  const mayAct = status.accountStatus !== 'inactive' && status.accountStatus !== 'deleted';
  const ended = mayAct ? { sessions: [], challenges: [] } : endUse(deps, tx, member);
  return { suid, accountStatus: status.accountStatus, ...ended };
}

/** Notifies connected clients of a status change. */
export function publishStatusChange(deps: Deps, { suid, sessions, challenges }: StatusChange): void {
  publishEndedSessions(deps, sessions);
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}

function takeEverything(tx: Tx, { orgCode, suid }: memberRepo.MemberRow, now: number): void {
  deviceRepo.removeDevices(tx, orgCode, suid, now);
  activationCodeRepo.revokeActivationCodes(tx, orgCode, suid);
  invitationRepo.dropInvitations(tx, orgCode, suid);
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
  externalIdentityRepo.removeExternalIdentities(tx, orgCode, suid);
}

/** Ends the member's sessions, and cancels challenges waiting for the member or one of their devices. */
function endUse({ clock }: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow) {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { suid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { suid }, { resultCode: 'USER_INACTIVE', now }),
  };
}
