import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
import { giveFoldCase } from './fold-case.ts';
import { MIGRATIONS_TABLE } from './migrations.ts';
import { openDatabase } from './open.ts';
import { outboxRepo } from './repos/index.ts';
import { openRows, type Row } from './sealed-columns.ts';
import { dumpOf } from './testing.ts';
import { vaultOf } from './vault.ts';

const migrations = join(import.meta.dirname, '..', 'migrations');
const read = (name: string) => readFileSync(join(migrations, name), 'utf8');

interface Delivered {
  tag: string;
  when: number;
  sha256: string;
}

// Released databases have these migrations: never edit one, add a new one (decision 001).
test('a migration that has been delivered stays as it is, in its place', () => {
  const delivered: Delivered[] = JSON.parse(read('delivered.json'));
  expect(delivered.length).toBeGreaterThanOrEqual(2);
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  expect(
    entries
      .slice(0, delivered.length)
      .map(({ tag, when }) => ({ tag, when, sha256: hash('sha256', read(`${tag}.sql`), 'hex') })),
  ).toEqual(delivered);
  const times = entries.map(({ when }) => when);
  // The migrator applies every migration later than the last one applied.
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

test('every file of a migration is in the journal', () => {
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql') && name !== 'whole.sql');
  expect(files.toSorted()).toEqual(entries.map(({ tag }) => `${tag}.sql`));
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-delivered-'));
  file = join(folder, 'portal.db');
  writeVersion010(file);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ordinary tables with all their rows: only the columns that `columnsOf` names, or all of them. */
function rowsOf(raw: Sqlite.Database, columnsOf?: ReadonlyMap<string, string[]>): Map<string, Row[]> {
  const tables = raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1`,
    )
    .pluck()
    .all();
  const entries = (columnsOf ? [...columnsOf.keys()] : tables).map((table): [string, Row[]] => {
    const columns = columnsOf?.get(table)?.map((name) => `"${name}"`) ?? ['*'];
    return [table, raw.prepare<[], Row>(`SELECT ${columns.join(', ')} FROM "${table}" ORDER BY rowid`).all()];
  });
  return new Map(entries);
}

test('a database of version 0.1.0 opens with every row of every table as it was', () => {
  const old = new Sqlite(file, { readonly: true });
  const before = rowsOf(old);
  old.close();
  const tables = [...before].filter(([table, rows]) => rows.length > 0 && table !== MIGRATIONS_TABLE);
  expect(tables.length).toBeGreaterThan(20);
  const columns = new Map(tables.map(([table, rows]) => [table, Object.keys(rows[0] ?? {})]));

  const { db, raw, close } = openDatabase({ file });
  const after = rowsOf(raw, columns);
  for (const [table, rows] of tables) {
    // Its codes have moved to another table.
    if (table === 'outbox') continue;
    expect.soft(openRows(vaultOf(db), table, after.get(table) ?? []), table).toEqual(rows);
  }
  const said = outboxRepo.listOutbox(db, { limit: 1_000 }).map(({ id, facts, code }) => ({ id, facts, code }));
  const wasSaid = before.get('outbox')?.map(({ id, facts, code }) => ({ id, facts: JSON.parse(String(facts)), code }));
  expect(new Set(said)).toEqual(new Set(wasSaid));
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(raw.pragma('foreign_key_check')).toEqual([]);
  expect(raw.prepare('SELECT count(*) FROM member_search').pluck().get()).toBe(1_036);
  expect(after.get('one_time_codes')?.[0]?.to).toBe(VERSION_0_1_0.signUp);
  close();

  // Again, as at the next start: nothing is left to do.
  const again = openDatabase({ file });
  expect(rowsOf(again.raw, columns)).toEqual(after);
  again.close();
});

/** A folder with the migrations up to one of them, as an earlier version had them. */
function migrationsUpTo(last: number): string {
  const journal: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  const entries = journal.entries.slice(0, last + 1);
  const path = join(folder, `migrations-${last}`);
  mkdirSync(join(path, 'meta'), { recursive: true });
  for (const { tag } of entries) copyFileSync(join(migrations, `${tag}.sql`), join(path, `${tag}.sql`));
  writeFileSync(join(path, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
  return path;
}

test('a database that was opened with every version in between has the same as one that skipped them', {
  tags: 'whole',
}, () => {
  const stopovers = join(folder, 'stopovers.db');
  copyFileSync(file, stopovers);
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  for (const last of entries.keys()) {
    const raw = new Sqlite(stopovers);
    giveFoldCase(raw);
    migrate(drizzle(raw), { migrationsFolder: migrationsUpTo(last), migrationsTable: MIGRATIONS_TABLE });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
  }
  const [direct, stepwise] = [openDatabase({ file }), openDatabase({ file: stopovers })];
  expect(dumpOf(stepwise)).toEqual(dumpOf(direct));
  direct.close();
  stepwise.close();
});
