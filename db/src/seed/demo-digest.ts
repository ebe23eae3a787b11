import { hash } from 'node:crypto';
import type { OpenDatabase } from '../database.ts';
import { dumpOf } from '../testing.ts';

/**
 * Returns a digest of each table's rows as a set, with secrets in plain text; the order of rows doesn't matter.
 * @param laterColumns by table: columns that are newer than the digest; they count only if their value differs from
 * this one
 */
export function digestsOf(
  database: OpenDatabase,
  laterColumns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Record<string, string> {
  const digests = Object.entries(dumpOf(database)).map(([table, rows]) => {
    const later = laterColumns[table] ?? {};
    const texts = rows
      .map((row) =>
        JSON.stringify({ ...Object(row), rowid: 0 }, (key, value) =>
          key in later && value === later[key] ? undefined : value,
        ),
      )
      .toSorted();
    return [table, `${rows.length} ${hash('sha256', texts.join('\n'), 'base64url').slice(0, 22)}`] as const;
  });
  return Object.fromEntries(digests.filter(([table]) => !table.startsWith('__') && !table.startsWith('member_search')));
}
