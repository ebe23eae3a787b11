import { memoryDb } from '@orchestrate/db/testing';
import { expect, test } from 'vitest';
import { createGroupCommit } from './group-commits.ts';

test('rolls back failed work and commits the rest of the group', async () => {
  const { db, raw } = memoryDb({ seed: 'none', now: 0 });
  raw.exec('CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT');
  const insert = raw.prepare('INSERT INTO notes VALUES (?)');
  const inGroup = createGroupCommit(db);
  const write = (...texts: string[]) => inGroup(() => texts.map((text) => insert.run(text).changes).length);

  const results = await Promise.allSettled([write('a'), write('b', 'a'), write('c', 'd')]);

  expect(results).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(raw.prepare('SELECT text FROM notes ORDER BY text').pluck().all()).toEqual(['a', 'c', 'd']);
  raw.close();
});
