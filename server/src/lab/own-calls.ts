import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const OWN = 'x-lab-own';
/** Nobody else knows it. */
const secret = randomUUID();

/**
 * Sent by the lab with calls that it makes of the portal for itself: no fault meets them, and the journal leaves them
 * out.
 */
export const OWN_HEADERS = { [OWN]: secret, 'user-agent': 'Lab of the portal' };

export const isOwnCall = ({ headers }: FastifyRequest): boolean => headers[OWN] === secret;
