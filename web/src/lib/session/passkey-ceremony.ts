import { t } from '@lingui/core/macro';
import type { NewPasskey, PasskeyAssertion, PasskeyCreationOptions, PasskeyRequestOptions } from '@orchestrate/shared';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type WebAuthnError,
} from '@simplewebauthn/browser';
import { ApiRefusal } from '../api/api-refusal.ts';

/** Prompts for a passkey. @throws ApiRefusal with a message for users, including if the user cancels */
export async function requestPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  try {
    return await startAuthentication({ optionsJSON: options });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Resolves to true if the browser can suggest passkeys in a field (conditional mediation). */
export const suggestsPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/**
 * Suggests passkeys in the field with `autocomplete="username webauthn"`, without a dialog. Resolves only if the user
 * picks a passkey.
 * @throws ApiRefusal with a message for users
 */
export async function suggestPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  try {
    return await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Creates a passkey. @throws ApiRefusal with a message for users, including if the user cancels */
export async function createPasskey(options: PasskeyCreationOptions): Promise<NewPasskey> {
  try {
    return await startRegistration({ optionsJSON: options });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Closes the browser's passkey dialog and rejects the pending promise as cancelled. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony();

const NOT_CONFIRMED = t`No passkey was confirmed.`;

/**
 * Messages by the browser's error name (W3C Web Authentication Level 3 §5.1). Browsers report cancelling and timing
 * out as the same error.
 */
const texts: Record<string, string> = {
  NotAllowedError: NOT_CONFIRMED,
  AbortError: NOT_CONFIRMED,
  InvalidStateError: t`This authenticator already has one of your passkeys.`,
  SecurityError: t`Passkeys only work at the address the portal was set up for.`,
  ConstraintError: t`This authenticator can't verify your identity.`,
};

function textOf(failure: unknown): string {
  const { name = '' }: Partial<WebAuthnError> = failure instanceof Error ? failure : {};
  return texts[name] ?? t`This browser couldn't use the passkey. Try again.`;
}
