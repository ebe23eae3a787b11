import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from './database.ts';
import { openDatabase } from './open.ts';
import { seedDatabase } from './seed/seed-database.ts';

let folder: string;
let database: OpenDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-merges-'));
  database = openDatabase({ file: join(folder, 'portal.db') });
  seedDatabase(database.db, 'demo', Date.parse('2026-03-02T09:30:00.000Z'));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns the number of segments in an index; each search reads all of them. Page IDs are decoded as in
 * `fts5_index.c`.
 */
const segments = (index: string): number =>
  Number(database.raw.prepare(`SELECT count(DISTINCT id >> 37) FROM ${index}_data WHERE id > 10`).pluck().get());

const rename = (name: string) =>
  database.raw.prepare(`UPDATE members SET firstName = ? WHERE primaryEmail = 'user@acme.test'`).run(name);

test('merges an index between writes, never within a write', async () => {
  const before = segments('member_search');
  for (let written = 0; written < 40; written += 1) rename(`Ada${written}`);
  expect(segments('member_search')).toBeGreaterThanOrEqual(before + 40);
  await expect.poll(() => segments('member_search')).toBeLessThan(8);
  const found = database.raw.prepare(`SELECT count(*) FROM member_search('text : "ada39"')`).pluck();
  const named = database.raw.prepare(`SELECT count(*) FROM members WHERE firstName = 'Ada39'`).pluck();
  expect(found.get()).toBe(named.get());
});

test('limits the index size even if the event loop stays blocked', () => {
  for (let written = 0; written < 250; written += 1) rename(`Ada${written}`);
  expect(segments('member_search')).toBeLessThan(150);
});
