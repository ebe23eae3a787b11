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

/** The error that opening `path` throws. */
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

/** Opening is refused, and the file and everything beside it stay unchanged. */
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

test('a database is created with its folder, and opens again as it was left', () => {
  file = join(folder, 'data', 'deep', 'portal.db');
  makeDemo();
  const again = openDatabase({ file });
  expect(seedDatabase(again.db, 'demo', now)).toBe(false);
  expect(again.raw.prepare('SELECT count(*) FROM organisations').pluck().get()).toBe(2);
  again.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('a folder that it makes is not committed with the repository around it, and one that is there stays as it is', () => {
  file = join(folder, 'data', 'deep', 'portal.db');
  openDatabase({ file }).close();
  expect(readFileSync(join(folder, 'data', 'deep', '.gitignore'), 'utf8')).toBe('*\n');
  file = join(folder, 'data', 'portal.db');
  openDatabase({ file }).close();
  expect(readdirSync(join(folder, 'data')).filter((name) => !name.startsWith('portal.db'))).toEqual(['deep']);
});

test('the folder that an older version made is not committed either, and one with other files stays as it is', () => {
  file = join(folder, 'data', 'portal.db');
  const ignored = join(folder, 'data', '.gitignore');
  openDatabase({ file }).close();
  rmSync(ignored);
  writeFileSync(join(folder, 'data', 'lab-token'), 'a-token-of-the-lab');
  openDatabase({ file }).close();
  expect(readFileSync(ignored, 'utf8')).toBe('*\n');

  rmSync(ignored);
  writeFileSync(join(folder, 'data', 'notes.txt'), 'of somebody else');
  openDatabase({ file }).close();
  expect(existsSync(ignored)).toBe(false);
});

test('a database in memory needs no file', () => {
  const { raw, close } = openDatabase({ file: ':memory:' });
  expect(raw.prepare('SELECT count(*) FROM organisations').pluck().get()).toBe(0);
  close();
});

test('foreign keys are enforced', () => {
  const { raw, close } = openDatabase({ file: ':memory:' });
  expect(() =>
    raw.exec(`INSERT INTO roles VALUES ('nobody', 'USER', 'Org User', 'user', '[]', NULL, NULL, NULL)`),
  ).toThrow(/FOREIGN KEY/);
  close();
});

test('an empty file becomes a database', () => {
  writeFileSync(file, '');
  openDatabase({ file }).close();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
});

test('a file that is not a database is refused and stays as it was', () => {
  writeFileSync(file, 'Dear diary, today I was not a database. '.repeat(400));
  expectUntouched('corrupt');
});

test('a file of a few bytes is refused', () => {
  writeFileSync(file, 'hello');
  expectUntouched('corrupt');
});

test('a truncated database is refused and stays as it was', () => {
  makeDemo();
  writeFileSync(file, readFileSync(file).subarray(0, 100_000));
  expectUntouched('corrupt');
});

test('a database with damaged pages is refused and stays as it was', () => {
  makeDemo();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 200_000, 230_000);
  writeFileSync(file, bytes);
  expectUntouched('corrupt');
});

test('a database of another program is refused and stays as it was', () => {
  const other = new Sqlite(file);
  other.exec('CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES (1)');
  other.close();
  expectUntouched('foreign');
});

test.each([
  ['a table', 'DROP TABLE outbox'],
  ['the list of migrations', 'DROP TABLE __drizzle_migrations'],
  ['an index', 'DROP INDEX members_primary_email'],
  ['a trigger', 'DROP TRIGGER members_updated'],
])('a database from which somebody dropped %s is refused and stays as it was', (_, statement) => {
  makeDemo();
  const changed = new Sqlite(file);
  changed.pragma('foreign_keys = OFF');
  changed.exec(statement);
  changed.close();
  expectUntouched('incomplete');
  expect(refusal().message).toContain(`${statement.split(' ').at(-1)} is missing`);
});

test('a database of an older version is refused where a migration does not find what it changes', () => {
  makeDemo();
  const older = new Sqlite(file);
  older.exec('DELETE FROM __drizzle_migrations WHERE rowid > 1');
  older.close();
  expectRefusal('incomplete');
  expect(refusal().message).toContain('already exists');
});

test('where the disk is full while it is seeded, that is what is said, and it can be seeded later', () => {
  const { db, raw, close } = openDatabase({ file });
  raw.pragma(`max_page_count = ${raw.pragma('page_count', { simple: true })}`);
  expect(() => seedDatabase(db, 'demo', now)).toThrow(
    expect.objectContaining({
      name: 'DatabaseUnusable',
      reason: 'full',
      message: `The disk of the database ${file} is full. Make room, or choose another DATABASE_FILE.`,
    }),
  );
  raw.pragma('max_page_count = 1000000');
  expect(seedDatabase(db, 'demo', now)).toBe(true);
  close();
});

const FROM_THE_FUTURE = `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a later version', 9e12)`;

test('a newer database is refused and stays as it was', () => {
  makeDemo();
  const later = new Sqlite(file);
  later.exec(FROM_THE_FUTURE);
  later.close();
  expectUntouched('newer');
});

test('refuses a database of an unreleased version, and leaves it as it was', () => {
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

test('a newer database whose server was killed keeps its log', () => {
  makeDemo();
  const killed = join(folder, 'killed.db');
  const later = new Sqlite(file);
  later.exec(FROM_THE_FUTURE);
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${killed}${part}`);
  later.close();
  file = killed;
  expectUntouched('newer');
});

test('a folder is not a database file', () => {
  mkdirSync(file);
  expectRefusal('folder');
});

test('a file cannot be made below another file', () => {
  writeFileSync(file, '');
  expectRefusal('unwritable', join(file, 'portal.db'));
});

test.runIf(existsSync('/proc'))('a folder cannot be made where the system takes none', () => {
  expectRefusal('unwritable', '/proc/no-such-folder/portal.db');
});

/** Write protection does not stop root. */
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

test('a write-protected database is refused and stays as it was', () => {
  makeDemo();
  chmodSync(file, 0o444);
  chmodSync(folder, 0o777);
  asOrdinaryUser(() => expectUntouched('unwritable'));
});

test('a write-protected folder is refused', () => {
  chmodSync(folder, 0o555);
  asOrdinaryUser(() => expectRefusal('unwritable'));
  expect(existsSync(file)).toBe(false);
});

test('a database is opened once at a time', () => {
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

test('a process killed while it writes leaves its database unlocked, and everything that was answered in it', async () => {
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
  // The last one may have been written without being answered.
  const kept = raw.prepare('SELECT count(*) FROM signing_keys').pluck().get();
  expect([answered, answered + 1]).toContain(kept);
  close();
});
