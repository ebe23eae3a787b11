/**
 * Thrown if some entries or messages after a given one could not be read, so that a test doesn't draw conclusions from
 * the rest.
 */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}
