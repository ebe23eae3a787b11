import { hash } from 'node:crypto';
import type { OpenDatabase } from '../database.ts';
import { dumpOf } from '../testing.ts';

/**
 * A digest of each table's rows as a set, secrets in clear: where a row stands in the file does not count.
 * @param laterColumns by table: columns that are younger than the digest; they count only where they hold something
 * other than this
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
