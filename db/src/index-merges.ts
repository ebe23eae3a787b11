import Sqlite from 'better-sqlite3';

/** Full-text indexes with automatic merging turned off (migration `0006_index_merging`). */
const INDEXES = ['member_search', 'audit_search'] as const;
/** Number of pages merged per step. A step merges more if a single entry is longer. */
const PAGES = 16;
/** Maximum time for merging before other work gets a turn, in milliseconds. */
const TURN_MS = 10;
const LOOK_MS = 50;
/** Delay before the next turn while an index still needs merging, in milliseconds. */
const SOON_MS = 10;

/**
 * Merges the segments of the full-text indexes (SQLite FTS5 §6.8) between requests. FTS5 would otherwise merge inside
 * whichever write fills a level, and that write would take several times as long as others.
 * @returns a function that stops the merging
 */
export function mergeBetweenRequests(raw: Sqlite.Database): () => void {
  const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
  const merges = INDEXES.map((index) =>
    raw.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`),
  );
  const changed = () => changes.get() ?? 0;
  /** Number of changes on the connection when nothing was left to merge. */
  let mergedAt = -1;

  /** Merges for one turn. Returns true if there is more to merge. */
  function mergeSome(): boolean {
    if (changed() === mergedAt) return false;
    const end = performance.now() + TURN_MS;
    for (const merge of merges) {
      while (isWork(merge)) if (performance.now() > end) return true;
    }
    mergedAt = changed();
    return false;
  }

  /**
   * Runs one merge step and returns true if it merged anything. A step with nothing to merge changes at most one row
   * (FTS5 §6.8).
   */
  function isWork(merge: Sqlite.Statement): boolean {
    const before = changed();
    merge.run();
    return changed() - before > 1;
  }

  function look(): void {
    let isMore = false;
    try {
      isMore = mergeSome();
    } catch (reason) {
      // SQLite can fail here, for example on a full disk. Searches still work, and the next attempt may succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
    timer = setTimeout(look, isMore ? SOON_MS : LOOK_MS).unref();
  }

  let timer = setTimeout(look, LOOK_MS).unref();
  return () => clearTimeout(timer);
}
