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
  target?: { words: string; isMet: boolean };
}

/** A benchmark row: one file under `rows/`, and one line in `bench.ts`. */
export interface Row {
  /** Value for `--row`. */
  name: string;
  title: string;
  /** Description of the comparison, a paragraph in docs/benchmarks.md. */
  about: string;
  /**
   * Runs the row's measurements.
   * @param folder an empty folder, deleted after the run
   */
  run(folder: string): Promise<Measurement[]>;
}
