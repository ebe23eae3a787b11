import type { Portal } from './portal.ts';
import { type Options, requireOptions } from './require-options.ts';

/** Number of journal entries that a failed test prints. */
const ENTRY_COUNT = 10;

/** Returns the last journal entries of a portal and its unused controls, one per line, to print when a test fails. */
export async function explain(portal: Pick<Portal, 'journal' | 'unused'>): Promise<string> {
  const entries = await portal.journal({ limit: ENTRY_COUNT });
  const { messages } = await portal.unused();
  const lines = entries.map(({ seq, summary }) => `  ${seq}. ${summary}`);
  return [
    entries.length > 0 ? "The portal's last journal entries:" : "The portal's journal is empty.",
    ...lines,
    ...messages,
  ].join('\n');
}

/** @throws Error with a sentence about each fault or policy that has not fired */
export async function requireUsed(portal: Pick<Portal, 'unused'>): Promise<void> {
  const { messages } = await portal.unused();
  if (messages.length > 0) throw new Error(messages.join('\n'));
}

/** The context that Vitest passes to an `afterEach` hook. */
interface FinishedTest {
  task: { result?: { state: string; errors?: { message: string }[] | undefined } | undefined };
}

export interface FailureOptions {
  /** Vitest's `afterEach`. */
  afterEach: (hook: (finished: FinishedTest) => Promise<void>) => unknown;
  /** True to fail a passed test if one of its faults or policies has not fired. Default: false. */
  failOnUnused?: boolean;
}

export const FAILURE_OPTIONS: Options<keyof FailureOptions> = { afterEach: ['function'], failOnUnused: ['boolean'] };

/**
 * Adds the portal's last ten journal entries, and its faults and policies that have not fired, to the message of each
 * failed Vitest test. Call it once, at the top of a test file.
 * @param portal returns the portal that the tests use
 */
export function explainFailures(portal: () => Portal, options: FailureOptions): void {
  requireOptions('explainFailures', options, FAILURE_OPTIONS);
  const { afterEach, failOnUnused = false } = options;
  afterEach(async ({ task: { result } }) => {
    const [error] = result?.errors ?? [];
    if (error) error.message += `\n\n${await explain(portal())}`;
    else if (failOnUnused) await requireUsed(portal());
  });
}
