import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

/**
 * Returns true if a page on another site sent the browser here (Fetch Metadata §2.3). Pages on another port of this
 * host are treated as another site. Browsers that don't send these headers are, too: old browsers, and any browser
 * over plain HTTP to a host other than localhost. Requests from other programs aren't treated as coming from another
 * site.
 */
export function isFromAnotherSite(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'user-agent': agent = '' } = headers;
  return site === undefined ? agent.startsWith('Mozilla/') : site !== 'same-origin' && site !== 'none';
}

const MAX_LENGTH = 300;

/** Returns the `User-Agent` header truncated to the stored length, or '' if the header is missing. */
export const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
