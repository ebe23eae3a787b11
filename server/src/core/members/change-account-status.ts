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
import { announceEnded } from '../sign-in/sessions.ts';
import { requireAnotherSuperAdmin } from './authority.ts';
import { changeStanding, type StatusAction } from './standing.ts';

/** What happened to a member, and what ended as a result. */
export interface StandingChange {
  suid: string;
  accountStatus: AccountStatus;
  sessions: readonly string[];
  challenges: readonly string[];
}

const RECORDED = { pause: 'member.paused', unpause: 'member.unpaused', delete: 'member.deleted' } as const;

/**
 * Disables, enables or deletes a member; this ends their sessions, channels and waiting requests. Call it inside a
 * writing transaction, and `publishStatusChange` after it.
 * @throws Refusal ID_DOESNOT_EXIST deleted; USER_NOT_REGISTERED_FOR_ORG; INVALID_PERMISSIONS the last Super Admin
 */
export function changeAccountStatus(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  member: memberRepo.MemberRow,
  action: StatusAction,
): StandingChange {
  const { orgCode, suid } = member;
  const standing = changeStanding(member, action);
  if (action !== 'unpause') requireAnotherSuperAdmin(tx, member);
  memberRepo.setAccountStatus(tx, orgCode, suid, standing);
  if (action === 'delete') {
    takeEverything(tx, member, deps.clock.now());
    roleRepo.touchRoles(tx, orgCode, [member.roleCode], deps.clock.now());
  }
  record(deps, tx, actor, {
    action: RECORDED[action],
    object: memberObject(member),
    before: { accountStatus: member.accountStatus },
    after: { accountStatus: standing.accountStatus },
  });
  // After it is recorded: events about the groups still need to name their members.
  if (action === 'delete') groupRepo.leaveAllGroups(tx, orgCode, suid, deps.clock.now());
  const mayAct = standing.accountStatus !== 'inactive' && standing.accountStatus !== 'deleted';
  const ended = mayAct ? { sessions: [], challenges: [] } : endUse(deps, tx, member);
  return { suid, accountStatus: standing.accountStatus, ...ended };
}

/** Notifies connected clients. */
export function publishStatusChange(deps: Deps, { suid, sessions, challenges }: StandingChange): void {
  announceEnded(deps, sessions);
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}

function takeEverything(tx: Tx, { orgCode, suid }: memberRepo.MemberRow, now: number): void {
  deviceRepo.removeDevices(tx, orgCode, suid, now);
  activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
  invitationRepo.dropInvitations(tx, orgCode, suid);
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
  externalIdentityRepo.removeExternalIdentities(tx, orgCode, suid);
}

/** Ends the sessions of the person, and cancels what waits for their answer or for one of their devices. */
function endUse({ clock }: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow) {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { suid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { suid }, { resultCode: 'USER_INACTIVE', now }),
  };
}
