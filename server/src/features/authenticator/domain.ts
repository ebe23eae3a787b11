import type { challengeRepo } from '@orchestrate/db';
import type { DenyReason, ResultName } from '@orchestrate/shared';
import { outcomeOf } from '../../core/sign-in/challenge-outcome.ts';
import { Refusal } from '../../platform/refusal.ts';

/** A device's answer to a request. */
export interface Response {
  decision: 'approve' | 'deny';
  number?: string;
  reason?: DenyReason;
}

/** What the answer makes of the request, and what the sign-in history says. */
export type Verdict =
  | { status: 'approved'; result: null; reason: null }
  | { status: 'denied'; result: ResultName; reason: DenyReason | 'wrong-number' };

type ChallengeFacts = Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt' | 'matchNumber'>;

/**
 * A request is answered once, and one whose browser shows a number only with that number: a wrong one is a denial.
 * @throws Refusal 7 answered before; 10 expired or called off
 */
export function judge(
  challenge: ChallengeFacts,
  { decision, number, reason = 'cancel' }: Response,
  now: number,
): Verdict {
  const outcome = outcomeOf(challenge, now);
  if (outcome === 'approved' || outcome === 'denied') {
    throw new Refusal('FAILED', { message: 'This request has already been answered.' });
  }
  if (outcome !== 'pending') throw new Refusal('EXPIRED');
  if (decision === 'deny') return { status: 'denied', result: 'LOGIN_NO_CONSENT', reason };
  if (challenge.matchNumber !== null && number !== challenge.matchNumber) {
    return { status: 'denied', result: 'INVALID_VALIDATION_CODE', reason: 'wrong-number' };
  }
  return { status: 'approved', result: null, reason: null };
}
