import { challengeRepo, deviceRepo } from '@orchestrate/db';
import { type CodeKind, codeOf, fullNameOf, SECOND, testDeviceLive } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { outcomeOf } from '../../core/sign-in/challenges/challenge-outcome.ts';
import type { Deps } from '../../deps.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { Refusal } from '../../platform/refusal.ts';
import { beginTest } from './begin-test.ts';

/** Shows the portal the progress of a device test; a message asks for the other code, or for fresh ones. */
export function serveTestDevice(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, testDeviceLive, {
    open({ caller: { orgCode, suid, member }, query: { qid }, ip, userAgent }) {
      const found = challengeRepo.findChallengeByQid(deps.db, orgCode, qid);
      if (found?.kind !== 'test' || found.suid !== suid) throw new Refusal('ID_DOESNOT_EXIST');
      const requester = { ip, userAgent, fullName: fullNameOf(member) };
      let shown: CodeKind = 'QID';
      let test = { orgCode, id: found.id };
      return {
        // The person's topic, not the challenge's: the challenge may be replaced while the channel continues.
        topics: [TOPIC.member(suid)],
        state: () => liveState(deps, test, shown),
        onMessage({ op, org }) {
          if (org !== orgCode) throw new Refusal('ID_DOESNOT_EXIST', { message: 'org: Not your organisation.' });
          shown = op;
          if (outcomeOf(requireTest(deps, test), deps.clock.now()) === 'expired') {
            test = { orgCode, id: beginTest(deps, { orgCode, suid, requester }).id };
          }
        },
      };
    },
  });
}

function requireTest({ db }: Deps, { orgCode, id }: { orgCode: string; id: string }): challengeRepo.ChallengeRow {
  const test = challengeRepo.findChallenge(db, orgCode, id);
  if (!test) throw new Refusal('ID_DOESNOT_EXIST');
  return test;
}

function liveState(deps: Deps, named: { orgCode: string; id: string }, op: CodeKind) {
  const now = deps.clock.now();
  const test = requireTest(deps, named);
  const outcome = outcomeOf(test, now);
  if (outcome === 'approved') return { message: doneMessage(deps, test) };
  if (outcome !== 'pending') return { message: { op, resultCode: codeOf('EXPIRED') } };
  const value = (op === 'QID' ? test.qid : test.did) ?? undefined;
  const idTimeout = Math.ceil((test.expiresAt - now) / SECOND);
  return { message: { op, value, idTimeout, resultCode: codeOf('SUCCESS') }, expiresAt: test.expiresAt };
}

function doneMessage({ db }: Deps, { orgCode, zid }: challengeRepo.ChallengeRow) {
  const device = deviceRepo.findDevice(db, orgCode, zid ?? '');
  if (!device) throw new Refusal('ID_DOESNOT_EXIST');
  const { name, nickName, type, registeredAt } = device;
  const value = { device: { name, nickName, type, registeredDate: isoOf(registeredAt) } };
  return { op: 'test' as const, resultCode: codeOf('TEST_DEVICE_SUCCESS'), value };
}
