import type Sqlite from 'better-sqlite3';
import type { Tx } from './database.ts';
import { sqlStatement } from './sql-statement.ts';

/** Turns off the triggers of `0001_member_index.sql` until the row is deleted. */
const REST = 'INSERT INTO member_trigger_rests VALUES (1)';
const WAKE = 'DELETE FROM member_trigger_rests';
const rest = sqlStatement(REST);
const wake = sqlStatement(WAKE);

/**
 * Runs `work`, which fills or empties the member tables, then rebuilds the counts and the search index. This is a
 * hundred times as fast as updating them row by row. Call it inside a transaction.
 */
export function rebuildMemberIndex(raw: Sqlite.Database, work: () => void): void {
  raw.exec(REST);
  work();
  raw.exec(`
    DELETE FROM member_counts;
    INSERT INTO member_counts
      SELECT orgCode, roleCode, accountStatus, count(*) FROM members GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
    INSERT INTO member_search (member_search) VALUES ('rebuild');
    ${WAKE}
  `);
}

/**
 * Runs `work`, which copies members and counts from another database. Rebuilds the search index if `work` returns
 * true (a member changed). Call it inside a transaction.
 */
export function refreshMemberSearch(raw: Sqlite.Database, work: () => boolean): void {
  raw.exec(REST);
  if (work()) raw.exec(`INSERT INTO member_search (member_search) VALUES ('rebuild')`);
  raw.exec(WAKE);
}

/**
 * Runs `work` with the member triggers turned off, so `work` must update the counts and the search index itself. Call
 * it inside a transaction.
 */
export function withoutMemberTriggers(tx: Tx, work: () => void): void {
  rest(tx).run();
  try {
    work();
  } finally {
    // Turn the triggers back on even after an error, because the caller might catch it and continue the transaction.
    wake(tx).run();
  }
}
