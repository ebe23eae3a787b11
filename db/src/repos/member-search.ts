import type { AccountStatus } from '@orchestrate/shared';
import { and, getTableColumns, gt, lt, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { memberIdRange } from '../member-ids.ts';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { members } from '../schema/members.ts';
import type { MemberRow } from './members.ts';
import type { OrganisationRow } from './organisations.ts';

/** The fields in which members are searched for, in the order of their numbers in `0001_member_index.sql`. */
export const SEARCH_FIELDS = ['firstName', 'lastName', 'primaryEmail', 'primaryAttr'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface MemberSearch {
  field: SearchField;
  /** At least three characters: a shorter text is in no index of trigrams, and finds nobody. Absent: all of the status. */
  text?: string;
  /** Without a text nobody is found where this is absent too. */
  status?: AccountStatus;
  /** The id of the last member of the page before; of the organisation. */
  after?: number;
  /** How many at most. */
  count: number;
}

const given = sql.placeholder;

/** Made by a migration of its own. Such a table has a column of its own name, which is what is matched. */
const memberSearch = sqliteTable('member_search', {
  rowid: integer().notNull(),
  match: text('member_search').notNull(),
});

const found = () =>
  and(
    sql`${memberSearch.match} MATCH ${given('query')}`,
    gt(memberSearch.rowid, given('after')),
    lt(memberSearch.rowid, given('before')),
  );

const search = prepared((db) =>
  db
    .select(getTableColumns(members))
    .from(memberSearch)
    .innerJoin(members, sql`${members.id} = ${memberSearch.rowid} - ${given('base')}`)
    .where(found())
    .orderBy(memberSearch.rowid)
    .limit(given('count'))
    .prepare(),
);

const page = prepared((db) =>
  db
    .select(getTableColumns(members))
    .from(memberSearch)
    .innerJoin(members, sql`${members.id} = ${memberSearch.rowid} - ${given('base')}`)
    .where(found())
    .orderBy(memberSearch.rowid)
    .limit(given('count'))
    .offset(given('offset'))
    .prepare(),
);

const counted = prepared((db) =>
  db.select({ total: sql<number>`count(*)` }).from(memberSearch).where(found()).prepare(),
);

/**
 * Some of the members who have not been deleted and one of whose fields contains a text of three characters or more, and
 * how many those are: for whoever must say both (RFC 7644 §3.4.2.4).
 */
export function pageOfPresent(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  { field, text, offset, count }: { field: SearchField; text: string; offset: number; count: number },
): { rows: MemberRow[]; total: number } {
  if (/\p{Cc}/u.test(text)) return { rows: [], total: 0 };
  const { after, before } = memberIdRange(number);
  const base = BigInt(SEARCH_FIELDS.indexOf(field)) << 56n;
  const where = {
    query: `(text : ${quoted(text)}) NOT (status : ${quoted(statusMark('deleted'))})`,
    after: base + BigInt(after),
    before: base + BigInt(before),
  };
  const total = counted(tx).get(where)?.total ?? 0;
  const rows = total > offset && count > 0 ? page(tx).all({ ...where, base, offset, count }) : [];
  return { rows, total };
}

/**
 * The members of an organisation one of whose fields contains a text, or all of a status, in the order of their ids. Neither case nor accents
 * count. A page takes as long in the middle as at the beginning, and among a million as among a thousand.
 */
export function searchMembers(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  { field, text, status, after, count }: MemberSearch,
): MemberRow[] {
  // Nobody has one in his name, one is the mark of the status, and one (NUL) would end the query.
  if (text !== undefined && /\p{Cc}/u.test(text)) return [];
  const terms = [
    ...(text === undefined ? [] : [`text : ${quoted(text)}`]),
    ...(status === undefined ? [] : [`status : ${quoted(statusMark(status))}`]),
  ];
  if (terms.length === 0) return [];
  const range = memberIdRange(number);
  const base = BigInt(SEARCH_FIELDS.indexOf(field)) << 56n;
  return search(tx).all({
    query: terms.join(' AND '),
    base,
    // BigInt: a number beyond 32 bits would be bound as REAL, which the index cannot use, and it would read everything.
    after: base + BigInt(Math.max(after ?? range.after, range.after)),
    before: base + BigInt(range.before),
    count,
  });
}

/** A text as it is: in quotes nothing has a meaning but the quote, which is doubled (FTS5 §3.1). */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** As `0001_member_index.sql` has it. */
const statusMark = (status: AccountStatus): string => `\u0001${status.charAt(0)}${status.charAt(2)}`;
