import type { JournalMiss } from '@orchestrate/shared';

/** Thrown if an entry didn't occur as often as expected. The message lists the closest entries and how they differ. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
  readonly misses: readonly JournalMiss[];

  /** @param unused sentences about controls that have not fired, which can explain a missing entry */
  constructor(message: string, misses: readonly JournalMiss[], unused: readonly string[] = []) {
    super([message, ...misses.map(lineOf), ...unused].join('\n'));
    this.misses = misses;
  }
}

function lineOf({ entry, differs }: JournalMiss): string {
  const differences = differs.map(
    ({ field, expected, actual }) => `${field} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
  );
  return `${entry.seq}. ${entry.summary.replace(/\.$/, '')}: ${differences.join(', ')}`;
}

/**
 * Thrown if entries or messages after a given one could not be read. The remaining entries would lead a test to wrong
 * conclusions.
 */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}
