import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drizzle, migrate } from '#drizzle';
import { vaultOf } from './database.ts';
import { VERSION_0_1_0, writeVersion010 } from './fixtures/delivered-version.ts';
import { registerFoldCase } from './fold-case.ts';
import { MIGRATIONS_TABLE } from './migrations.ts';
import { openDatabase } from './open.ts';
import { outboxRepo } from './repos/index.ts';
import { type Row, unsealRows } from './sealed-columns.ts';
import { dumpDatabase } from './testing.ts';

const migrations = join(import.meta.dirname, '..', 'migrations');
const read = (name: string) => readFileSync(join(migrations, name), 'utf8');

interface Delivered {
  tag: string;
  when: number;
  sha256: string;
}

// Released databases already have these migrations: never edit one, add a new one (decision 001).
test('released migrations keep their content and order', () => {
  const delivered: Delivered[] = JSON.parse(read('delivered.json'));
  expect(delivered.length).toBeGreaterThanOrEqual(2);
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  expect(
    entries
      .slice(0, delivered.length)
      .map(({ tag, when }) => ({ tag, when, sha256: hash('sha256', read(`${tag}.sql`), 'hex') })),
  ).toEqual(delivered);
  const times = entries.map(({ when }) => when);
  // The migrator skips migrations that are not later than the last one applied, so the timestamps must increase.
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

test('the journal lists every migration file', () => {
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql') && name !== 'whole.sql');
  expect(files.toSorted()).toEqual(entries.map(({ tag }) => `${tag}.sql`));
});

test('only the newest migration has a schema snapshot', () => {
  const { entries }: { entries: { idx: number }[] } = JSON.parse(read('meta/_journal.json'));
  const newest = String(entries.at(-1)?.idx).padStart(4, '0');
  const snapshots = readdirSync(join(migrations, 'meta')).filter((name) => name !== '_journal.json');
  expect(snapshots, 'pnpm generate').toEqual([`${newest}_snapshot.json`]);
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-delivered-'));
  file = join(folder, 'portal.db');
  writeVersion010(file);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns all rows of the ordinary tables, with the columns listed in `columnsOf` or all columns. */
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

test('opens a version 0.1.0 database with all rows unchanged', () => {
  const old = new Sqlite(file, { readonly: true });
  const before = rowsOf(old);
  old.close();
  const tables = [...before].filter(([table, rows]) => rows.length > 0 && table !== MIGRATIONS_TABLE);
  expect(tables.length).toBeGreaterThan(20);
  const columns = new Map(tables.map(([table, rows]) => [table, Object.keys(rows[0] ?? {})]));

  const { db, raw, close } = openDatabase({ file });
  const after = rowsOf(raw, columns);
  for (const [table, rows] of tables) {
    // Codes have moved from the outbox to another table, so the outbox is compared below.
    if (table === 'outbox') continue;
    expect.soft(unsealRows(vaultOf(db), table, after.get(table) ?? []), table).toEqual(rows);
  }
  const outboxRows = outboxRepo.listOutbox(db, { limit: 1_000 }).map(({ id, facts, code }) => ({ id, facts, code }));
  const expectedRows = before
    .get('outbox')
    ?.map(({ id, facts, code }) => ({ id, facts: JSON.parse(String(facts)), code }));
  expect(new Set(outboxRows)).toEqual(new Set(expectedRows));
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(raw.pragma('foreign_key_check')).toEqual([]);
  expect(raw.prepare('SELECT count(*) FROM member_search').pluck().get()).toBe(1_036);
  expect(after.get('one_time_codes')?.[0]?.to).toBe(VERSION_0_1_0.signUp);
  close();

  // Opening the database again applies no migrations and changes no rows.
  const again = openDatabase({ file });
  expect(rowsOf(again.raw, columns)).toEqual(after);
  again.close();
});

/** Rows that later migrations change. The stored 0.1.0 database doesn't contain them. */
const MORE_ROWS = `
  INSERT INTO applications (orgCode, appId, name, nameKey, integrationType, createdAt) VALUES
    ('acme', 'intranet', 'Intranet', 'intranet', 'oidc', 0),
    ('acme', 'expenses', 'Expenses', 'expenses', 'oidc', 0);
  INSERT INTO oidc_clients
    (orgCode, appId, redirectUris, postLogoutRedirectUris,
     ttlIdToken, ttlAccessToken, ttlAuthorizationCode, ttlRefreshToken) VALUES
    ('acme', 'intranet', '["https://intranet.acme.test/"]', '[]', 0, 3600, 60, 0),
    ('acme', 'expenses', '["https://expenses.acme.test/", "com.acme.expenses:/"]', '[]', 3600, 3600, 60, 60);
  UPDATE members SET userName = 'Ärger' WHERE primaryEmail = 'super.admin@acme.test';
  UPDATE members SET userName = 'ärger' WHERE primaryEmail = 'helpdesk.admin@acme.test';
  UPDATE members SET userName = 'ÇELIK' WHERE primaryEmail = 'security.admin@acme.test';
  INSERT INTO invitations (hash, orgCode, suid, type, email, validFrom, expiresAt)
    SELECT 'earlier', orgCode, suid, 'mobile', primaryEmail, 1000, 5000 FROM members WHERE primaryEmail = 'sho.ito@acme.test'
    UNION SELECT 'newest', orgCode, suid, 'mobile', primaryEmail, 2000, 6000 FROM members WHERE primaryEmail = 'sho.ito@acme.test'
    UNION SELECT 'registered', orgCode, suid, 'mobile', primaryEmail, 3000, 7000 FROM members WHERE primaryEmail = 'user@acme.test';
  INSERT INTO app_logins (id, orgCode, appId, protocol, browserHash, createdAt, expiresAt)
    VALUES ('1', 'acme', 'payroll', 'oidc', 'hash', 0, 1);
  INSERT INTO external_sign_ins (stateHash, orgCode, browserHash, nonce, codeVerifier, createdAt, expiresAt)
    VALUES ('1', 'acme', 'hash', '', '', 0, 1);`;

test('converts version 0.1.0 rows whose meaning changed later', () => {
  const old = new Sqlite(file);
  old.exec(MORE_ROWS);
  old.close();
  const { raw, close } = openDatabase({ file });
  const rows = (query: string) => raw.prepare(query).raw().all();
  expect(rows('SELECT appId, kind, claims, ttlIdToken, ttlRefreshToken FROM oidc_clients ORDER BY appId')).toEqual([
    ['acme-portal-sso', 'web', '[]', 3600, 1_209_600],
    ['expenses', 'native', '[]', 3600, 60],
    ['intranet', 'single-page', '[]', 1, 0],
    ['payroll', 'web', '[]', 3600, 1_209_600],
    ['team-wiki', 'web', '[]', 3600, 1_209_600],
  ]);
  expect(rows('SELECT userName, userNameKey FROM members WHERE userName IS NOT NULL ORDER BY id')).toEqual([
    ['Ärger', 'Ärger'],
    ['ärger', 'ärger'],
    ['ÇELIK', 'çelik'],
  ]);
  expect(rows('SELECT hash, invitedAt, closedAt FROM invitations ORDER BY hash')).toEqual([
    ['earlier', 1000, 1000],
    ['newest', 2000, null],
    ['registered', 3000, 3000],
  ]);
  expect(rows('SELECT browser FROM app_logins')).toEqual([[null]]);
  expect(rows('SELECT browser FROM external_sign_ins')).toEqual([['hash']]);
  expect(rows('SELECT DISTINCT mailLanguage FROM organisations')).toEqual([['en']]);
  expect(rows('SELECT DISTINCT language FROM outbox')).toEqual([['en']]);
  close();
});

/** Returns a folder with the migrations up to number `last`, as an earlier version shipped them. */
function migrationsUpTo(last: number): string {
  const journal: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  const entries = journal.entries.slice(0, last + 1);
  const path = join(folder, `migrations-${last}`);
  mkdirSync(join(path, 'meta'), { recursive: true });
  for (const { tag } of entries) copyFileSync(join(migrations, `${tag}.sql`), join(path, `${tag}.sql`));
  writeFileSync(join(path, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
  return path;
}

test('upgrading version by version produces the same database as upgrading directly', {
  tags: 'whole',
}, () => {
  const stopovers = join(folder, 'stopovers.db');
  copyFileSync(file, stopovers);
  const { entries }: { entries: Delivered[] } = JSON.parse(read('meta/_journal.json'));
  for (const last of entries.keys()) {
    const raw = new Sqlite(stopovers);
    registerFoldCase(raw);
    migrate(drizzle(raw), { migrationsFolder: migrationsUpTo(last), migrationsTable: MIGRATIONS_TABLE });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
  }
  const [direct, stepwise] = [openDatabase({ file }), openDatabase({ file: stopovers })];
  expect(dumpDatabase(stepwise)).toEqual(dumpDatabase(direct));
  direct.close();
  stepwise.close();
});
