import { type ChannelDefinition, contract, type SocketFault } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { markSet } from '../unused.ts';

const FAULTS_MAX = 200;

/** Serves the socket faults. */
export function socketFaults(app: FastifyInstance, deps: Deps): void {
  const { socketFaults: faults, registered } = deps;
  const list = () => ({ faults: [...faults.waiting()], fired: [...faults.fired()] });

  implement(app, deps, contract.readSocketFaults, list);

  implement(app, deps, contract.addSocketFault, ({ body, actor }) => {
    if (faults.waiting().length >= FAULTS_MAX) {
      const message = `${FAULTS_MAX} faults are already pending. Remove them with DELETE /api/lab/sockets.`;
      throw new Refusal('INVALID_REQUEST', { status: 409, message });
    }
    requireState(registered.channels, body);
    faults.add(body);
    markSet(deps, body);
    recordLabAction(deps, actor, 'lab.socket-fault-added', body);
    return list();
  });

  implement(app, deps, contract.clearSocketFaults, ({ actor }) => {
    faults.clear();
    recordLabAction(deps, actor, 'lab.socket-faults-cleared', {});
    return {};
  });
}

/**
 * Rejects a fault for a state that the channel never sends.
 * @throws Refusal INVALID_REQUEST for a state that the channel never sends, with the closest match
 */
function requireState(channels: readonly ChannelDefinition[], { channel, state }: SocketFault): void {
  if (state === undefined) return;
  const states = statesOf(channels.find(({ path }) => path === `/ws/${channel}`)?.server);
  if (states.includes(state)) return;
  const meant = nearest(state, states);
  const known = states.length > 0 ? `It sends ${states.join(', ')}.` : "Its messages don't have a state.";
  const message = `The channel ${channel} never sends ${state}. ${meant ? `Did you mean ${meant}?` : known}`;
  refuseField('state', message);
}

function statesOf(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { state, respType } = schema.shape;
  const named = state ?? respType;
  return named instanceof z.ZodEnum ? named.options.map(String) : [];
}
