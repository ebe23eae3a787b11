import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from './database.ts';
import { openDatabase } from './open.ts';

const MB = 2 ** 20;

let folder: string;
let database: OpenDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-log-'));
  database = openDatabase({ file: join(folder, 'portal.db') });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const fileBytes = () => statSync(join(folder, 'portal.db')).size;
const write = (bytes: number) =>
  database.raw
    .prepare(`INSERT INTO signing_keys VALUES (hex(randomblob(8)), 'session', hex(zeroblob(?)), 0)`)
    .run(bytes / 2);

test('runs a checkpoint after the write that fills the log, not during it', async () => {
  const before = fileBytes();
  for (let written = 0; written < 20; written += 1) write(MB);
  expect(fileBytes()).toBe(before);
  await expect.poll(fileBytes).toBeGreaterThan(before + 19 * MB);
});

test('limits the log size even if the event loop stays blocked', () => {
  for (let written = 0; written < 40; written += 1) write(MB);
  expect(fileBytes()).toBeGreaterThan(30 * MB);
});
