import { Refusal } from '../../refusal.ts';

/** Patterns match the beginning of SQLite's code, which can be longer, e.g. SQLITE_IOERR_WRITE. */
const PROBLEMS: readonly [code: RegExp, status: number, message: string][] = [
  [/^SQLITE_FULL/, 507, "The portal's disk is full, so this couldn't be saved. Free some space and try again."],
  [/^SQLITE_IOERR/, 500, "The portal's disk reported an error, so this couldn't be saved."],
  [/^SQLITE_READONLY/, 500, "The portal's database is read-only, so this couldn't be saved."],
];

/** Returns the refusal if the database can't be written; undefined for other errors. */
export function storageRefusal(reason: unknown): Refusal | undefined {
  if (!(reason instanceof Error)) return undefined;
  // Drizzle wraps the errors of some statements.
  if (!('code' in reason && typeof reason.code === 'string')) return storageRefusal(reason.cause);
  for (const [code, status, message] of PROBLEMS) {
    if (code.test(reason.code)) return new Refusal('FAILED', { status, message });
  }
  return undefined;
}
