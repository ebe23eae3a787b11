import { median, quartilesOf } from './duration.ts';

/** A measurement and its comparison with a bare implementation of the same work. */
export interface Measurement {
  what: string;
  /** The portal's result, with its unit. */
  ours: string;
  /** The bare implementation's result in the same run. Absent if nothing comparable exists. */
  bare?: string;
  /** `ours` divided by `bare`, or the inverse, depending on the target. */
  ratio?: number;
  /** Absent for a purely informative measurement. */
  target?: Target;
}

/** A limit for the median of the rounds' results. */
export interface Target {
  limit: number;
  direction: 'at least' | 'at most';
  /** Unit of `limit`, e.g. `ms`. Absent for a ratio. */
  unit?: string;
  /** Result of every round, in the unit of `limit`. A single one has no spread. */
  results: readonly number[];
}

export const atLeast = (limit: number, results: readonly number[], unit?: string): { target: Target } => ({
  target: { limit, direction: 'at least', results, ...(unit && { unit }) },
});

export const atMost = (limit: number, results: readonly number[], unit?: string): { target: Target } => ({
  target: { limit, direction: 'at most', results, ...(unit && { unit }) },
});

/**
 * Compares the median with the limit. A missed limit is `noisy` if it is between the quartiles: another run could
 * meet it.
 */
export function verdictOf({ limit, direction, results }: Target): 'ok' | 'noisy' | 'behind' {
  const meets = (value: number) => (direction === 'at least' ? value >= limit : value <= limit);
  if (meets(median(results))) return 'ok';
  return quartilesOf(results).some(meets) ? 'noisy' : 'behind';
}

/** A benchmark row: one file under `rows/`, and one line in `bench.ts`. */
export interface Row {
  /** Value for `--row`. */
  name: string;
  title: string;
  /** Description of the comparison, a paragraph in docs/benchmarks.md. */
  about: string;
  /** True if the row imports the portal's modules, so that another version can't take its place. */
  runsSources?: boolean;
  /**
   * Runs the row's measurements.
   * @param folder an empty folder, deleted after the run
   */
  run(folder: string): Promise<Measurement[]>;
}
