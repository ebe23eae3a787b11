import { type OpenDatabase, vaultOf } from './database.ts';
import type { TargetRow } from './repos/provisioning/outbound-targets.ts';
import { type Row, unsealRows } from './sealed-columns.ts';
import { type InMemoryOptions, openSeededInMemory } from './seed/seeded-in-memory.ts';

/** Opens a seeded in-memory database, by default with the keys of a local portal. */
export const memoryDb = (options: InMemoryOptions): OpenDatabase =>
  openSeededInMemory({ keysFrom: 'names', ...options });

/**
 * Returns the SCIM service of acme's Team Wiki before any member is marked for sending.
 * @param more fields to override
 */
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
 * Returns all rows of all tables in insertion order. Secrets are unsealed, which makes databases with different keys
 * comparable.
 */
export function dumpDatabase({ db, raw }: OpenDatabase): Record<string, unknown[]> {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'sealed_columns') ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => {
      const rows = raw.prepare<[], Row>(`SELECT rowid, * FROM main."${table}" ORDER BY rowid`).all();
      return [table, unsealRows(vaultOf(db), table, rows)];
    }),
  );
}

export { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
export { wholeSchema } from './whole-schema.ts';
