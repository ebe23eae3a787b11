import Sqlite from 'better-sqlite3';

/** The full-text indexes, which don't merge by themselves (migration `0006_index_merging`). */
const INDEXES = ['member_search', 'audit_search'] as const;
/** Pages of an index that one step merges, unless a single entry is longer. */
const PAGES = 16;
/** Milliseconds that steps may take together before others get a turn. */
const TURN_MS = 10;
const LOOK_MS = 50;
/** Milliseconds until the next turn while an index is still waiting. */
const SOON_MS = 10;

/**
 * Merges the segments of the full-text indexes (SQLite FTS5 §6.8) between requests. FTS5 would do it within the write
 * that happens to fill a level, which then takes several times as long as others.
 * @returns a function that stops it
 */
export function mergeBetweenRequests(raw: Sqlite.Database): () => void {
  const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
  const merges = INDEXES.map((index) =>
    raw.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`),
  );
  const changed = () => changes.get() ?? 0;
  /** The number of changes when nothing was left to merge. */
  let mergedAt = -1;

  /** Returns whether something is left to merge. */
  function mergeSome(): boolean {
    if (changed() === mergedAt) return false;
    const end = performance.now() + TURN_MS;
    for (const merge of merges) {
      while (isWork(merge)) if (performance.now() > end) return true;
    }
    mergedAt = changed();
    return false;
  }

  /** A step that finds nothing to merge changes at most one row (FTS5 §6.8). */
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
      // A full disk, for example: the index can be searched as it is, and the next attempt may succeed.
      if (!(reason instanceof Sqlite.SqliteError)) throw reason;
    }
    timer = setTimeout(look, isMore ? SOON_MS : LOOK_MS).unref();
  }

  let timer = setTimeout(look, LOOK_MS).unref();
  return () => clearTimeout(timer);
}
