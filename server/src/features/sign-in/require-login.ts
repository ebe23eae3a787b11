import { challengeRepo } from '@orchestrate/db';
import { isSignIn } from '#core/sign-in/login-policy.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

/** Returns a sign-in by its id, which only its browser knows. @throws Refusal ID_DOESNOT_EXIST */
export function requireLogin({ db }: Deps, loginId: string): challengeRepo.ChallengeRow {
  const found = challengeRepo.findChallengeBySecretId(db, loginId);
  if (!found || !isSignIn(found)) throw new Refusal('ID_DOESNOT_EXIST');
  return found;
}
