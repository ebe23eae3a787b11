import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createDatabase, type OpenDatabase } from './database.ts';
import { DatabaseUnusable, explainOpenFailure } from './database-unusable.ts';
import { registerFoldCase } from './fold-case.ts';
import { mergeBetweenRequests } from './index-merges.ts';
import { applyMigrations, missingObject, unknownVersion } from './migrations.ts';
import { ignoreFolderOf, makePrivateFolder } from './paths.ts';
import { canOpen, scrubColumns, sealColumns } from './sealed-columns.ts';
import { memoryVaults, readVaults, type SecretsKeys, type Vaults } from './secrets-key.ts';
import type { KeyOrigin } from './seed/key-source.ts';

/**
 * Log size, in pages of 4 kB, that starts a checkpoint. A page changed by many sign-ins is then written to the file
 * once: with a quarter of this size, checkpoints took 8 % of the processor time of OpenID Connect sign-ins.
 */
const PAGES = 4_000;
/** Log size at which SQLite itself runs a checkpoint, within the commit. */
const PAGES_AT_MOST = 8_000;
const LOOK_MS = 50;

interface LogState {
  log: number;
  checkpointed: number;
}

/**
 * Runs checkpoints (SQLite, write-ahead log §2.1) between requests, so that the write that fills the log doesn't wait
 * for the disk as well.
 * @returns a function that stops them
 */
function checkpointBetweenRequests(raw: Sqlite.Database): () => void {
  raw.pragma(`wal_autocheckpoint = ${PAGES_AT_MOST}`);
  const stateOf = raw.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = raw.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const timer = setInterval(() => {
    try {
      const { log = 0, checkpointed = 0 } = stateOf.get() ?? {};
      if (log - checkpointed >= PAGES) checkpoint.get();
    } catch (reason) {
      // For example a full disk: everything is still in the log, and the next attempt may succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export interface OpenOptions {
  /** Path of the file, which is created with its folder if missing; or `:memory:`. */
  file: string;
  /** Keys that seal the secrets. By default, a key from the file `{file}.key`, or for `:memory:` a random key. */
  keys?: SecretsKeys;
  /** Source of the keys of seeded data; `names` is only for portals that no one else can reach. */
  keysFrom?: KeyOrigin;
  /** Milliseconds to wait for a process that is closing the file. */
  waitMs?: number;
}

type Opening = Required<Omit<OpenOptions, 'file'>>;

/** Application id in the header of our database files: 'ORCH'. */
const APPLICATION_ID = 0x4f524348;

/** Bigger files are not checked in full at start: that would take longer than the start itself. */
const CHECKED_BYTES = 16 * 2 ** 20;

/**
 * Opens the database, migrates it, and holds an exclusive lock until it is closed or the process ends.
 * @throws {DatabaseUnusable} The file cannot be used and has not been changed.
 */
export function openDatabase({
  file,
  keys = {},
  keysFrom = 'installation',
  waitMs = 2_000,
}: OpenOptions): OpenDatabase {
  if (file === ':memory:') return fromConnection(new Sqlite(':memory:'), { vaults: memoryVaults(keys), keysFrom });
  // Absolute, because SQLite would interpret a name that starts with `file:` as a URI.
  const path = resolve(file);
  try {
    makePrivateFolder(dirname(path));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new DatabaseUnusable('folder', path);
    const size = stats?.size ?? 0;
    if (size > 0) inspect(path, { size, keys, waitMs });
    ignoreFolderOf(path);
    keepPrivate(path);
    return connect(path, { keys, keysFrom, waitMs });
  } catch (failure) {
    throw explainOpenFailure(path, failure);
  }
}

/**
 * Makes the database and its companion files readable by their owner only. SQLite gives its log the mode of the
 * database file, so the file is created first, with a narrow mode. A file of another user keeps its mode: its owner
 * decides.
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

/** Migrates and configures a connection, including those of in-memory copies. */
export function fromConnection(
  raw: Sqlite.Database,
  { vaults: { current, older } = memoryVaults({}), keysFrom }: { vaults?: Vaults; keysFrom: KeyOrigin },
): OpenDatabase {
  raw.pragma('foreign_keys = ON');
  registerFoldCase(raw);
  // Before anything is written, because writing needs the key.
  const vault = current();
  applyMigrations(raw);
  sealColumns(raw, vault, older);
  return { db: createDatabase(raw, { vault, keyOrigin: keysFrom }), raw, close: () => void raw.close() };
}

/**
 * Refuses a file that is damaged, not ours, or of a version that this program can't read, before anything is written to
 * it.
 */
function inspect(path: string, { size, keys, waitMs }: Omit<Opening, 'keysFrom'> & { size: number }): void {
  // A log next to the file was left by a killed process: closing a writable connection would merge it into the file.
  const readonly = existsSync(`${path}-wal`);
  const raw = new Sqlite(path, { readonly, timeout: waitMs });
  try {
    if (!readonly) requireWritable(raw);
    const tables = raw.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    const isOurs = raw.pragma('application_id', { simple: true }) === APPLICATION_ID;
    if (tables !== 0 && !isOurs) throw new DatabaseUnusable('foreign', path);
    // The check reads every page once; a larger cache would stay in the process's memory.
    raw.pragma('cache_size = -256');
    const isSound = size > CHECKED_BYTES || raw.pragma('quick_check(1)', { simple: true }) === 'ok';
    if (!isSound) throw new DatabaseUnusable('corrupt', path);
    const version = unknownVersion(raw);
    if (version !== undefined) throw new DatabaseUnusable(version, path);
    const missing = missingObject(raw);
    if (missing !== undefined) throw new DatabaseUnusable('incomplete', path, new Error(`${missing} is missing`));
    if (!canOpen(raw, readVaults(path, keys).all)) throw new DatabaseUnusable('sealed', path);
  } finally {
    raw.close();
  }
}

/**
 * SQLite silently opens a write-protected file for reading, even with BEGIN IMMEDIATE, and fails only at the first
 * write. So this writes something, and rolls it back before it leaves memory.
 */
function requireWritable(raw: Sqlite.Database): void {
  raw.exec('BEGIN; PRAGMA user_version = 1; ROLLBACK');
}

function connect(path: string, { keys, keysFrom, waitMs }: Opening): OpenDatabase {
  const raw = new Sqlite(path, { timeout: waitMs });
  try {
    // Two servers on one file would miss each other's live messages. The operating system holds the lock, so it always
    // ends with the process. It must be requested before the log is first used.
    raw.pragma('locking_mode = EXCLUSIVE');
    raw.pragma('journal_mode = WAL');
    // A commit reaches the log, which the operating system owns, before it is acknowledged: a killed process loses
    // nothing. FULL would add a sync per commit, which only helps against a power failure.
    raw.pragma('synchronous = NORMAL');
    raw.pragma('cache_size = -32768');
    raw.pragma('temp_store = MEMORY');
    raw.pragma('journal_size_limit = 67108864');
    requireWritable(raw);
    if (raw.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      raw.pragma(`application_id = ${APPLICATION_ID}`);
    }
    const database = fromConnection(raw, { vaults: readVaults(path, keys), keysFrom });
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
