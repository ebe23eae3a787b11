/** One measured thing, beside the same thing done with as little as possible. */
export interface Measurement {
  what: string;
  /** With its unit, for people. */
  ours: string;
  /** The bare variant in the same run; absent where there is nothing comparable. */
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
  /** @param folder an empty one for this row, deleted after the run. */
  run(folder: string): Promise<Measurement[]>;
}
