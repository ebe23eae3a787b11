import { Refusal } from '../../refusal.ts';

/**
 * Status and message by SQLite error code. The patterns match prefixes, because extended codes are longer, e.g.
 * SQLITE_IOERR_WRITE.
 */
const PROBLEMS: readonly [code: RegExp, status: number, message: string][] = [
  [/^SQLITE_FULL/, 507, "The portal's disk is full, so this couldn't be saved. Free some space and try again."],
  [/^SQLITE_IOERR/, 500, "The portal's disk reported an error, so this couldn't be saved."],
  [/^SQLITE_READONLY/, 500, "The portal's database is read-only, so this couldn't be saved."],
];

/** Returns a refusal if the database can't be written, or undefined for other errors. */
export function storageRefusal(reason: unknown): Refusal | undefined {
  if (!(reason instanceof Error)) return undefined;
  // Drizzle wraps the SQLite errors of some statements, so check the cause.
  if (!('code' in reason && typeof reason.code === 'string')) return storageRefusal(reason.cause);
  for (const [code, status, message] of PROBLEMS) {
    if (code.test(reason.code)) return new Refusal('FAILED', { status, message });
  }
  return undefined;
}
