import Sqlite from 'better-sqlite3';

/** Pages of 4 kB. A page that many sign-ins have changed goes to the file once for as many. */
const PAGES = 1_000;
/** Beyond these SQLite does not wait, and folds the log within the transaction that is under way. */
const PAGES_AT_MOST = 8_000;
const LOOK_MS = 50;

interface LogState {
  log: number;
  checkpointed: number;
}

/**
 * Writes what has been committed from the log into the file in turns of its own, so that the write that fills the log does
 * not have to wait for the disk as well.
 * @returns ends it
 */
export function foldLogInTurns(raw: Sqlite.Database): () => void {
  raw.pragma(`wal_autocheckpoint = ${PAGES_AT_MOST}`);
  const stateOf = raw.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
  const fold = raw.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const timer = setInterval(() => {
    try {
      const { log = 0, checkpointed = 0 } = stateOf.get() ?? {};
      if (log - checkpointed >= PAGES) fold.get();
    } catch (reason) {
      // A full disk, say: all of it is still in the log, and the next turn tries again.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
