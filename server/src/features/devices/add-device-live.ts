import { challengeRepo } from '@orchestrate/db';
import { addDeviceLive, codeOf } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { confirmationOf } from '../../core/device-keys/confirm-device.ts';
import { readTypedCode } from '../../core/sign-in/challenges/typed-code.ts';
import type { Deps } from '../../deps.ts';
import { memberActor } from '../../platform/http/callers/actors.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { Refusal } from '../../platform/refusal.ts';
import { confirmPairing } from './confirm-pairing.ts';
import { pairingStateOf } from './pairing-state.ts';

/** Shows the portal the progress of adding a device, and takes the person's confirmation. */
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
 * @param isEarly whether this person's last confirmation came before any device had connected; reported until one has.
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
