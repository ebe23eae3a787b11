import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, perConnection, type Tx } from './database.ts';
import { openDatabase } from './open.ts';

let database: OpenDatabase;
let calls: string[];
beforeEach(() => {
  database = openDatabase({ file: ':memory:' });
  calls = [];
});
afterEach(() => database.close());

const register = (tx: Tx, name: string) => tx.afterCommit(() => void calls.push(name));

/** Runs `work` and rolls its transaction or savepoint back. */
function rollBack(tx: Tx, work: (tx: Tx) => void): void {
  const rolledBack = new Error('rolled back');
  expect(() =>
    tx.transaction((inner) => {
      work(inner);
      throw rolledBack;
    }),
  ).toThrow(rolledBack);
}

test('calls back after the commit, in the order of registration', () => {
  database.db.transaction((tx) => {
    tx.afterCommit(() => void calls.push(database.raw.inTransaction ? 'too early' : 'first'));
    register(tx, 'second');
    expect(calls).toEqual([]);
  });
  expect(calls).toEqual(['first', 'second']);
});

test('waits for the outermost transaction, also if the database itself is used within it', () => {
  database.db.transaction((tx) => {
    tx.transaction((inner) => register(inner, 'inner'));
    register(database.db, 'database');
    expect(calls).toEqual([]);
  });
  expect(calls).toEqual(['inner', 'database']);
});

test('never calls back after a rollback, not even with the next commit', () => {
  rollBack(database.db, (tx) => {
    register(tx, 'outer');
    tx.transaction((inner) => register(inner, 'inner'));
  });
  database.db.transaction((tx) => register(tx, 'next'));
  expect(calls).toEqual(['next']);
});

test('forgets only the callbacks of a savepoint that was rolled back', () => {
  database.db.transaction((tx) => {
    register(tx, 'before');
    rollBack(tx, (inner) => register(inner, 'within'));
    register(tx, 'after');
  });
  expect(calls).toEqual(['before', 'after']);
});

test('calls back immediately outside a transaction', () => {
  register(database.db, 'only');
  expect(calls).toEqual(['only']);
});

test('lets a callback open a transaction with callbacks of its own', () => {
  database.db.transaction((tx) => {
    tx.afterCommit(() => database.db.transaction((next) => register(next, 'nested')));
    register(tx, 'last');
  });
  expect(calls).toEqual(['nested', 'last']);
});

test('creates a value once per connection, and shares it with transactions', () => {
  const other = openDatabase({ file: ':memory:' });
  const createdOnce = perConnection(() => ({}));
  const value = createdOnce(database.db);
  database.db.transaction((tx) => tx.transaction((inner) => expect(createdOnce(inner)).toBe(value)));
  expect(createdOnce(other.db)).not.toBe(value);
  other.close();
});
