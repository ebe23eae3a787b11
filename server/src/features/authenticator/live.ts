import { authenticatorLive, deviceClaims } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { type ProvenDevice, requireActingDevice, requireDevice } from './device-proof.ts';
import { pendingChallengeOf } from './pending-challenge.ts';
import { waitingFor } from './waiting-challenges.ts';

/** Shows a device what waits for its person, until the device or its person may no longer act. */
export function serveWaitingChallenges(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, authenticatorLive, {
    open({ first }) {
      const { device } = requireDevice(deps, first, deviceClaims);
      return {
        topics: [TOPIC.member(device.suid)],
        state: () => waitingState(deps, requireActingDevice(deps, device)),
      };
    },
  });
}

function waitingState(deps: Deps, proven: ProvenDevice) {
  const waiting = waitingFor(deps, proven);
  return {
    message: {
      op: 'challenges' as const,
      challenges: waiting.map((row) => pendingChallengeOf(row, proven.organisation)),
    },
    expiresAt: waiting.length > 0 ? Math.min(...waiting.map(({ expiresAt }) => expiresAt)) : undefined,
  };
}
