/** A measurement, compared with a bare implementation of the same work. */
export interface Measurement {
  what: string;
  /** Our result, with its unit. */
  ours: string;
  /** Result of the bare variant in the same run; absent without a comparable one. */
  bare?: string;
  /** Ours divided by bare, or the inverse, as the target requires. */
  ratio?: number;
  /** Absent if the number is only for information. */
  target?: { words: string; isMet: boolean };
}

/** A row of the benchmark: one file under `rows/`, and one line in `bench.ts`. */
export interface Row {
  /** Name for `--row`. */
  name: string;
  title: string;
  /** Description of the comparison, a paragraph of docs/benchmarks.md. */
  about: string;
  /** @param folder an empty folder, deleted after the run */
  run(folder: string): Promise<Measurement[]>;
}
