/**
 * Why a database file cannot be used:
 * - `folder`: there is a folder of that name;
 * - `unwritable`: the file or its folder cannot be made, opened or written;
 * - `full`: its disk has no room for what is written at the start;
 * - `corrupt`: damaged, or not a SQLite file at all;
 * - `foreign`: a sound database of another program;
 * - `locked`: another process has it open;
 * - `incomplete`: somebody dropped a table, an index or another part that the migrations have made;
 * - `newer`: it has a migration later than all of this program;
 * - `unreleased`: it has a migration that was replaced before it was released;
 * - `sealed`: its secrets were sealed with a key that is not available;
 * - `keyless`: the key file beside it has no key, or cannot be read.
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
  full: (file) => `The disk of the database ${file} is full. Make room, or choose another DATABASE_FILE.`,
  corrupt: (file) =>
    `The database ${file} is damaged or is not a database. Restore a backup, or move the file away to start with a new one.`,
  foreign: (file) => `The database ${file} belongs to another program. Choose another DATABASE_FILE.`,
  locked: (file) =>
    `The database ${file} is in use by another process. Stop that one first, or choose another DATABASE_FILE.`,
  incomplete: (file, why) =>
    `The database ${file} is incomplete: ${why}. Restore a backup, or move the file away to start with a new one.`,
  newer: (file) =>
    `The database ${file} was written by a newer version of this program. Start that version, or choose another DATABASE_FILE.`,
  unreleased: (file) =>
    `The database ${file} was written by an unreleased version of this program, and later versions can't open it. Move the file away to start with a new one. To keep its data, start the version that wrote it and save GET /api/lab/world.yaml as a file for SEED.`,
  sealed: (file) =>
    `The secrets in the database ${file} were sealed with another key. Start with that one: SECRETS_KEY, SECRETS_KEY_PREVIOUS or the file ${file}.key.`,
  keyless: (file) =>
    `The file ${file}.key cannot be read, or holds no key of 32 bytes. Put the right one back: without it nobody can read the secrets in the database.`,
};

/**
 * The only error that opening or seeding a database throws for an unusable file. Its message is one line for people;
 * the file is left unchanged, or as a transaction that failed leaves it.
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

/** Keyed by the beginning of the error code: SQLite appends details, e.g. SQLITE_READONLY_DIRECTORY. */
const reasons: [RegExp, UnusableReason][] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'locked'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  // SHMSIZE: there is no room for the index of the log.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'full'],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/, 'unwritable'],
  // A migration that does not find what it is to change.
  [/^SQLITE_ERROR$/, 'incomplete'],
  [/^E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOENT|NAMETOOLONG)$/, 'unwritable'],
  [/^EISDIR$/, 'folder'],
];

/**
 * Turns an error of SQLite or the file system into a `DatabaseUnusable` for `file`; any other error is returned
 * as it is, or its cause.
 */
export function explainOpenFailure(file: string, failure: unknown): unknown {
  if (failure instanceof DatabaseUnusable || !(failure instanceof Error)) return failure;
  // drizzle puts an error of its own around that of a migration.
  if (!('code' in failure)) return failure.cause === undefined ? failure : explainOpenFailure(file, failure.cause);
  const code = String(failure.code);
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason ? new DatabaseUnusable(reason, file, failure) : failure;
}
