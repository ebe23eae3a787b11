import { challengeRepo, memberRepo } from '@orchestrate/db';
import { codeOf, type ServerMessage, type verbalLive } from '@orchestrate/shared';
import { outcomeOf } from '../../challenges/challenge-outcome.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';

type VerbalMessage = Omit<ServerMessage<typeof verbalLive>, 'op' | 'timestamp' | 'expiresAt'>;

/** The request behind an `epoch`. @throws Refusal ID_DOESNOT_EXIST where the organisation has none. */
export function requireVerbal({ db }: Deps, orgCode: string, epoch: string): challengeRepo.ChallengeRow {
  const found = challengeRepo.findChallenge(db, orgCode, epoch);
  if (found?.kind !== 'verbal') throw new Refusal('ID_DOESNOT_EXIST');
  return found;
}

/** How far the caller has come, as whoever asked sees it. Who he is stays unsaid until he has consented. */
export function verbalStateOf(deps: Deps, verbal: challengeRepo.ChallengeRow): VerbalMessage {
  switch (outcomeOf(verbal, deps.clock.now())) {
    case 'pending':
      return { state: verbal.resolvedAt === null ? 'init' : 'pending', resultCode: codeOf('SUCCESS') };
    case 'approved':
      return { state: 'success', resultCode: codeOf('SUCCESS'), caller: callerOf(deps, verbal) };
    case 'denied':
      return { state: 'denied', resultCode: codeOf('LOGIN_NO_CONSENT') };
    case 'cancelled':
    case 'expired':
      return { state: 'expired', resultCode: codeOf('EXPIRED') };
  }
}

function callerOf({ db }: Deps, { orgCode, suid, deviceName }: challengeRepo.ChallengeRow) {
  const member = suid === null ? undefined : memberRepo.findMember(db, orgCode, suid);
  if (!member) throw new Refusal('ID_DOESNOT_EXIST');
  return {
    fullName: `${member.firstName} ${member.lastName}`,
    email: member.primaryEmail,
    primaryAttr: member.primaryAttr,
    suid: member.suid,
    deviceName: deviceName ?? '',
  };
}
