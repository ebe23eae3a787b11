import type { FaultAnswer } from './contract/lab/faults.ts';
import { codeOf, RESULT_NAMES } from './result-codes.ts';
import { resultOf } from './result-sentences.ts';

/** Domain that emails are never sent to (RFC 2606 §2). */
export const MAGIC_DOMAIN = 'magic.test';

/** An email address that forces a result for the request that contains it. */
export interface MagicValue {
  /** The address's equivalent names before `@magic.test`. */
  names: string[];
  answer: FaultAnswer;
  /** Human-readable description. */
  meaning: string;
}

const SLOW_MS = 3_000;

/** Other forced responses, by their common names. */
const OTHERS: MagicValue[] = [
  { names: ['ratelimited', '429'], answer: { status: 429 }, meaning: 'Too many requests, with Retry-After.' },
  { names: ['500'], answer: { status: 500 }, meaning: 'The portal has an internal error.' },
  { names: ['unavailable', '503'], answer: { status: 503 }, meaning: 'The portal is not available.' },
  { names: ['slow'], answer: { delayMs: SLOW_MS }, meaning: `The real response, after ${SLOW_MS / 1_000} seconds.` },
  { names: ['hang'], answer: { hang: true }, meaning: 'No response at all.' },
  { names: ['cut'], answer: { cut: true }, meaning: 'The connection ends without a response.' },
];

/** All magic addresses: every result code except the reserved ones, by number and by name, and the other responses. */
export const MAGIC_VALUES: readonly MagicValue[] = [
  ...RESULT_NAMES.filter((name) => !name.startsWith('RESERVED')).map((name) => ({
    names: [`code-${codeOf(name)}`, name.toLowerCase().replaceAll('_', '-')],
    answer: { resultName: name },
    meaning: resultOf(name).sentence,
  })),
  ...OTHERS,
];
