/**
 * Reasons why a database file cannot be used:
 * - `folder`: the path is a folder;
 * - `unwritable`: the file or its folder cannot be created, opened or written;
 * - `full`: the disk is full;
 * - `corrupt`: the file is damaged or isn't a SQLite file;
 * - `foreign`: the file is another program's database;
 * - `locked`: another process has the file open;
 * - `incomplete`: a table, index, trigger or view created by the migrations is missing;
 * - `newer`: the database has a migration that is later than all migrations of this program;
 * - `unreleased`: the database has a migration that was replaced before its release;
 * - `sealed`: the secrets were sealed with a key that is not available;
 * - `keyless`: the key file contains no key or cannot be read.
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
    `The database ${file} is not writable. Check the permissions of the file and its folder, and that the disk is not read-only.`,
  full: (file) => `The disk that holds the database ${file} is full. Free some space, or choose another DATABASE_FILE.`,
  corrupt: (file) =>
    `The file ${file} is damaged or is not a database. Restore a backup, or move the file away to start with a new database.`,
  foreign: (file) => `The database ${file} belongs to another program. Choose another DATABASE_FILE.`,
  locked: (file) =>
    `The database ${file} is in use by another process. Stop that process, or choose another DATABASE_FILE.`,
  incomplete: (file, why) =>
    `The database ${file} is incomplete: ${why}. Restore a backup, or move the file away to start with a new database.`,
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
 * Thrown when a database file is unusable. Opening and seeding a database report every problem with its file as this
 * error. The message is a single line for the operator. A failed open or a rolled-back transaction leaves the file
 * unchanged.
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

/**
 * Maps error codes to reasons. SQLite patterns match the start of the code because SQLite appends details, e.g.
 * SQLITE_READONLY_DIRECTORY.
 */
const reasons: [RegExp, UnusableReason][] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'locked'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  // SQLITE_IOERR_SHMSIZE means that there is no space for the write-ahead log's index.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'full'],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/, 'unwritable'],
  // Migrations fail with this code if a table or column that they change is missing.
  [/^SQLITE_ERROR$/, 'incomplete'],
  [/^E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOENT|NAMETOOLONG)$/, 'unwritable'],
  [/^EISDIR$/, 'folder'],
];

/**
 * Converts a SQLite or file system error to a `DatabaseUnusable` for `file`. Returns any other error unchanged, or
 * its cause.
 */
export function explainOpenFailure(file: string, failure: unknown): unknown {
  if (failure instanceof DatabaseUnusable || !(failure instanceof Error)) return failure;
  // Drizzle wraps the error of a failed migration, so examine the cause.
  if (!('code' in failure)) return failure.cause === undefined ? failure : explainOpenFailure(file, failure.cause);
  const code = String(failure.code);
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason ? new DatabaseUnusable(reason, file, failure) : failure;
}
