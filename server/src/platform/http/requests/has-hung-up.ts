import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';

/**
 * Whether the caller has hung up. What the network has had to say while something long was done is heard first: it
 * takes a turn of the event loop to come in.
 */
export async function hasHungUp({ socket }: FastifyRequest): Promise<boolean> {
  await nextTurn();
  await nextTurn();
  return socket.destroyed || socket.readableEnded;
}
