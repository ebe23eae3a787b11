import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createDatabase, type OpenDatabase } from './database.ts';
import { DatabaseUnusable, explainOpenFailure } from './database-unusable.ts';
import { registerFoldCase } from './fold-case.ts';
import { mergeBetweenRequests } from './index-merges.ts';
import { applyMigrations, findMissingObject, unknownVersionReason } from './migrations.ts';
import { addGitignoreToFolder, makePrivateFolder } from './paths.ts';
import { canUnsealAll, scrubColumns, sealColumns } from './sealed-columns.ts';
import { memoryVaults, readVaults, type SecretsKeys, type Vaults } from './secrets-key.ts';
import type { KeyOrigin } from './seed/key-source.ts';

/**
 * Log size that triggers a checkpoint, in 4 kB pages. With a large log, a page changed by many sign-ins is written to
 * the file only once. At a quarter of this size, checkpoints used 8 % of the CPU time of OpenID Connect sign-ins.
 */
const PAGES = 4_000;
/** Log size at which SQLite runs a checkpoint itself, during the commit. */
const PAGES_AT_MOST = 8_000;
const LOOK_MS = 50;

interface LogState {
  log: number;
  checkpointed: number;
}

/**
 * Runs checkpoints (SQLite, write-ahead log §2.1) between requests. Otherwise the write that fills the log would have
 * to wait for the disk.
 * @returns a function that stops the checkpoints
 */
function checkpointBetweenRequests(raw: Sqlite.Database): () => void {
  raw.pragma(`wal_autocheckpoint = ${PAGES_AT_MOST}`);
  const stateOf = raw.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = raw.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
  /** Number of changes on the connection at the last look. */
  let seen = 0;
  const timer = setInterval(() => {
    try {
      const changed = changes.get() ?? 0;
      if (changed === seen) return;
      const { log = 0, checkpointed = 0 } = stateOf.get() ?? {};
      if (log - checkpointed >= PAGES) checkpoint.get();
      seen = changed;
    } catch (reason) {
      // SQLite can fail here, for example on a full disk. Everything is still in the log, and the next attempt may
      // succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export interface OpenOptions {
  /** Path of the database file, or `:memory:`. A missing file or folder is created. */
  file: string;
  /** Keys that seal the secrets. Defaults to the key in the file `{file}.key`, or a random key for `:memory:`. */
  keys?: SecretsKeys;
  /** Origin of the seeded data's keys. Use `names` only for portals that no one else can reach. */
  keysFrom?: KeyOrigin;
  /** How long to wait for another process to close the file, in milliseconds. */
  waitMs?: number;
}

type Opening = Required<Omit<OpenOptions, 'file'>>;

/** Application ID in the header of our database files: 'ORCH'. */
export const APPLICATION_ID = 0x4f524348;

/**
 * Maximum file size for a full integrity check at startup, in bytes. Checking a larger file would take longer than
 * the rest of startup.
 */
const CHECKED_BYTES = 16 * 2 ** 20;

/**
 * Opens and migrates the database, and holds an exclusive lock until it is closed or the process ends.
 * @throws {DatabaseUnusable} The file cannot be used and has not been changed.
 */
export function openDatabase({
  file,
  keys = {},
  keysFrom = 'installation',
  waitMs = 2_000,
}: OpenOptions): OpenDatabase {
  if (file === ':memory:') return setUpConnection(new Sqlite(':memory:'), { vaults: memoryVaults(keys), keysFrom });
  // Use an absolute path, because SQLite interprets names that start with `file:` as URIs.
  const path = resolve(file);
  try {
    makePrivateFolder(dirname(path));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new DatabaseUnusable('folder', path);
    const size = stats?.size ?? 0;
    if (size > 0) inspect(path, { size, keys, waitMs });
    addGitignoreToFolder(path);
    keepPrivate(path);
    return connect(path, { keys, keysFrom, waitMs });
  } catch (failure) {
    throw explainOpenFailure(path, failure);
  }
}

/**
 * Makes the database and its companion files readable only by their owner. SQLite copies the database file's mode to
 * the log, so the file is created first, with a restrictive mode. Files owned by another user keep their mode.
 */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const part of ['', '-wal', '-shm', '-journal', '.key']) {
    const file = `${path}${part}`;
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) continue;
    try {
      chmodSync(file, mode & 0o700);
    } catch (reason) {
      if (!(reason instanceof Error && 'code' in reason && reason.code === 'EPERM')) throw reason;
    }
  }
}

