import type { challengeRepo } from '@orchestrate/db';
import { codeOf, type ResultName, visibleText } from '@orchestrate/shared';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import { normaliseTyped } from '../../core/sign-in/challenges/typed-code.ts';
import { isSameSecret } from '../../platform/adapters/is-same-secret.ts';

type RespType = 'start' | 'notify' | 'confirm' | 'complete' | 'code-expired' | 'limit-reached';

export interface PairingState {
  respType: RespType;
  resultCode: number;
  deviceName?: string;
  /** When this state ends by itself, in milliseconds since the epoch. */
  expiresAt?: number;
}

type PairingFacts = Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt' | 'pairing' | 'deviceName' | 'resultCode'>;

/** Adding a device, as the portal sees it at `now`. */
export function pairingStateOf(challenge: PairingFacts, now: number): PairingState {
  const deviceName = challenge.deviceName === null ? undefined : visibleText(challenge.deviceName);
  switch (outcomeOf(challenge, now)) {
    case 'pending':
      return { ...(challenge.pairing ? ok('notify') : ok('start')), deviceName, expiresAt: challenge.expiresAt };
    case 'approved':
      return { ...ok('complete'), deviceName };
    case 'expired':
      return EXPIRED;
    case 'denied':
    case 'cancelled':
      return { ...ended(challenge.resultCode ?? 'EXPIRED'), deviceName };
  }
}

const ok = (respType: RespType): PairingState => ({ respType, resultCode: codeOf('SUCCESS') });
const EXPIRED: PairingState = { respType: 'code-expired', resultCode: codeOf('EXPIRED') };

/** Cancelled, a wrong code, or an obstacle that came up after the device had connected. */
function ended(result: ResultName): PairingState {
  if (result === 'EXPIRED') return EXPIRED;
  const respType = result === 'DEVICE_ADD_LIMIT_REACHED' ? 'limit-reached' : 'confirm';
  return { respType, resultCode: codeOf(result) };
}

/** The person's confirmation in the portal. */
export interface Confirmation {
  confirm: 'yes' | 'no';
  validationCode?: string;
}

/**
 * The meaning of a confirmation: `early` before any device has connected, `over` where nothing waits any more. A typed
 * code has one attempt: a wrong second code ends it.
 */
export function readConfirmation(
  challenge: PairingFacts,
  { confirm, validationCode = '' }: Confirmation,
  now: number,
): 'over' | 'cancel' | 'early' | 'wrong-code' | 'register' {
  if (outcomeOf(challenge, now) !== 'pending') return 'over';
  if (confirm === 'no') return 'cancel';
  if (!challenge.pairing) return 'early';
  const { verificationCode } = challenge.pairing;
  const isRight = verificationCode === undefined || isSameSecret(normaliseTyped(validationCode), verificationCode);
  return isRight ? 'register' : 'wrong-code';
}
