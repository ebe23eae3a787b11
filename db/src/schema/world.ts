import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { KeyOrigin } from '../seed/key-source.ts';
import { time } from './columns.ts';

/**
 * The world that this data started as; no row if the portal started empty. Later keys are derived from its
 * `randomSeed`: on a local portal from that alone, so that two portals of one world publish the same keys.
 */
export const worlds = sqliteTable('worlds', {
  /** Always 1. */
  id: integer().primaryKey(),
  randomSeed: text().notNull(),
  /** The source that its keys are derived from; null in rows older than this column. */
  keysFrom: text().$type<KeyOrigin>(),
});

/** Used setup codes, with which a start of the server lets a first administrator in: each works once. */
export const setupCodes = sqliteTable('setup_codes', {
  /** SHA-256 of the code, base64url. */
  hash: text().primaryKey(),
  usedAt: time().notNull(),
});
