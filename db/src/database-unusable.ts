/**
 * Reasons why a database file cannot be used:
 * - `folder`: the path is a folder;
 * - `unwritable`: the file or its folder cannot be created, opened or written;
 * - `full`: the disk is full;
 * - `corrupt`: damaged, or not a SQLite file;
 * - `foreign`: a valid database of another program;
 * - `locked`: another process has it open;
 * - `incomplete`: a table, index, trigger or view created by the migrations is missing;
 * - `newer`: it has a migration that is later than all migrations of this program;
 * - `unreleased`: it has a migration that was replaced before it was released;
 * - `sealed`: its secrets were sealed with a key that is not available;
 * - `keyless`: its key file contains no key or cannot be read.
 */
export type UnusableReason =
  | 'folder'
  | 'unwritable'
  | 'full'
  | 'corrupt'
  | 'foreign'
  | 'locked'
  | 'incomplete'
  | 'newer'
  | 'unreleased'
  | 'sealed'
  | 'keyless';

const sentences: Record<UnusableReason, (file: string, why: string) => string> = {
  folder: (file) => `The database ${file} is a folder. Set DATABASE_FILE to the path of a file.`,
  unwritable: (file) =>
    `The database ${file} cannot be written to. Check the permissions of the file and its folder, and that the disk is not read-only.`,
  full: (file) => `The disk of the database ${file} is full. Free some space, or choose another DATABASE_FILE.`,
  corrupt: (file) =>
    `The database ${file} is damaged or is not a database. Restore a backup, or move the file away to start with a new one.`,
  foreign: (file) => `The database ${file} belongs to another program. Choose another DATABASE_FILE.`,
  locked: (file) =>
    `The database ${file} is in use by another process. Stop that process, or choose another DATABASE_FILE.`,
  incomplete: (file, why) =>
    `The database ${file} is incomplete: ${why}. Restore a backup, or move the file away to start with a new one.`,
  newer: (file) =>
    `The database ${file} was written by a newer version of this program. Start that version, or choose another DATABASE_FILE.`,
  unreleased: (file) =>
    `The database ${file} was written by an unreleased version and can't be opened. Move it away to start with a new database. To keep its data, run the version that wrote it, save GET /api/lab/world.yaml, and start with that file as SEED.`,
  sealed: (file) =>
    `The secrets in the database ${file} were sealed with another key. Provide that key with SECRETS_KEY, SECRETS_KEY_PREVIOUS or the file ${file}.key.`,
  keyless: (file) =>
    `The file ${file}.key cannot be read or does not contain a 32-byte key. Restore the original: the secrets in the database cannot be read without it.`,
};

/**
 * The only error that opening or seeding a database throws for an unusable file. Its message is one line for people. A
 * failed open or a rolled-back transaction leaves the file as it was.
 */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
  readonly reason: UnusableReason;
  readonly file: string;

  constructor(reason: UnusableReason, file: string, cause?: unknown) {
    super(sentences[reason](file, cause instanceof Error ? cause.message : ''), { cause });
    this.reason = reason;
    this.file = file;
  }
}

/** Keyed by the start of the error code: SQLite appends details, e.g. SQLITE_READONLY_DIRECTORY. */
const reasons: [RegExp, UnusableReason][] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'locked'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  // SHMSIZE: no room for the index of the write-ahead log.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'full'],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/, 'unwritable'],
  // A migration that changes a missing table or column.
  [/^SQLITE_ERROR$/, 'incomplete'],
  [/^E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOENT|NAMETOOLONG)$/, 'unwritable'],
  [/^EISDIR$/, 'folder'],
];

/**
 * Turns an error of SQLite or the file system into a `DatabaseUnusable` for `file`. Returns any other error unchanged,
 * or its cause.
 */
export function explainOpenFailure(file: string, failure: unknown): unknown {
  if (failure instanceof DatabaseUnusable || !(failure instanceof Error)) return failure;
  // drizzle wraps the error of a failed migration.
  if (!('code' in failure)) return failure.cause === undefined ? failure : explainOpenFailure(file, failure.cause);
  const code = String(failure.code);
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason ? new DatabaseUnusable(reason, file, failure) : failure;
}
