import Sqlite from 'better-sqlite3';

/** The full-text indexes, for which automatic merging is off (migration `0006_index_merging`). */
const INDEXES = ['member_search', 'audit_search'] as const;
/** Pages that one step merges; more if a single entry is longer. */
const PAGES = 16;
/** Milliseconds that steps may take together before other work gets a turn. */
const TURN_MS = 10;
const LOOK_MS = 50;
/** Milliseconds until the next turn while an index has work left. */
const SOON_MS = 10;

/**
 * Merges the segments of the full-text indexes (SQLite FTS5 §6.8) between requests. FTS5 would merge within the write
 * that happens to fill a level, which makes that write several times as long as others.
 * @returns a function that stops it
 */
export function mergeBetweenRequests(raw: Sqlite.Database): () => void {
  const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
  const merges = INDEXES.map((index) =>
    raw.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`),
  );
  const changed = () => changes.get() ?? 0;
  /** The number of changes when there was nothing left to merge. */
  let mergedAt = -1;

  /** Returns true if there is more to merge. */
  function mergeSome(): boolean {
    if (changed() === mergedAt) return false;
    const end = performance.now() + TURN_MS;
    for (const merge of merges) {
      while (isWork(merge)) if (performance.now() > end) return true;
    }
    mergedAt = changed();
    return false;
  }

  /** A step with nothing to merge changes at most one row (FTS5 §6.8). */
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
      // For example a full disk: searches still work, and the next attempt may succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
    timer = setTimeout(look, isMore ? SOON_MS : LOOK_MS).unref();
  }

  let timer = setTimeout(look, LOOK_MS).unref();
  return () => clearTimeout(timer);
}
