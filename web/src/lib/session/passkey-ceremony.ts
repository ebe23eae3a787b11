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

/** Lets the browser ask the person for a passkey. @throws ApiRefusal in words for people; also when it is cancelled */
export async function askForPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  try {
    return await startAuthentication({ optionsJSON: options });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Whether the browser can offer passkeys among the suggestions of a field (conditional mediation). */
export const suggestsPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/**
 * Lets the browser offer passkeys in the field with `autocomplete="username webauthn"`, without a dialog. Resolves when
 * the person has picked one, which may be never.
 * @throws ApiRefusal as above
 */
export async function suggestPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  try {
    return await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Lets the browser make a passkey. @throws ApiRefusal as above */
export async function makePasskey(options: PasskeyCreationOptions): Promise<NewPasskey> {
  try {
    return await startRegistration({ optionsJSON: options });
  } catch (failure) {
    throw new ApiRefusal(0, { message: textOf(failure) });
  }
}

/** Closes the browser's dialog; the pending call is rejected as cancelled. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony();

const NOT_CONFIRMED = t`No passkey was confirmed.`;

/**
 * By what the browser throws (W3C Web Authentication Level 3 §5.1), which is the same for cancelling and for a timeout.
 */
const texts: Record<string, string> = {
  NotAllowedError: NOT_CONFIRMED,
  AbortError: NOT_CONFIRMED,
  InvalidStateError: t`This authenticator already has a passkey of yours.`,
  SecurityError: t`Passkeys work only under the address that the portal was set up for.`,
  ConstraintError: t`This authenticator cannot verify that it is you.`,
};

function textOf(failure: unknown): string {
  const { name = '' }: Partial<WebAuthnError> = failure instanceof Error ? failure : {};
  return texts[name] ?? t`This browser could not use a passkey.`;
}
