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

/** Runs `work`, then rolls back its transaction or savepoint. */
function rollBack(tx: Tx, work: (tx: Tx) => void): void {
  const rolledBack = new Error('rolled back');
  expect(() =>
    tx.transaction((inner) => {
      work(inner);
      throw rolledBack;
    }),
  ).toThrow(rolledBack);
}

/** Waits until pending microtasks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs callbacks after the commit, in order of registration', async () => {
  database.db.transaction((tx) => {
    tx.afterCommit(() => void calls.push(database.raw.inTransaction ? 'too early' : 'first'));
    register(tx, 'second');
  });
  calls.push('code after the transaction');
  await settled();
  expect(calls).toEqual(['code after the transaction', 'first', 'second']);
});

test('runs callbacks after the outermost transaction, even if registered on the database itself', async () => {
  database.db.transaction((tx) => {
    tx.transaction((inner) => register(inner, 'inner'));
    register(database.db, 'database');
    queueMicrotask(() => calls.push('microtask of the transaction'));
  });
  await settled();
  expect(calls).toEqual(['microtask of the transaction', 'inner', 'database']);
});

test('never runs callbacks after a rollback, not even on the next commit', async () => {
  rollBack(database.db, (tx) => {
    register(tx, 'outer');
    tx.transaction((inner) => register(inner, 'inner'));
  });
  database.db.transaction((tx) => register(tx, 'next'));
  await settled();
  expect(calls).toEqual(['next']);
});

test('discards only the callbacks of the rolled-back savepoint', async () => {
  database.db.transaction((tx) => {
    register(tx, 'before');
    rollBack(tx, (inner) => register(inner, 'within'));
    register(tx, 'after');
  });
  await settled();
  expect(calls).toEqual(['before', 'after']);
});

test('runs callbacks in a microtask outside a transaction', async () => {
  register(database.db, 'only');
  expect(calls).toEqual([]);
  await settled();
  expect(calls).toEqual(['only']);
});

test('allows a callback to open a transaction that registers more callbacks', async () => {
  database.db.transaction((tx) => {
    tx.afterCommit(() => database.db.transaction((next) => register(next, 'of the callback')));
    register(tx, 'last');
  });
  await settled();
  expect(calls).toEqual(['last', 'of the callback']);
});

test('creates a value once per connection and shares it with transactions', () => {
  const other = openDatabase({ file: ':memory:' });
  const createdOnce = perConnection(() => ({}));
  const value = createdOnce(database.db);
  database.db.transaction((tx) => tx.transaction((inner) => expect(createdOnce(inner)).toBe(value)));
  expect(createdOnce(other.db)).not.toBe(value);
  other.close();
});
