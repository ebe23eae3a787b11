import { perConnection, type Tx } from './database.ts';
import { requireOpenLifetime } from './lifetime.ts';

/**
 * Returns an SQL statement that is compiled once per connection, for the turns of a long upload: V8 keeps compiled
 * statements until its next full collection, even if they were used only once.
 * @param text with named parameters, e.g. `@orgCode`
 */
export const sqlStatement = <Params = void, Result = unknown>(text: string) => {
  const statement = perConnection(({ connection }) =>
    connection.prepare<Params extends object ? [Params] : [], Result>(text),
  );
  return (tx: Tx) => {
    requireOpenLifetime();
    return statement(tx);
  };
};

/**
 * Returns a statement that is built and compiled once per connection: drizzle takes longer to build a query than SQLite
 * to run it. Use it for calls that every request makes; elsewhere a plain query reads better.
 */
export const drizzleStatement = <Statement>(build: (db: Tx) => Statement): ((db: Tx) => Statement) =>
  perConnection(build);
