import { t } from '@lingui/core/macro';
import { ApiRefusal } from '../api/api-refusal.ts';

export const DEFAULT_TEXT = t`Something went wrong!`;
export const UNREACHABLE_TEXT = t`Can't reach the portal. Check your connection.`;
export const TIMEOUT_TEXT = t`The portal didn't respond in time. Try again.`;
export const UNCONFIRMED_CHANGE_TEXT = t`The portal didn't respond in time. Check whether your change was saved before you try again.`;

/** Returns the message to display for a failure: the server's message, or 'Something went wrong!' if there is none. */
export function resultText(failure: unknown): string {
  if (!(failure instanceof ApiRefusal)) return DEFAULT_TEXT;
  return failure.message || DEFAULT_TEXT;
}

/** Returns the server's reason for a failure if it is more specific than the default message. */
export const reasonOf = (failure: unknown): string | undefined =>
  failure instanceof ApiRefusal && failure.message !== DEFAULT_TEXT ? resultText(failure) : undefined;
