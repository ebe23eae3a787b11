import { resultNameOf, resultOf } from '@orchestrate/shared';
import { ApiRefusal } from '../api/api-refusal.ts';

export const DEFAULT_TEXT = 'Something went wrong!';
export const UNREACHABLE_TEXT = 'The portal cannot be reached. Check your connection.';

/** The sentence for a result code from the shared table, else 'Something went wrong!'. */
export function sentenceOf(resultCode: number): string {
  const name = resultNameOf(resultCode);
  return name && resultCode > 0 ? resultOf(name).sentence : DEFAULT_TEXT;
}

/** What to tell people about a failure: the server's own words first, then the table's, else 'Something went wrong!'. */
export function resultText(failure: unknown): string {
  if (!(failure instanceof ApiRefusal)) return DEFAULT_TEXT;
  return failure.message || sentenceOf(failure.resultCode);
}
