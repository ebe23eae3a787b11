import type Sqlite from 'better-sqlite3';

/** How the triggers of `member-index.sql` are told to rest. */
export const REST = 'INSERT INTO member_trigger_rests VALUES (1)';
export const WAKE = 'DELETE FROM member_trigger_rests';

/**
 * Runs `work`, which fills or empties the tables of members as a whole, and then makes counts and search index anew: a
 * hundred times as fast as keeping them row by row. Belongs into a transaction.
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
