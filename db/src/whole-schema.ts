import Sqlite from 'better-sqlite3';
import { MIGRATIONS_TABLE, migrateStepwise } from './migrations.ts';

/**
 * Returns the result of all migrations on an empty database as one script: the text of `db/migrations/whole.sql`, which
 * `pnpm generate` writes.
 */
export function wholeSchema(): string {
  const raw = new Sqlite(':memory:');
  migrateStepwise(raw);
  const texts = (query: string) => raw.prepare<[], string>(query).pluck().all();
  // The shadow tables of a virtual table are created with it.
  const created = texts(`
    SELECT sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND tbl_name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
    ORDER BY rowid`);
  const indexes = texts(`SELECT name FROM pragma_table_list WHERE type = 'virtual' ORDER BY name`);
  const settings = indexes.flatMap((index) =>
    texts(`
      SELECT 'INSERT INTO ${index} (${index}, rank) VALUES (' || quote(k) || ', ' || quote(v) || ')'
      FROM ${index}_config WHERE k <> 'version' ORDER BY k`),
  );
  const applied = texts(`
    SELECT 'INSERT INTO ${MIGRATIONS_TABLE} (hash, created_at) VALUES (' || quote(hash) || ', ' || quote(created_at) || ')'
    FROM ${MIGRATIONS_TABLE} ORDER BY rowid`);
  raw.close();
  return `-- Generated from the migrations by \`pnpm generate\`: what they make of an empty database.\n${[...created, ...settings, ...applied].join(';\n')};\n`;
}
