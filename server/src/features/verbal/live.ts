import { verbalLive } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requirePermission } from '../../http/permissions.ts';
import { TOPIC } from '../../live/bus.ts';
import { serveChannel } from '../../live/serve-channel.ts';
import { isoOf } from '../../models/iso-of.ts';
import { requireVerbal, verbalStateOf } from './verbal-state.ts';

/** Shows whoever asked how the verification of a caller goes. */
export function serveVerbal(app: FastifyInstance, deps: Deps): void {
  serveChannel(app, deps, verbalLive, {
    open({ caller, query: { epoch } }) {
      requirePermission(caller, 'VERBAL_AUTHENTICATION');
      const { id } = requireVerbal(deps, caller.orgCode, epoch);
      return { topics: [TOPIC.challenge(id)], state: () => liveState(deps, caller.orgCode, id) };
    },
  });
}

function liveState(deps: Deps, orgCode: string, epoch: string) {
  const verbal = requireVerbal(deps, orgCode, epoch);
  const message = { op: 'verbal' as const, ...verbalStateOf(deps, verbal) };
  if (message.state !== 'init' && message.state !== 'pending') return { message };
  return { message: { ...message, expiresAt: isoOf(verbal.expiresAt) }, expiresAt: verbal.expiresAt };
}
