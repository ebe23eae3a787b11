import type { AccountStatus } from '@orchestrate/shared';
import { getTableColumns, inArray, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
import { findIdsByShortText, findIdsInAnyField, isShortText } from './any-field-search.ts';
import { type SearchField, searchMemberIds } from './member-search.ts';
import type { MemberRow } from './members.ts';

export interface MemberIdSearch {
  field: SearchField | 'any';
  /**
   * Text to find. One or two characters match only at the start of a value. Without text, the search returns all
   * members with `status`, which is then required.
   */
  text?: string | undefined;
  status?: AccountStatus | undefined;
}

/**
 * Finds the IDs of matching members, in no particular order. Returns at most `most + 1` IDs, to show whether there
 * are more than `most`.
 */
export function findIds(
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number' | 'orgCode'>,
  { field, text, status }: MemberIdSearch,
  most: number,
): number[] {
  if (text !== undefined && /\p{Cc}/u.test(text)) return [];
  if (text !== undefined && isShortText(text)) {
    return [...findIdsByShortText(tx, organisation, { text, field, status }, most)].slice(0, most + 1);
  }
  if (field === 'any' && text !== undefined) {
    return [...findIdsInAnyField(tx, organisation, { text, status }, most)].slice(0, most + 1);
  }
  // Without text, every field finds the same members, so search only one.
  const searched = field === 'any' ? 'firstName' : field;
  return searchMemberIds(tx, organisation, { field: searched, phrase: text, status, count: most + 1 });
}

const withIds = drizzleStatement((db) =>
  db
    .select(getTableColumns(members))
    .from(members)
    .where(inArray(members.id, sql`(SELECT value FROM json_each(${sql.placeholder('ids')}))`))
    .prepare(),
);

/** Returns members by their row IDs, in no particular order. */
export const listMembersByRowIds = (tx: Tx, ids: readonly number[]): MemberRow[] =>
  withIds(tx).all({ ids: JSON.stringify(ids) });
