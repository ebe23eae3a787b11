import { composed } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import { type SQL, sql } from '#drizzle';

/** Converts text in any script to lower case and composed characters (NFC), following RFC 8265 §3.3.2. */
export const foldCase = (text: string): string => composed(text.toLowerCase());

/**
 * Registers the SQL function `folded`, because SQLite's built-in `lower` only supports ASCII. Do not use it in an
 * index, or other programs can no longer read the file.
 */
export function registerFoldCase(raw: Sqlite.Database): void {
  raw.function('folded', { deterministic: true }, (value) => (typeof value === 'string' ? foldCase(value) : value));
}

/**
 * `foldCase` in SQL. ASCII text uses SQLite's built-in `lower` because a call into JavaScript takes about four times
 * as long.
 */
export const foldCaseSql = (text: SQL): SQL =>
  sql`iif(octet_length(${text}) = length(${text}), lower(${text}), folded(${text}))`;
