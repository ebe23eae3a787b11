import { challengeRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { addDeviceLive, codeOf, type ResultName, visibleText } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { admitDevice } from '#core/device-keys/admit-device.ts';
import { confirmationOf } from '#core/device-keys/confirm-device.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { normaliseTyped, readTypedCode } from '#core/sign-in/challenges/codes.ts';
import { settleDeviceRequest } from '#core/sign-in/challenges/settle.ts';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { type AuditActor, memberActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

type RespType = 'start' | 'notify' | 'confirm' | 'complete' | 'code-expired' | 'limit-reached';

interface PairingState {
  respType: RespType;
  resultCode: number;
  deviceName?: string;
  /** Expiry of this state, in milliseconds since the epoch. */
  expiresAt?: number;
}

type PairingFacts = Pick<challengeRepo.ChallengeRow, 'status' | 'expiresAt' | 'pairing' | 'deviceName' | 'resultCode'>;

/** Returns the add-device state that the portal displays at `now`. */
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

/** Returns the state after a cancellation, a wrong code, or an obstacle that arose after the device connected. */
function ended(result: ResultName): PairingState {
  if (result === 'EXPIRED') return EXPIRED;
  const respType = result === 'DEVICE_ADD_LIMIT_REACHED' ? 'limit-reached' : 'confirm';
  return { respType, resultCode: codeOf(result) };
}

/** The member's confirmation in the portal. */
interface Confirmation {
  confirm: 'yes' | 'no';
  validationCode?: string;
}

/**
 * Determines what a confirmation does: `early` before any device has connected, `over` once nothing is pending. A
 * wrong second code ends the attempt.
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

/**
 * Records the member's confirmation of a connected device. Returns true if no device had connected yet.
 * @throws Refusal EXPIRED if the request was already answered or has expired
 */
function confirmPairing(
  deps: Deps,
  { orgCode, id, suid }: Pick<challengeRepo.ChallengeRow, 'orgCode' | 'id' | 'suid'>,
  word: Confirmation,
  actor: AuditActor,
): boolean {
  const { db, clock, bus } = deps;
  const read = db.transaction((tx) => {
    const challenge = challengeRepo.findChallenge(tx, orgCode, id);
    if (!challenge) return 'over';
    const confirmation = readConfirmation(challenge, word, clock.now());
    const answer = ANSWERS[confirmation](deps, tx, challenge, actor);
    if (answer) settleDeviceRequest(deps, tx, challenge, answer);
    return confirmation;
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

type Answer = challengeRepo.ChallengeAnswer | undefined;

/** Registers the device. If an obstacle has arisen since the device connected, ends the attempt instead. */
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

/** Serves the portal the progress of adding a device, and accepts the member's confirmation. */
export function serveAddDevice(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, addDeviceLive, {
    open({ caller, ip, query }) {
      const { orgCode, suid } = caller;
      const opened = findByAid(deps, orgCode, query.aid);
      const isOwn = query.suid === suid && opened?.suid === suid;
      if (!isOwn || opened.kind !== 'add-device') throw new Refusal('ID_DOESNOT_EXIST');
      let isEarly = false;
      return {
        topics: [TOPIC.challenge(opened.id)],
        state: () => liveState(deps, opened, isEarly),
        onMessage({ aid, confirm, validationCode }) {
          if (aid !== query.aid)
            throw new Refusal('ID_DOESNOT_EXIST', { message: 'aid: This channel is for another code.' });
          isEarly = confirmPairing(deps, opened, { confirm, validationCode }, memberActor(caller, ip));
        },
      };
    },
  });
}

function findByAid({ db }: Deps, orgCode: string, aid: string): challengeRepo.ChallengeRow | undefined {
  const typed = readTypedCode(aid);
  return typed === null
    ? challengeRepo.findChallengeByQid(db, orgCode, aid)
    : challengeRepo.findChallengeByDid(db, orgCode, typed);
}

/**
 * Returns the channel's current message and when it expires.
 * @param isEarly true if the member's last confirmation came before any device had connected; reported until one
 * connects
 */
function liveState(deps: Deps, { orgCode, id }: challengeRepo.ChallengeRow, isEarly: boolean) {
  const { db, clock } = deps;
  const challenge = challengeRepo.findChallenge(db, orgCode, id);
  if (!challenge) throw new Refusal('ID_DOESNOT_EXIST');
  const { expiresAt, ...state } = pairingStateOf(challenge, clock.now());
  const hasNotStarted = isEarly && state.respType === 'start';
  return {
    message: {
      op: 'add-device' as const,
      ...state,
      ...(hasNotStarted && { resultCode: codeOf('VCODE_NOT_FOUND') }),
      ...(expiresAt !== undefined && { expiresAt: isoOf(expiresAt) }),
      ...(state.respType === 'complete' &&
        challenge.zid !== null && {
          confirmation: confirmationOf(deps, deps.db, { orgCode, zid: challenge.zid }),
        }),
    },
    expiresAt,
  };
}
