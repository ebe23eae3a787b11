import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseUnusable, type UnusableReason } from './database-unusable.ts';
import { openDatabase } from './open.ts';
import { seedDatabase } from './seed/seed-database.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-db-'));
  file = join(folder, 'portal.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the error that opening `path` throws. */
function refusal(path = file): DatabaseUnusable {
  try {
    openDatabase({ file: path, waitMs: 0 }).close();
  } catch (failure) {
    if (failure instanceof DatabaseUnusable) return failure;
    throw failure;
  }
  throw new Error(`${path} was opened`);
}

function expectRefusal(reason: UnusableReason, path = file): void {
  const { reason: given, message } = refusal(path);
  expect(given).toBe(reason);
  expect(message).toContain(path);
  expect(message).not.toContain('\n');
}

/** Expects opening to fail for `reason` and to leave the file and its companion files unchanged. */
function expectUntouched(reason: UnusableReason): void {
  const before = readFileSync(file);
  const hadLog = existsSync(`${file}-wal`);
  const log = hadLog ? readFileSync(`${file}-wal`) : undefined;
  expectRefusal(reason);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(`${file}-wal`)).toBe(hadLog);
  if (log) expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
}

function makeDemo(): void {
  const database = openDatabase({ file });
  seedDatabase(database.db, 'demo', now);
  database.close();
}

