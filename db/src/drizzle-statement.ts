import type { Tx } from './database.ts';

/**
 * Returns a statement that is built and compiled once per connection: drizzle takes longer to build a query than SQLite
 * to run it. Use it for calls that every request makes; elsewhere a plain query reads better.
 */
export function drizzleStatement<Statement>(build: (db: Tx) => Statement): (db: Tx) => Statement {
  const statements = new WeakMap<object, Statement>();
  return (db) => {
    const connection = connectionOf(db);
    const cached = statements.get(connection);
    if (cached) return cached;
    const statement = build(db);
    statements.set(connection, statement);
    return statement;
  };
}

/**
 * Returns the session of a database or transaction. Each transaction is a new object, but shares the session of its
 * database, because there is one connection.
 */
export function connectionOf(db: Tx): object {
  const session: unknown = Reflect.get(db, 'session');
  return typeof session === 'object' && session !== null ? session : db;
}
