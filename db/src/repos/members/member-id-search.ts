import type { AccountStatus } from '@orchestrate/shared';
import { getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
import { findIdsInAnyField, findShortIds, isShortText } from './any-field-search.ts';
import { type SearchField, searchIdsWith } from './member-search.ts';
import type { MemberRow } from './members.ts';

export interface MemberIdSearch {
  field: SearchField | 'any';
  /**
   * Texts of one or two characters match only at the start. Without a text, all members with the status, which is then
   * required.
   */
  text?: string | undefined;
  status?: AccountStatus | undefined;
}

/** Finds the ids of matching members, in no order: at most `most`, plus one more if there are more. */
export function findIds(
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number' | 'orgCode'>,
  { field, text, status }: MemberIdSearch,
  most: number,
): number[] {
  if (text !== undefined && /\p{Cc}/u.test(text)) return [];
  if (text !== undefined && isShortText(text)) {
    return [...findShortIds(tx, organisation, { text, field, status }, most)].slice(0, most + 1);
  }
  if (field === 'any' && text !== undefined) {
    return [...findIdsInAnyField(tx, organisation, { text, status }, most)].slice(0, most + 1);
  }
  // All members with a status match in every field.
  const searched = field === 'any' ? 'firstName' : field;
  return searchIdsWith(tx, organisation, { field: searched, phrase: text, status, count: most + 1 });
}

const withIds = drizzleStatement((db) =>
  db
    .select(getTableColumns(members))
    .from(members)
    .where(inArray(members.id, sql`(SELECT value FROM json_each(${sql.placeholder('ids')}))`))
    .prepare(),
);

/** Returns members by the ids of their rows, in no order. */
export const listMembersByRowIds = (tx: Tx, ids: readonly number[]): MemberRow[] =>
  withIds(tx).all({ ids: JSON.stringify(ids) });
