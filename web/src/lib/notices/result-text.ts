import { t } from '@lingui/core/macro';
import { ApiRefusal } from '../api/api-refusal.ts';

export const DEFAULT_TEXT = t`Something went wrong!`;
export const UNREACHABLE_TEXT = t`The portal cannot be reached. Check your connection.`;
export const NO_ANSWER_TEXT = t`The portal didn't answer in time. Try again.`;
export const UNSURE_TEXT = t`The portal didn't answer in time. Your change may not have been made: check before you try again.`;

/** What to tell people about a failure: the server's own words, else 'Something went wrong!'. */
export function resultText(failure: unknown): string {
  if (!(failure instanceof ApiRefusal)) return DEFAULT_TEXT;
  return failure.message || DEFAULT_TEXT;
}

/** Why something failed, where the server says more than that it did. */
export const reasonOf = (failure: unknown): string | undefined =>
  failure instanceof ApiRefusal && failure.message !== DEFAULT_TEXT ? resultText(failure) : undefined;
