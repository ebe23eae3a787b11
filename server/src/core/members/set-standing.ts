import {
  activationCodeRepo,
  challengeRepo,
  deviceRepo,
  emailChangeRepo,
  externalIdentityRepo,
  memberRepo,
  sessionRepo,
  type Tx,
} from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/actors.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { memberObject } from '../audit/objects.ts';
import { record } from '../audit/record.ts';
import { announceChallenge } from '../sign-in/announce-challenge.ts';
import { requireAnotherSuperAdmin } from './authority.ts';
import { changeStanding, type StatusAction } from './standing.ts';

/** What became of a member, and what ended with it. */
export interface StandingChange {
  suid: string;
  accountStatus: AccountStatus;
  sessions: readonly string[];
  challenges: readonly string[];
}

const RECORDED = { pause: 'member.paused', unpause: 'member.unpaused', delete: 'member.deleted' } as const;

/**
 * Disables, enables or deletes a member, whose sessions, channels and waiting requests end with it. Belongs into a writing
 * transaction; `announceStanding` belongs behind it.
 * @throws Refusal ID_DOESNOT_EXIST deleted; INVALID_PERMISSIONS the last Super Admin
 */
export function setStanding(
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
  if (action === 'delete') takeEverything(tx, member);
  record(deps, tx, actor, {
    action: RECORDED[action],
    object: memberObject(member),
    before: { accountStatus: member.accountStatus },
    after: { accountStatus: standing.accountStatus },
  });
  const mayAct = standing.accountStatus !== 'inactive' && standing.accountStatus !== 'deleted';
  const ended = mayAct ? { sessions: [], challenges: [] } : endUse(deps, tx, member);
  return { suid, accountStatus: standing.accountStatus, ...ended };
}

/** Tells whoever is connected. */
export function announceStanding(deps: Deps, { suid, sessions, challenges }: StandingChange): void {
  for (const sid of sessions) deps.bus.changed(TOPIC.session(sid));
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
}

function takeEverything(tx: Tx, { orgCode, suid }: memberRepo.MemberRow): void {
  deviceRepo.removeDevices(tx, orgCode, suid);
  activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
  emailChangeRepo.endEmailChange(tx, orgCode, suid);
  externalIdentityRepo.removeExternalIdentities(tx, orgCode, suid);
}

/** What the person has signed in ends, and what waits for his answer, or for a device of his, is called off. */
function endUse({ clock }: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow) {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { suid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { suid }, { resultCode: 'USER_INACTIVE', now }),
  };
}
