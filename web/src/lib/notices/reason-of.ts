import { ApiRefusal } from '../api/api-refusal.ts';
import { DEFAULT_TEXT, resultText } from './result-text.ts';

/** Why something failed, where the server says more than that it did. */
export const reasonOf = (failure: unknown): string | undefined =>
  failure instanceof ApiRefusal && failure.message !== DEFAULT_TEXT ? resultText(failure) : undefined;
