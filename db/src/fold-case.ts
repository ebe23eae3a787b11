import { composed } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import { type SQL, sql } from 'drizzle-orm';

/** Folds the case of text in every script (RFC 8265 §3.3.2): lower case, composed characters (NFC). */
export const foldCase = (text: string): string => composed(text.toLowerCase());

/**
 * Registers the SQL function `folded`, because SQLite's own `lower` only knows ASCII. Do not use it in an index: other
 * programs could no longer read the file.
 */
export function registerFoldCase(raw: Sqlite.Database): void {
  raw.function('folded', { deterministic: true }, (value) => (typeof value === 'string' ? foldCase(value) : value));
}

/**
 * `foldCase` in SQL. ASCII text uses SQLite's own `lower`, because a call into JavaScript takes about four times as
 * long.
 */
export const folded = (text: SQL): SQL =>
  sql`iif(octet_length(${text}) = length(${text}), lower(${text}), folded(${text}))`;
