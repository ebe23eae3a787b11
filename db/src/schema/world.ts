import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { KeyOrigin } from '../seed/key-source.ts';
import { time } from './columns.ts';

/**
 * The world that this data began as; no row where the portal began empty. Keys that are made later are derived from its
 * `randomSeed`: on a local portal from that alone, so that two portals of one world publish the same ones.
 */
export const worlds = sqliteTable('worlds', {
  /** Always 1. */
  id: integer().primaryKey(),
  randomSeed: text().notNull(),
  /** What its keys were derived from; null in rows older than this column. */
  keysFrom: text().$type<KeyOrigin>(),
});

/** Codes of the start that have let a first administrator in: each does so once. */
export const setupCodes = sqliteTable('setup_codes', {
  /** SHA-256 of the code, base64url. */
  hash: text().primaryKey(),
  usedAt: time().notNull(),
});
