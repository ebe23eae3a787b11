/** One thing that was measured, beside the same done with as little as possible. */
export interface Measurement {
  what: string;
  /** With its unit, as people read it. */
  ours: string;
  /** The bare way in the same run; absent where nothing comparable exists. */
  bare?: string;
  /** Ours over bare, in the direction that the target names. */
  ratio?: number;
  /** Absent where the number is only for information. */
  target?: { words: string; isMet: boolean };
}

/** A row of the benchmark: one file under `rows/`, and one line in `bench.ts`. */
export interface Row {
  /** For `--row`. */
  name: string;
  title: string;
  /** What is compared with what, and how; a paragraph of docs/benchmarks.md. */
  about: string;
  /** @param folder an empty one of the row's own, deleted after the run. */
  run(folder: string): Promise<Measurement[]>;
}
