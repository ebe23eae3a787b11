/**
 * Rows for one statement, in their order. They travel as JSON, and V8 gives a string beyond 128 kB a page of its own, which a
 * large file would have pile up.
 */
export function* portions<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += PORTION) yield rows.slice(at, at + PORTION);
}
/** Mails are the longest, with half a kilobyte each. */
const PORTION = 150;
