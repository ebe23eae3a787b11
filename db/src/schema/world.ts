import { integer, sqliteTable, text } from '#drizzle';
import type { KeyOrigin } from '../seed/key-source.ts';
import { time } from './columns.ts';

/**
 * The world this portal was seeded with; no row if the portal started empty. Keys created later are derived from its
 * `randomSeed`. A local portal uses no other input, so two portals with the same world publish the same keys.
 */
export const worlds = sqliteTable('worlds', {
  /** Always 1. */
  id: integer().primaryKey(),
  randomSeed: text().notNull(),
  /** Where the portal's keys are derived from; null in rows written before this column existed. */
  keysFrom: text().$type<KeyOrigin>(),
});

/**
 * Setup codes already used. The server issues a code at startup to let the first administrator in, and each code
 * works once.
 */
export const setupCodes = sqliteTable('setup_codes', {
  /** SHA-256 of the code, base64url. */
  hash: text().primaryKey(),
  usedAt: time().notNull(),
});
