import Sqlite from 'better-sqlite3';

/**
 * Log size, in pages of 4 kB, that starts a checkpoint: a page changed by many sign-ins is then written to the file
 * once. With a quarter of it, checkpoints took 8 % of the processor time of sign-ins by OpenID Connect.
 */
const PAGES = 4_000;
/** At this size, SQLite runs a checkpoint itself, within the commit. */
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
export function checkpointBetweenRequests(raw: Sqlite.Database): () => void {
  raw.pragma(`wal_autocheckpoint = ${PAGES_AT_MOST}`);
  const stateOf = raw.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = raw.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const timer = setInterval(() => {
    try {
      const { log = 0, checkpointed = 0 } = stateOf.get() ?? {};
      if (log - checkpointed >= PAGES) checkpoint.get();
    } catch (reason) {
      // A full disk, for example: everything is still in the log, and the next attempt may succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
