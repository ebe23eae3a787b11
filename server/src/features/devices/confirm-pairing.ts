import { challengeRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { admitDevice } from '../../core/device-keys/admit-device.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import { settleDeviceRequest } from '../../core/sign-in/challenges/settle.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { type Confirmation, readConfirmation } from './pairing-state.ts';

/**
 * Takes the person's confirmation of a connected device. True if it came before any device had connected.
 * @throws Refusal EXPIRED already answered, or too late
 */
export function confirmPairing(
  deps: Deps,
  { orgCode, id, suid }: Pick<challengeRepo.ChallengeRow, 'orgCode' | 'id' | 'suid'>,
  word: Confirmation,
  actor: AuditActor,
): boolean {
  const { db, clock, bus } = deps;
  const read = db.transaction((tx) => {
    const challenge = challengeRepo.findChallenge(tx, orgCode, id);
    if (!challenge) return 'over';
    const asked = readConfirmation(challenge, word, clock.now());
    const answer = ANSWERS[asked](deps, tx, challenge, actor);
    if (answer) settleDeviceRequest(deps, tx, challenge, answer);
    return asked;
  });
  announceChallenge(deps, { id, suid });
  if (read === 'register') bus.changed(TOPIC.outbox);
  return read === 'early';
}

const ANSWERS: Record<ReturnType<typeof readConfirmation>, (...all: Parameters<typeof register>) => Answer> = {
  cancel: () => ({ status: 'cancelled', resultCode: 'ADD_DEVICE_NO_CONSENT' }),
  'wrong-code': () => ({ status: 'denied', resultCode: 'INVALID_VALIDATION_CODE' }),
  register,
  early: () => undefined,
  over: () => undefined,
};

type Answer = challengeRepo.Answer | undefined;

/** Registers the device, unless an obstacle has come up since it connected: that ends the attempt. */
function register(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, pairing, requesterIp: ip, requesterAgent: userAgent }: challengeRepo.ChallengeRow,
  actor: AuditActor,
): Answer {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  const member = memberRepo.findMember(tx, orgCode, suid ?? '');
  if (!organisation || !member || !pairing) return undefined;
  const { device, publicKey, thumbprint } = pairing;
  const added = { organisation, member, device, publicKey, thumbprint };
  const occasion = { actor, action: 'device.registered' as const, isOwn: true, requester: { ip, userAgent } };
  const admitted = admitDevice(deps, tx, added, occasion);
  if ('obstacle' in admitted) return { status: 'denied', resultCode: admitted.obstacle };
  return { status: 'approved', resultCode: null, zid: admitted.zid };
}
