import type { OpenDatabase } from './database.ts';
import type { TargetRow } from './repos/provisioning/provisioning-targets.ts';
import { openRows, type Row } from './sealed-columns.ts';
import { type InMemoryOptions, seededInMemory } from './seed/seeded-in-memory.ts';
import { vaultOf } from './vault.ts';

/** A seeded database in memory, with the keys that a local portal has unless the test asks for others. */
export const memoryDb = (options: InMemoryOptions): OpenDatabase => seededInMemory({ keysFrom: 'names', ...options });

/** The SCIM service of acme's Team Wiki, where nobody has been marked yet. @param more what differs. */
export const targetRow = (more: Pick<TargetRow, 'createdAt'> & Partial<TargetRow>): TargetRow => ({
  orgCode: 'acme',
  appId: 'team-wiki',
  url: 'https://scim.test',
  authentication: 'bearer',
  username: '',
  secret: 'a token',
  enabled: true,
  changesBy: 'put',
  withoutAccess: 'deactivate',
  failures: 0,
  pausedUntil: null,
  stoppedAt: null,
  stopReason: '',
  sendManagers: true,
  sendRoles: false,
  sendAttributes: [],
  sendGroups: true,
  markedUpTo: null,
  marksAnew: false,
  ...more,
});

/**
 * Every row of every table in the order in which it was written, with its secrets opened, to compare two databases that
 * have different keys.
 */
export function dumpOf({ db, raw }: OpenDatabase): Record<string, unknown[]> {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sealed_columns') ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => {
      const rows = raw.prepare<[], Row>(`SELECT rowid, * FROM main."${table}" ORDER BY rowid`).all();
      return [table, openRows(vaultOf(db), table, rows)];
    }),
  );
}

export { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
export { wholeSchema } from './whole-schema.ts';
