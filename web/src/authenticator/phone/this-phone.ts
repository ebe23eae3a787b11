import { getOrgSettings, LIVE_PROTOCOL, languageAsSubprotocol } from '@orchestrate/shared';
import { createAuthenticator, createPortalCall } from '@orchestrate/shared/authenticator';
import useSWR from 'swr';
import { now } from '#adapters/browser.ts';
import { timedFetch } from '#lib/api/timed-fetch.ts';
import { spokenLanguage } from '#words/words.ts';
import { createInbox } from '../requests/inbox.ts';

/** A WebSocket that receives requests in the page's language. */
class LiveSocket extends WebSocket {
  constructor(url: string) {
    super(url, [LIVE_PROTOCOL, languageAsSubprotocol(spokenLanguage)]);
  }
}

const portal = {
  baseUrl: window.location.origin,
  // Wrapped in a function to look up fetch on each call, because tests replace the global fetch.
  fetch: (url: string, init: RequestInit) => timedFetch(url, init),
};

/** This browser's authenticator, connected to the portal that served the page. */
export const authenticator = createAuthenticator({ ...portal, now, WebSocket: LiveSocket });

/** Calls the portal's public endpoints and the lab, which require neither a session nor a device. */
export const callPortal = createPortalCall(portal);

/** Pending push requests for this phone's accounts. */
export const inbox = createInbox(authenticator);

/** Loads an organisation's name and colour. Returns undefined while loading, or if `orgCode` is ''. */
export function useBrand(orgCode: string): { name: string; color: string } | undefined {
  const { data } = useSWR(orgCode ? ['authenticator organisation', orgCode] : null, () =>
    callPortal(getOrgSettings, { query: { code: orgCode } }),
  );
  return data;
}
