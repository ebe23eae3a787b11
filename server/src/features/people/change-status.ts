import { activationCodeRepo, challengeRepo, deviceRepo, memberRepo, sessionRepo, type Tx } from '@orchestrate/db';
import type { AccountStatus } from '@orchestrate/shared';
import { announceChallenge } from '../../challenges/announce-challenge.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { TOPIC } from '../../live/bus.ts';
import { requireAnotherSuperAdmin, requireAuthorityOver } from '../../members/authority.ts';
import { changeStanding, type StatusAction } from './domain.ts';
import { requirePresent } from './require-present.ts';

/**
 * Disables, enables or deletes somebody else, whose sessions, channels and waiting requests end with it at once.
 * @throws Refusal ID_DOESNOT_EXIST deleted; INVALID_PERMISSIONS more powerful than the caller, or the last Super Admin
 */
export function changeStatus(
  deps: Deps,
  caller: Caller,
  { orgCode, suid }: memberRepo.MemberRow,
  action: StatusAction,
): AccountStatus {
  const { accountStatus, sessions, challenges } = deps.db.transaction(
    (tx) => {
      const member = requirePresent(tx, orgCode, suid);
      requireAuthorityOver(tx, caller, member);
      if (action !== 'unpause') requireAnotherSuperAdmin(tx, member);
      const standing = changeStanding(member, action);
      memberRepo.setAccountStatus(tx, orgCode, suid, standing);
      if (action === 'delete') takeEverything(tx, member);
      const mayAct = standing.accountStatus !== 'inactive' && standing.accountStatus !== 'deleted';
      const ended = mayAct ? { sessions: [], challenges: [] } : endUse(deps, tx, member);
      return { accountStatus: standing.accountStatus, ...ended };
    },
    { behavior: 'immediate' },
  );
  for (const sid of sessions) deps.bus.changed(TOPIC.session(sid));
  for (const id of challenges) announceChallenge(deps, { id });
  deps.bus.changed(TOPIC.member(suid));
  return accountStatus;
}

function takeEverything(tx: Tx, { orgCode, suid }: memberRepo.MemberRow): void {
  deviceRepo.removeDevices(tx, orgCode, suid);
  activationCodeRepo.voidActivationCodes(tx, orgCode, suid);
}

/** What the person has signed in ends, and what waits for his answer, or for a device of his, is called off. */
function endUse({ clock }: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow) {
  const now = clock.now();
  return {
    sessions: sessionRepo.revokeSessions(tx, orgCode, { suid }, now),
    challenges: challengeRepo.cancelChallenges(tx, orgCode, { suid }, { resultCode: 'USER_INACTIVE', now }),
  };
}
