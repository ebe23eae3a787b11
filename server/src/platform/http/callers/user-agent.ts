import type { FastifyRequest } from 'fastify';

const MAX_LENGTH = 300;

/** The request's `User-Agent` header, cut to what the portal stores; '' if there is none. */
export const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
