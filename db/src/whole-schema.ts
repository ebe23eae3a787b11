import Sqlite from 'better-sqlite3';
import { MIGRATIONS_TABLE, migrateStepwise } from './migrations.ts';

/**
 * Returns the schema produced by all migrations as a single script. `pnpm generate` writes it to
 * `db/migrations/whole.sql`.
 */
export function wholeSchema(): string {
  const raw = new Sqlite(':memory:');
  migrateStepwise(raw);
  const texts = (query: string) => raw.prepare<[], string>(query).pluck().all();
  // Exclude shadow tables, which SQLite creates along with their virtual table.
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
