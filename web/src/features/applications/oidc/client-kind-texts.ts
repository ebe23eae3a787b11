import { t } from '@lingui/core/macro';
import type { ClientKind } from '@orchestrate/shared';

/** Names and explanations of the kinds of OpenID Connect applications. */
export const CLIENT_KINDS: Record<ClientKind, { label: string; help: string }> = {
  web: { label: t`Web application`, help: t`Runs on a server that can keep a secret.` },
  'single-page': { label: t`Single-page application`, help: t`Runs in the browser: no secret, always PKCE.` },
  native: {
    label: t`Native application`,
    help: t`Runs on a phone, computer or TV: no secret, but PKCE or a code that people enter on another device.`,
  },
  machine: { label: t`Service client`, help: t`A service that acts on its own, with a secret. No one signs in to it.` },
};

/** Help texts for callback addresses. */
export const CALLBACK_HELP = {
  needed: t`People return to this address after they sign in.`,
  optional: t`People return to this address after they sign in. Not needed on devices without a browser.`,
};
