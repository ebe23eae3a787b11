import { contract, deviceClaims, resolveClaims, respondClaims } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { news } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { activateDevice } from './activate-device.ts';
import { deviceProfile } from './device-profile.ts';
import { requireDevice } from './device-proof.ts';
import { serveWaitingChallenges } from './live.ts';
import { pairDevice } from './pair-device.ts';
import { pairProgress } from './pair-status.ts';
import { pendingChallengeOf } from './pending-challenge.ts';
import { resolveCode } from './resolve-code.ts';
import { respondToChallenge } from './respond-to-challenge.ts';
import { waitingFor } from './waiting-challenges.ts';

/** The authenticator's endpoints (contract §14): every call is proven by a device's signature. */
export function authenticator(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.activate, ({ body, actor, userAgent }) => {
    const activated = activateDevice(deps, body, actor, userAgent);
    const { zid, organisation, member, confirmation } = activated;
    const profile = deviceProfile(deps, activated);
    return { zid, suid: member.suid, orgName: organisation.name, profile, confirmation };
  });

  implement(app, deps, contract.pair, ({ body }) => {
    const { pairing, orgName, expiresAt } = pairDevice(deps, body);
    const { pairingId, verificationCode } = pairing;
    return { pairingId, orgName, verificationCode, expiresAt: isoOf(expiresAt) };
  });

  implement(app, deps, contract.pairStatus, ({ body }) => pairProgress(deps, body));

  implement(app, deps, contract.resolve, ({ body }) => {
    const proven = requireDevice(deps, body, resolveClaims);
    const opened = resolveCode(deps, proven, proven.claims.code);
    const challenge = pendingChallengeOf(opened, proven.organisation);
    return opened.kind === 'test' ? news('TEST_DEVICE_SUCCESS', { challenge }) : { challenge };
  });

  implement(app, deps, contract.respond, ({ body, actor }) => {
    const proven = requireDevice(deps, body, respondClaims);
    return respondToChallenge(deps, proven, proven.claims, actor);
  });

  implement(app, deps, contract.pending, ({ body }) => {
    const proven = requireDevice(deps, body, deviceClaims);
    return { challenges: waitingFor(deps, proven).map((row) => pendingChallengeOf(row, proven.organisation)) };
  });

  serveWaitingChallenges(app, deps);
}
