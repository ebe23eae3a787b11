import type { ClientKind } from '@orchestrate/shared';

/** What the kinds of OpenID Connect applications are called, and how to tell which one it is. */
export const CLIENT_KINDS: Record<ClientKind, { label: string; help: string }> = {
  web: { label: 'Web application', help: 'Runs on a server, which keeps a secret.' },
  'single-page': { label: 'Single-page application', help: 'Runs in the browser: no secret, always PKCE.' },
  native: { label: 'Native application', help: 'Runs on a phone or computer: no secret, always PKCE.' },
  machine: { label: 'Machine', help: 'A service with a secret that acts for itself: nobody signs in to it.' },
};
