import { perConnection, type Tx } from './database.ts';

/**
 * Returns a statement that is built and compiled once per connection: drizzle takes longer to build a query than SQLite
 * to run it. Use it for calls that every request makes; elsewhere a plain query reads better.
 */
export const drizzleStatement = <Statement>(build: (db: Tx) => Statement): ((db: Tx) => Statement) =>
  perConnection(build);
