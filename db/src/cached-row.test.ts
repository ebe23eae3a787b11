import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from '#drizzle';
import { cachedRow } from './cached-row.ts';
import type { OpenDatabase } from './database.ts';
import { openDatabase } from './open.ts';
import { organisations, roles } from './schema/organisations.ts';

let database: OpenDatabase;
let reads: number;
beforeEach(() => {
  database = openDatabase({ file: ':memory:' });
  reads = 0;
  ['a', 'b'].forEach((orgCode, number) => {
    database.db
      .insert(organisations)
      .values({ orgCode, number, name: orgCode, primaryAttrField: 'id', title: '', createdAt: 0 })
      .run();
  });
});
afterEach(() => database.close());

/** Returns the names of an organisation and its role USER. */
const namesIn = cachedRow([organisations, roles], ['orgCode'], (db, { orgCode }) => {
  reads += 1;
  const organisation = db.select().from(organisations).where(eq(organisations.orgCode, orgCode)).get();
  const role = db.select().from(roles).where(eq(roles.orgCode, orgCode)).get();
  return `${organisation?.name} ${role?.name}`;
});

const names = (orgCode: string) => namesIn(database.db, { orgCode });

test('keeps an answer until a row with its key is inserted, changed or deleted', () => {
  const { raw } = database;
  expect([names('a'), names('a'), names('b')]).toEqual(['a undefined', 'a undefined', 'b undefined']);
  expect(reads).toBe(2);
  raw.exec(`UPDATE organisations SET name = 'A' WHERE orgCode = 'a'`);
  expect([names('a'), names('b')]).toEqual(['A undefined', 'b undefined']);
  raw.exec(
    `INSERT INTO roles (orgCode, roleCode, name, type, permissions) VALUES ('a', 'USER', 'User', 'custom', '[]')`,
  );
  expect(names('a')).toBe('A User');
  raw.exec(`UPDATE roles SET orgCode = 'b'`);
  expect([names('a'), names('b')]).toEqual(['A undefined', 'b User']);
  raw.exec('DELETE FROM roles');
  expect(names('b')).toBe('b undefined');
});

test('forgets what a transaction wrote before it was rolled back', () => {
  const { db, raw } = database;
  names('a');
  expect(() =>
    db.transaction(() => {
      raw.exec(`UPDATE organisations SET name = 'A' WHERE orgCode = 'a'`);
      expect([names('a'), names('b')]).toEqual(['A undefined', 'b undefined']);
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(names('a')).toBe('a undefined');
});

test('uses and fills the cache in a transaction that has not written', () => {
  names('a');
  database.db.transaction(() => [names('a'), names('b')]);
  names('b');
  expect(reads).toBe(2);
});

test('survives the rollback of the transaction in which it was first used', () => {
  const { db, raw } = database;
  expect(() =>
    db.transaction(() => {
      names('a');
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  names('a');
  raw.exec(`UPDATE organisations SET name = 'A' WHERE orgCode = 'a'`);
  expect(names('a')).toBe('A undefined');
});
