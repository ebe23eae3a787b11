import { t } from '@lingui/core/macro';
import type { ClientKind } from '@orchestrate/shared';

/** Label and explanation for each type of OpenID Connect application. */
export const CLIENT_KINDS: Record<ClientKind, { label: string; help: string }> = {
  web: { label: t`Web application`, help: t`Runs on a server that can keep a secret.` },
  'single-page': { label: t`Single-page application`, help: t`Runs in the browser. Uses PKCE instead of a secret.` },
  native: {
    label: t`Native application`,
    help: t`Runs on a phone, computer or TV. Instead of a secret, uses PKCE or a code that people enter on another device.`,
  },
  machine: {
    label: t`Service client`,
    help: t`A service that acts on its own behalf, with a secret. No one signs in to it.`,
  },
};

/** Help text for callback addresses. */
export const CALLBACK_HELP = {
  needed: t`We'll send people back to this address after they sign in.`,
  optional: t`We'll send people back to this address after they sign in. Devices without a browser don't need one.`,
};
