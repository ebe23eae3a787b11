import { challengeRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import type { ResultName } from '@orchestrate/shared';
import { deviceObstacle } from '../../core/device-keys/device-admission.ts';
import { registerDevice } from '../../core/device-keys/register-device.ts';
import { announceChallenge } from '../../core/sign-in/announce-challenge.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/actors.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { type Confirmation, readConfirmation } from './pairing-state.ts';

/** Takes the person's confirmation of a connected device. True if it came before any device had connected. */
export function confirmPairing(
  deps: Deps,
  { orgCode, id, suid }: Pick<challengeRepo.ChallengeRow, 'orgCode' | 'id' | 'suid'>,
  word: Confirmation,
  actor: AuditActor,
): boolean {
  const { db, clock, bus } = deps;
  const read = db.transaction(
    (tx) => {
      const challenge = challengeRepo.findChallenge(tx, orgCode, id);
      if (!challenge) return 'over';
      const asked = readConfirmation(challenge, word, clock.now());
      if (asked === 'cancel') end(deps, tx, challenge, { status: 'cancelled', resultCode: 'ADD_DEVICE_NO_CONSENT' });
      if (asked === 'wrong-code') end(deps, tx, challenge, { status: 'denied', resultCode: 'INVALID_VALIDATION_CODE' });
      if (asked === 'register') register(deps, tx, challenge, actor);
      return asked;
    },
    { behavior: 'immediate' },
  );
  announceChallenge(deps, { id, suid });
  if (read === 'register') bus.changed(TOPIC.outbox);
  return read === 'early';
}

interface Ending {
  status: 'denied' | 'cancelled';
  resultCode: ResultName;
}

function end({ clock }: Deps, tx: Tx, { orgCode, id }: challengeRepo.ChallengeRow, ending: Ending): void {
  challengeRepo.answerChallenge(tx, orgCode, id, ending, clock.now());
}

/** Registers the device, unless an obstacle has come up since it connected: that ends the attempt. */
function register(deps: Deps, tx: Tx, challenge: challengeRepo.ChallengeRow, actor: AuditActor): void {
  const { orgCode, id, suid, pairing } = challenge;
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  const member = memberRepo.findMember(tx, orgCode, suid ?? '');
  if (!organisation || !member || !pairing) return;
  const { device, publicKey, thumbprint } = pairing;
  const obstacle = deviceObstacle(tx, { organisation, member, type: device.type, thumbprint });
  if (obstacle) {
    end(deps, tx, challenge, { status: 'denied', resultCode: obstacle });
    return;
  }
  const zid = deps.random.id();
  const approval = { status: 'approved' as const, resultCode: null, zid };
  if (!challengeRepo.answerChallenge(tx, orgCode, id, approval, deps.clock.now())) return;
  const registration = { zid, organisation, member, device, publicKey, thumbprint };
  registerDevice(deps, tx, registration, { actor, action: 'device.registered' });
}
