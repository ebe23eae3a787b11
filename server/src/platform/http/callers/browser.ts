import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

/**
 * Returns true if a page of another site sent the browser here (Fetch Metadata §2.3). Pages on another port of this
 * host count as another site. Browsers without these headers (old ones, and all of them over plain http to a host other
 * than localhost) always count as sent by another site; programs that aren't browsers don't.
 */
export function isFromAnotherSite(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'user-agent': agent = '' } = headers;
  return site === undefined ? agent.startsWith('Mozilla/') : site !== 'same-origin' && site !== 'none';
}

const MAX_LENGTH = 300;

/** Returns the `User-Agent` header, cut to the stored length; '' if there is none. */
export const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
