import { expect, test } from 'vitest';
import { sql } from '#drizzle';
import { openDatabase } from './open.ts';
import { organisations } from './schema/index.ts';
import { drizzleStatement } from './sql-statement.ts';

test('builds a statement once per database and reuses it in transactions', () => {
  const { db, close } = openDatabase({ file: ':memory:' });
  let built = 0;
  const names = drizzleStatement((tx) => {
    built += 1;
    return tx
      .select({ name: organisations.name })
      .from(organisations)
      .where(sql`1 = ${sql.placeholder('one')}`)
      .prepare();
  });
  names(db).all({ one: 1 });
  for (let i = 0; i < 3; i++) db.transaction((tx) => names(tx).all({ one: 1 }));
  db.transaction((tx) => tx.transaction((nested) => names(nested).all({ one: 1 })));
  expect(built).toBe(1);
  close();
});

test("rolls back a prepared statement's write with its transaction", () => {
  const { db, close } = openDatabase({ file: ':memory:' });
  const insertion = drizzleStatement((tx) =>
    tx
      .insert(organisations)
      .values({
        orgCode: sql.placeholder('orgCode'),
        number: sql.placeholder('number'),
        name: 'Acme',
        primaryAttrField: 'id',
        title: 'Acme',
        createdAt: 0,
      })
      .prepare(),
  );
  const failing = () =>
    db.transaction((tx) => {
      insertion(tx).run({ orgCode: 'acme', number: 1 });
      throw new Error('too late');
    });
  insertion(db).run({ orgCode: 'globex', number: 2 });
  expect(failing).toThrow('too late');
  expect(db.select({ orgCode: organisations.orgCode }).from(organisations).all()).toEqual([{ orgCode: 'globex' }]);
  close();
});
