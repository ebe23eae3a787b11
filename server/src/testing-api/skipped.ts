/**
 * Not everything that came after a number or message could be read: what a test concludes from the rest may be wrong.
 */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}
