import { expect, test } from 'vitest';
import { eq } from '#drizzle';
import { cachedRead, withoutInvalidating } from './cached-read.ts';
import type { OpenDatabase, Tx } from './database.ts';
import { openDatabase } from './open.ts';
import { organisations } from './schema/organisations.ts';

const nameIn = (db: Tx, orgCode: string): string | null =>
  db.select({ name: organisations.name }).from(organisations).where(eq(organisations.orgCode, orgCode)).get()?.name ??
  null;

/** Returns a cached read and a counter of its actual executions. */
function counted() {
  const count = { reads: 0 };
  const read = cachedRead(
    (orgCode: string) => orgCode,
    (db, orgCode) => {
      count.reads += 1;
      return nameIn(db, orgCode);
    },
  );
  return { count, read };
}

function withOrganisations(): OpenDatabase {
  const database = openDatabase({ file: ':memory:' });
  database.raw.pragma('foreign_keys = OFF');
  ['a', 'b'].forEach((orgCode, number) => {
    database.db
      .insert(organisations)
      .values({ orgCode, number, name: orgCode, primaryAttrField: 'id', title: '', createdAt: 0 })
      .run();
  });
  return database;
}

test('caches an answer until the next write, even if the answer is empty', () => {
  const { db, raw, close } = withOrganisations();
  const { count, read } = counted();
  for (let i = 0; i < 3; i += 1) expect([read(db, 'a'), read(db, 'none')]).toEqual(['a', null]);
  expect(count.reads).toBe(2);
  raw.exec(`UPDATE organisations SET name = 'B' WHERE orgCode = 'b'`);
  expect([read(db, 'a'), read(db, 'b')]).toEqual(['a', 'B']);
  expect(count.reads).toBe(4);
  close();
});

test('keeps cached answers after a write only if the write is marked as non-invalidating', () => {
  const { db, raw, close } = withOrganisations();
  const { count, read } = counted();
  read(db, 'a');
  withoutInvalidating(db, raw.prepare(`UPDATE organisations SET title = 'B' WHERE orgCode = 'b'`).run());
  read(db, 'a');
  expect(count.reads).toBe(1);
  raw.exec(`UPDATE organisations SET name = 'A' WHERE orgCode = 'a'`);
  expect(read(db, 'a')).toBe('A');
  close();
});

test('neither uses nor fills the cache inside a transaction', () => {
  const { db, close } = withOrganisations();
  const { read } = counted();
  const change = () =>
    db.transaction((tx) => {
      tx.update(organisations).set({ name: 'undone' }).run();
      expect([read(tx, 'a'), read(db, 'a')]).toEqual(['undone', 'undone']);
      throw new Error('too late');
    });
  expect(read(db, 'a')).toBe('a');
  expect(change).toThrow('too late');
  expect(read(db, 'a')).toBe('a');
  close();
});

test('matches a fresh read after any write, rollback, reset or copy', () => {
  const steps = [
    `UPDATE organisations SET name = name || '.'`,
    `UPDATE organisations SET name = 'x' WHERE orgCode = 'b'`,
    'DELETE FROM organisations',
    `DELETE FROM organisations WHERE orgCode = 'a'`,
    'INSERT OR IGNORE INTO organisations SELECT * FROM kept',
    `INSERT OR REPLACE INTO organisations SELECT * FROM kept WHERE orgCode = 'a'`,
    'BEGIN; DELETE FROM organisations; ROLLBACK',
    `BEGIN; UPDATE organisations SET name = 'committed'; COMMIT`,
  ];
  const { db, raw, close } = withOrganisations();
  raw.exec('CREATE TABLE kept AS SELECT * FROM organisations');
  const { read } = counted();
  const orders = steps.flatMap((one) => steps.flatMap((two) => steps.map((three) => [one, two, three])));
  for (const statement of orders.flat()) {
    raw.exec(statement);
    for (const orgCode of ['a', 'b']) expect(read(db, orgCode)).toBe(nameIn(db, orgCode));
  }
  close();
});