/** Migrates and configures an open connection. Also used for in-memory copies. */
export function setUpConnection(
  raw: Sqlite.Database,
  { vaults: { current, older } = memoryVaults({}), keysFrom }: { vaults?: Vaults; keysFrom: KeyOrigin },
): OpenDatabase {
  raw.pragma('foreign_keys = ON');
  registerFoldCase(raw);
  // Get the vault before writing anything: if the key is missing, the database must stay unchanged.
  const vault = current();
  applyMigrations(raw);
  sealColumns(raw, vault, older);
  return { db: createDatabase(raw, { vault, keyOrigin: keysFrom }), raw, close: () => void raw.close() };
}

/**
 * Rejects a damaged file, another program's database or an unsupported version before anything is written to the
 * file.
 */
function inspect(path: string, { size, keys, waitMs }: Omit<Opening, 'keysFrom'> & { size: number }): void {
  // A log next to the file means that a process was killed. Open the file read-only then, because closing a writable
  // connection would merge the log into the file.
  const readonly = existsSync(`${path}-wal`);
  const raw = new Sqlite(path, { readonly, timeout: waitMs });
  try {
    if (!readonly) requireWritable(raw);
    const tables = raw.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    const isOurs = raw.pragma('application_id', { simple: true }) === APPLICATION_ID;
    if (tables !== 0 && !isOurs) throw new DatabaseUnusable('foreign', path);
    // The check reads every page only once; a larger cache would just stay in memory.
    raw.pragma('cache_size = -256');
    const isSound = size > CHECKED_BYTES || raw.pragma('quick_check(1)', { simple: true }) === 'ok';
    if (!isSound) throw new DatabaseUnusable('corrupt', path);
    const version = unknownVersionReason(raw);
    if (version !== undefined) throw new DatabaseUnusable(version, path);
    const missing = findMissingObject(raw);
    if (missing !== undefined) throw new DatabaseUnusable('incomplete', path, new Error(`${missing} is missing`));
    if (!canUnsealAll(raw, readVaults(path, keys).all)) throw new DatabaseUnusable('sealed', path);
  } finally {
    raw.close();
  }
}

/**
 * Throws if the file is write-protected. SQLite opens such a file without an error, even with BEGIN IMMEDIATE, and
 * fails only at the first write. This function makes a write and rolls it back before it reaches the disk.
 */
function requireWritable(raw: Sqlite.Database): void {
  raw.exec('BEGIN; PRAGMA user_version = 1; ROLLBACK');
}

function connect(path: string, { keys, keysFrom, waitMs }: Opening): OpenDatabase {
  const raw = new Sqlite(path, { timeout: waitMs });
  try {
    // Two servers on one file would miss each other's live messages. The operating system holds the lock, so it is
    // always released when the process ends. Set the mode before the log is first used.
    raw.pragma('locking_mode = EXCLUSIVE');
    raw.pragma('journal_mode = WAL');
    // Each commit is in the log, and so with the operating system, before it is acknowledged. A killed process
    // therefore loses nothing. FULL would add a sync per commit, which only protects against a power failure.
    raw.pragma('synchronous = NORMAL');
    raw.pragma('cache_size = -32768');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('journal_size_limit = 67108864');
    requireWritable(raw);
    if (raw.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      raw.pragma(`application_id = ${APPLICATION_ID}`);
    }
    const database = setUpConnection(raw, { vaults: readVaults(path, keys), keysFrom });
    scrubColumns(raw);
    const stopCheckpoints = checkpointBetweenRequests(raw);
    const stopMerges = mergeBetweenRequests(raw);
    return {
      ...database,
      close() {
        stopCheckpoints();
        stopMerges();
        database.close();
      },
    };
  } catch (failure) {
    raw.close();
    throw failure;
  }
}
