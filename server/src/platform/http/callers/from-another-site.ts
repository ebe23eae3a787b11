import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a page of another site sent the browser here (Fetch Metadata §2.3). Pages on another port of this
 * host count as another site. Browsers without these headers (old ones, and all of them over plain http to a host other
 * than localhost) always count as sent by another site; programs that aren't browsers don't.
 */
export function isFromAnotherSite(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'user-agent': agent = '' } = headers;
  return site === undefined ? agent.startsWith('Mozilla/') : site !== 'same-origin' && site !== 'none';
}