test('creates a database and its folder, and reopens it unchanged', () => {
  file = join(folder, 'data', 'deep', 'portal.db');
  makeDemo();
  const again = openDatabase({ file });
  expect(seedDatabase(again.db, 'demo', now)).toBe(false);
  expect(again.raw.prepare('SELECT count(*) FROM organisations').pluck().get()).toBe(2);
  again.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('adds .gitignore to a folder it creates, but not to an existing folder', () => {
  file = join(folder, 'data', 'deep', 'portal.db');
  openDatabase({ file }).close();
  expect(readFileSync(join(folder, 'data', 'deep', '.gitignore'), 'utf8')).toBe('*\n');
  file = join(folder, 'data', 'portal.db');
  openDatabase({ file }).close();
  expect(readdirSync(join(folder, 'data')).filter((name) => !name.startsWith('portal.db'))).toEqual(['deep']);
});

test("adds .gitignore to an older version's folder unless it contains other files", () => {
  file = join(folder, 'data', 'portal.db');
  const ignored = join(folder, 'data', '.gitignore');
  openDatabase({ file }).close();
  rmSync(ignored);
  writeFileSync(join(folder, 'data', 'lab-token'), 'a-token-of-the-lab');
  openDatabase({ file }).close();
  expect(readFileSync(ignored, 'utf8')).toBe('*\n');

  rmSync(ignored);
  writeFileSync(join(folder, 'data', 'notes.txt'), 'unrelated notes');
  openDatabase({ file }).close();
  expect(existsSync(ignored)).toBe(false);
});

test('opens an in-memory database without a file', () => {
  const { raw, close } = openDatabase({ file: ':memory:' });
  expect(raw.prepare('SELECT count(*) FROM organisations').pluck().get()).toBe(0);
  close();
});

test('enforces foreign keys', () => {
  const { raw, close } = openDatabase({ file: ':memory:' });
  expect(() =>
    raw.exec(`INSERT INTO roles VALUES ('nobody', 'USER', 'Org User', 'user', '[]', NULL, NULL, NULL)`),
  ).toThrow(/FOREIGN KEY/);
  close();
});

test('initialises an empty file as a database', () => {
  writeFileSync(file, '');
  openDatabase({ file }).close();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
});

test('rejects a file that is not a database and leaves it unchanged', () => {
  writeFileSync(file, 'Dear diary, today I was not a database. '.repeat(400));
  expectUntouched('corrupt');
});

test('rejects a file of only a few bytes', () => {
  writeFileSync(file, 'hello');
  expectUntouched('corrupt');
});

test('rejects a truncated database and leaves it unchanged', () => {
  makeDemo();
  writeFileSync(file, readFileSync(file).subarray(0, 100_000));
  expectUntouched('corrupt');
});

test('rejects a database with damaged pages and leaves it unchanged', () => {
  makeDemo();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 200_000, 230_000);
  writeFileSync(file, bytes);
  expectUntouched('corrupt');
});

test("rejects another program's database and leaves it unchanged", () => {
  const other = new Sqlite(file);
  other.exec('CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES (1)');
  other.close();
  expectUntouched('foreign');
});

test.each([
  ['the outbox table', 'DROP TABLE outbox'],
  ['its table of migrations', 'DROP TABLE __drizzle_migrations'],
  ['an expected index', 'DROP INDEX members_primary_email'],
  ['an expected trigger', 'DROP TRIGGER members_updated'],
])('rejects a database without %s and leaves it unchanged', (_, statement) => {
  makeDemo();
  const changed = new Sqlite(file);
  changed.pragma('foreign_keys = OFF');
  changed.exec(statement);
  changed.close();
  expectUntouched('incomplete');
  expect(refusal().message).toContain(`${statement.split(' ').at(-1)} is missing`);
});

test('rejects an older database if a migration fails on it', () => {
  makeDemo();
  const older = new Sqlite(file);
  older.exec('DELETE FROM __drizzle_migrations WHERE rowid > 1');
  older.close();
  expectRefusal('incomplete');
  expect(refusal().message).toContain('already exists');
});

test('reports a full disk while seeding, and seeds successfully later', () => {
  const { db, raw, close } = openDatabase({ file });
  raw.pragma(`max_page_count = ${raw.pragma('page_count', { simple: true })}`);
  expect(() => seedDatabase(db, 'demo', now)).toThrow(
    expect.objectContaining({
      name: 'DatabaseUnusable',
      reason: 'full',
      message: `The disk that holds the database ${file} is full. Free some space, or choose another DATABASE_FILE.`,
    }),
  );
  raw.pragma('max_page_count = 1000000');
  expect(seedDatabase(db, 'demo', now)).toBe(true);
  close();
});

const FROM_THE_FUTURE = `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a later version', 9e12)`;

test('rejects a newer database and leaves it unchanged', () => {
  makeDemo();
  const later = new Sqlite(file);
  later.exec(FROM_THE_FUTURE);
  later.close();
  expectUntouched('newer');
});

test("rejects an unreleased version's database and leaves it unchanged", () => {
  makeDemo();
  const unreleased = new Sqlite(file);
  unreleased.exec(`
    DELETE FROM __drizzle_migrations WHERE rowid = (SELECT max(rowid) FROM __drizzle_migrations);
    INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('replaced before its release', 1795999591032);
  `);
  unreleased.close();
  expectUntouched('unreleased');
  expect(refusal().message).toContain('written by an unreleased version');
});

test("keeps a newer database's log after its server was killed", () => {
  makeDemo();
  const killed = join(folder, 'killed.db');
  const later = new Sqlite(file);
  later.exec(FROM_THE_FUTURE);
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${killed}${part}`);
  later.close();
  file = killed;
  expectUntouched('newer');
});

test('rejects a folder as the database file', () => {
  mkdirSync(file);
  expectRefusal('folder');
});

test('rejects a path below a file', () => {
  writeFileSync(file, '');
  expectRefusal('unwritable', join(file, 'portal.db'));
});

test.runIf(existsSync('/proc'))('rejects a path where the system does not allow folders', () => {
  expectRefusal('unwritable', '/proc/no-such-folder/portal.db');
});

/** Runs `work` as an ordinary user, because root ignores write protection. */
function asOrdinaryUser(work: () => void): void {
  if (process.getuid?.() !== 0) {
    work();
    return;
  }
  process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}

test('rejects a write-protected database and leaves it unchanged', () => {
  makeDemo();
  chmodSync(file, 0o444);
  chmodSync(folder, 0o777);
  asOrdinaryUser(() => expectUntouched('unwritable'));
});

test('rejects a write-protected folder', () => {
  chmodSync(folder, 0o555);
  asOrdinaryUser(() => expectRefusal('unwritable'));
  expect(existsSync(file)).toBe(false);
});

test('rejects a database that is already open', () => {
  const first = openDatabase({ file });
  expectRefusal('locked');
  first.close();
  openDatabase({ file }).close();
});

const writer = `
  import { writeSync } from 'node:fs';
  import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open.ts'))};
  const { raw } = openDatabase({ file: process.argv[1] });
  const insert = raw.prepare("INSERT INTO signing_keys VALUES (?, 'session', '{}', 0)");
  for (let answered = 1; ; answered += 1) {
    insert.run(String(answered));
    writeSync(1, answered + ' ');
  }
`;

test('keeps every acknowledged write and releases the lock when the process is killed', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', writer, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answers = '';
  child.stdout.on('data', (chunk) => {
    answers += chunk;
    if (answers.length < 2_000 || child.killed) return;
    expectRefusal('locked');
    child.kill('SIGKILL');
  });
  await once(child, 'close');
  const answered = Number(answers.trim().split(' ').at(-1));
  expect(answered).toBeGreaterThan(100);
  const { raw, close } = openDatabase({ file });
  // The last write might have been stored without being acknowledged.
  const keyCount = raw.prepare('SELECT count(*) FROM signing_keys').pluck().get();
  expect([answered, answered + 1]).toContain(keyCount);
  close();
});
