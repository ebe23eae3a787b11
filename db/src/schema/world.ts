import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { time } from './columns.ts';

/**
 * The world that this data began as; no row where the portal began empty. Keys that are made later are drawn from its
 * `randomSeed`, so that two portals of one world publish the same ones.
 */
export const worlds = sqliteTable('worlds', {
  /** Always 1. */
  id: integer().primaryKey(),
  randomSeed: text().notNull(),
});

/** Codes of the start that have let a first administrator in: each does so once. */
export const setupCodes = sqliteTable('setup_codes', {
  /** SHA-256 of the code, base64url. */
  hash: text().primaryKey(),
  usedAt: time().notNull(),
});
