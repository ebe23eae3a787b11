import type { challengeRepo } from '@orchestrate/db';
import type { DenyReason, ResultName } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { outcomeOf } from './challenge.ts';

/** A device's answer to a request. */
export interface DeviceAnswer {
  decision: 'approve' | 'deny';
  number?: string;
  reason?: DenyReason;
}

/** New status of a challenge, with the reason for the login history. */
export type Verdict =
  | { status: 'approved'; result: null; reason: null }
  | { status: 'denied'; result: ResultName; reason: DenyReason | 'wrong-number' | 'copied-passkey' };

export const APPROVED: Verdict = { status: 'approved', result: null, reason: null };

type ChallengeFacts = Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt' | 'matchNumber'>;

/**
 * Evaluates a device's answer. If the browser displays a number, a wrong number counts as a denial.
 * @throws Refusal FAILED if the request was answered before; EXPIRED if it is expired or cancelled
 */
export function judge(
  challenge: ChallengeFacts,
  { decision, number, reason = 'cancel' }: DeviceAnswer,
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
  return APPROVED;
}
