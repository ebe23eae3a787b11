import { createAuthenticator, createPortalCall } from '@orchestrate/shared/authenticator';
import { now } from '#adapters/clock.ts';
import { timedFetch } from '#lib/api/timed-fetch.ts';
import { createInbox } from '../requests/inbox.ts';

const portal = {
  baseUrl: window.location.origin,
  // Looked up at each call, so that a later replacement of it takes effect.
  fetch: (url: string, init: RequestInit) => timedFetch(url, init),
};

/** The device core of this browser, at the portal that served the page. */
export const authenticator = createAuthenticator({ ...portal, now });

/** The portal's public calls and the lab's, which need neither a session nor a device. */
export const callPortal = createPortalCall(portal);

/** The push sign-ins of the accounts on this phone. */
export const inbox = createInbox(authenticator);
