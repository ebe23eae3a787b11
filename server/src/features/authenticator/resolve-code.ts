import { challengeRepo } from '@orchestrate/db';
import { appSwitchObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import { countFailure, requireRoom } from '../../core/sign-in/budgets.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import { settleDeviceRequest } from '../../core/sign-in/challenges/settle.ts';
import { readTypedCode } from '../../core/sign-in/challenges/typed-code.ts';
import {
  isSignIn,
  type LoginPolicy,
  policyOfSignIn,
  requireSignInMethod,
  WAY_OF,
} from '../../core/sign-in/login-policy.ts';
import { requireConfirmed } from '../../core/sign-in/new-devices.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProvenDevice } from './device-proof.ts';
import { type AnswerableChallenge, isAnswerable } from './pending-challenge.ts';

/**
 * Opens the request behind a scanned or typed code for this device; the first device keeps it. For a device test, this
 * completes it.
 * @throws Refusal BAD_REQUEST (HTTP 429) where this device has typed too many codes that nobody was given;
 * AUTHENTICATOR_DISALLOWED; DID_NOT_ENABLED; DESKTOP_DOES_NOT_SUPPORT_DID; EXPIRED for a code that is unknown, of
 * another organisation, used, expired, or opened by another device; AUTHENTICATION_INCOMPLETE for a new device, where the
 * code verifies a caller
 */
export function resolveCode(deps: Deps, proven: ProvenDevice, code: string): AnswerableChallenge {
  const { device, organisation } = proven;
  requireNone(appSwitchObstacle(device.type, organisation));
  const typed = readTypedCode(code);
  if (typed !== null && !organisation.didEnabled) throw new Refusal('DID_NOT_ENABLED');
  const { orgCode } = organisation;
  const now = deps.clock.now();
  const trier = { orgCode, kind: 'typed-code' as const, subject: device.zid };
  if (typed !== null) requireRoom(deps, deps.db, trier);
  const found =
    typed === null
      ? challengeRepo.findChallengeByQid(deps.db, orgCode, code)
      : challengeRepo.findChallengeByDid(deps.db, orgCode, typed);
  if (!found && typed !== null) countFailure(deps, deps.db, trier);
  if (!found || !isAnswerable(found) || outcomeOf(found, now) !== 'pending') throw new Refusal('EXPIRED');
  if (isSignIn(found)) requireAllowedWay(proven, policyOfSignIn(deps.db, organisation, found), typed !== null);
  // The person at the other end of a call takes the consent as proof of who it is.
  if (found.kind === 'verbal') requireConfirmed(device, now);
  const opened = found.kind === 'test' ? completeTest(deps, proven, found) : open(deps, proven, found);
  if (!opened || !isAnswerable(opened)) throw new Refusal('EXPIRED');
  announceChallenge(deps, opened);
  return opened;
}

/** Checks that the organisation and the application allow this way, and that no typed code is used on a computer. */
function requireAllowedWay({ device }: ProvenDevice, policy: LoginPolicy, isTyped: boolean): void {
  requireSignInMethod(policy, WAY_OF[device.type]);
  if (isTyped) requireSignInMethod(policy, 'didEnabled');
  if (isTyped && device.type === 'desktop') throw new Refusal('DESKTOP_DOES_NOT_SUPPORT_DID');
}

function open({ db, clock }: Deps, { device }: ProvenDevice, { orgCode, id }: AnswerableChallenge) {
  const { suid, zid, name } = device;
  return challengeRepo.claimChallengeForDevice(db, orgCode, id, { suid, zid, deviceName: name }, clock.now());
}

/** Any device of the organisation can complete a test, even if it belongs to someone else. */
function completeTest(deps: Deps, { device: { zid, name } }: ProvenDevice, test: AnswerableChallenge) {
  return settleDeviceRequest(deps, deps.db, test, { status: 'approved', resultCode: null, zid, deviceName: name });
}
