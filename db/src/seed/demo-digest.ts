import { hash } from 'node:crypto';
import type { OpenDatabase } from '../database.ts';
import { dumpDatabase } from '../testing.ts';

/**
 * Returns a digest of each table's rows, with secrets in plain text. Row order doesn't matter.
 * @param laterColumns columns added since the digest was recorded, by table, with their default values; values equal
 * to the default are ignored
 */
export function tableDigests(
  database: OpenDatabase,
  laterColumns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Record<string, string> {
  const digests = Object.entries(dumpDatabase(database)).map(([table, rows]) => {
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
