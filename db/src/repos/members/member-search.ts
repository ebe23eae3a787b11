import { type AccountStatus, statusesFoundBy, transliterate } from '@orchestrate/shared';
import { and, getTableColumns, gt, integer, lt, max, sql, sqliteTable, text } from '#drizzle';
import type { Tx } from '../../database.ts';
import { memberIdRange, memberIdRanges } from '../../member-ids.ts';
import { members } from '../../schema/members.ts';
import { ftsPhrase } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
import type { MemberRow } from './members.ts';

/** Searchable member fields, in the order of their numbers in `0001_member_index.sql`. */
export const SEARCH_FIELDS = ['firstName', 'lastName', 'primaryEmail', 'primaryAttr'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface MemberSearch {
  field: SearchField;
  /**
   * Text of at least three characters: a trigram index can't find shorter text. Without text, the search returns all
   * members with `status`.
   */
  text?: string;
  /**
   * Account status to search for. Defaults to every status except deleted. A search with neither text nor status
   * finds no members.
   */
  status?: AccountStatus;
  /** Row ID of the last member on the previous page, in the same organisation. */
  after?: number;
  /** Maximum number of members to return. */
  count: number;
}

const param = sql.placeholder;

/**
 * The full-text index, created by its own migration. An FTS5 table has a column with the table's name, which `MATCH`
 * uses.
 */
export const memberSearch = sqliteTable('member_search', {
  rowid: integer().notNull(),
  match: text('member_search').notNull(),
});

const found = () =>
  and(
    sql`${memberSearch.match} MATCH ${param('query')}`,
    gt(memberSearch.rowid, param('after')),
    lt(memberSearch.rowid, param('before')),
  );

const search = drizzleStatement((db) =>
  db
    .select(getTableColumns(members))
    .from(memberSearch)
    .innerJoin(members, sql`${members.id} = ${memberSearch.rowid} - ${param('base')}`)
    .where(found())
    .orderBy(memberSearch.rowid)
    .limit(param('count'))
    .prepare(),
);

const foundIds = drizzleStatement((db) =>
  db
    .select({ id: sql<number>`${memberSearch.rowid} - ${param('base')}` })
    .from(memberSearch)
    .where(found())
    .orderBy(memberSearch.rowid)
    .limit(param('count'))
    .prepare(),
);

const page = drizzleStatement((db) =>
  db
    .select(getTableColumns(members))
    .from(memberSearch)
    .innerJoin(members, sql`${members.id} = ${memberSearch.rowid} - ${param('base')}`)
    .where(found())
    .orderBy(memberSearch.rowid)
    .limit(param('count'))
    .offset(param('offset'))
    .prepare(),
);

const counted = drizzleStatement((db) =>
  db.select({ total: sql<number>`count(*)` }).from(memberSearch).where(found()).prepare(),
);

const lastMember = drizzleStatement((db) =>
  db
    .select({ last: max(members.id) })
    .from(members)
    .where(and(gt(members.id, param('after')), lt(members.id, param('before'))))
    .prepare(),
);

/** Text to find in one field of an organisation's members. */
export interface TextSearch {
  field: SearchField;
  /** Text of at least three characters. */
  text: string;
}

/** Counts the members whose field contains the text, except deleted members, with IDs above `after`, up to `upTo`. */
export function countPresentMatches(
  tx: Tx,
  search: TextSearch,
  { after, upTo }: { after: number; upTo: number },
): number {
  if (/\p{Cc}/u.test(search.text)) return 0;
  const { base, query } = presentWith(search, { after, upTo });
  return counted(tx).get({ query, after: base + BigInt(after), before: base + BigInt(upTo) + 1n })?.total ?? 0;
}

/** Lists one page of the members that `countPresentMatches` counts, in ID order. */
export function listPresentMatches(
  tx: Tx,
  search: TextSearch,
  { after, upTo, offset, count }: { after: number; upTo: number; offset: number; count: number },
): MemberRow[] {
  const { base, query } = presentWith(search, { after, upTo });
  return page(tx).all({ query, base, after: base + BigInt(after), before: base + BigInt(upTo) + 1n, offset, count });
}

function presentWith(
  { field, text }: TextSearch,
  { after, upTo }: { after: number; upTo: number },
): { base: bigint; query: string } {
  return { base: baseOf(field), query: presentQuery(`text : ${ftsPhrase(text)}`, { after, upTo }) };
}

/** Adds a range of IDs to a query and excludes deleted members. */
function presentQuery(query: string, { after, upTo }: { after: number; upTo: number }): string {
  const deleted = [...memberIdRanges(after, upTo)].map(({ mark }) => ftsPhrase(statusMark('deleted', mark)));
  return `(${query}) NOT (status : (${deleted.join(' OR ')}))`;
}

/**
 * Finds an organisation's members by text in one field, or by status, in ID order. Case and accents are ignored.
 * Later pages take no longer than the first, and a million members no longer than a thousand.
 */
export function searchMembers(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  { field, text, status, after, count }: MemberSearch,
): MemberRow[] {
  // Names contain no control characters, so text with control characters finds no members. A NUL would end the query.
  if (text !== undefined && /\p{Cc}/u.test(text)) return [];
  return searchMemberRows(tx, { number }, { field, phrase: text, status, after, count });
}

type PhraseSearch = Omit<MemberSearch, 'text'> & { phrase: string | undefined };

/** Finds members by phrase or by status. Deleted members are found only with the status deleted. */
export const searchMemberRows = (
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number'>,
  phraseSearch: PhraseSearch,
): MemberRow[] => readWith(tx, organisation, phraseSearch, (range) => search(tx).all(range));

/** Finds only the IDs of matching members. The index contains them, so no member rows are read. */
export const searchMemberIds = (
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number'>,
  phraseSearch: PhraseSearch,
): number[] => readWith(tx, organisation, phraseSearch, (range) => foundIds(tx).all(range)).map(({ id }) => id);

/** A range of the index to read. */
type IndexRange = {
  query: string;
  base: bigint;
  after: bigint;
  before: bigint;
  count: number;
};

function readWith<Row>(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  { field, phrase, status, after, count }: PhraseSearch,
  read: (range: IndexRange) => Row[],
): Row[] {
  const base = baseOf(field);
  const range = memberIdRange(number);
  const first = Math.max(after ?? range.after, range.after);
  const { last } = lastMember(tx).get(range) ?? {};
  if (last === undefined || last === null || last <= first) return [];
  const contains = phrase === undefined ? [] : [textQuery(phrase)];
  if (status === undefined) {
    const [query] = contains;
    if (query === undefined) return [];
    const present = presentQuery(query, { after: first, upTo: last });
    // Use BigInt: a number beyond 32 bits would be bound as REAL, which the index cannot use, and the query would
    // read everything.
    return read({ query: present, base, after: base + BigInt(first), before: base + BigInt(range.before), count });
  }
  const rows: Row[] = [];
  for (const ids of memberIdRanges(first, last)) {
    const marks = statusesFoundBy(status).map((found) => ftsPhrase(statusMark(found, ids.mark)));
    const query = [...contains, `status : (${marks.join(' OR ')})`].join(' AND ');
    const from = ids.after > first ? ids.after : BigInt(first);
    const limit = count - rows.length;
    rows.push(...read({ query, base, after: base + from, before: base + ids.before, count: limit }));
    if (rows.length === count) break;
  }
  return rows;
}

/** Returns a query for the phrase, normalised as in `0007_after_0_1_0.sql`. */
export const textQuery = (phrase: string) => `text : ${ftsPhrase(transliterate(phrase))}`;

/** Returns the index row ID of a member's field, as a BigInt like all index bounds. */
export const indexRowId = (field: SearchField, id: number): bigint => baseOf(field) + BigInt(id);

const baseOf = (field: SearchField): bigint => BigInt(SEARCH_FIELDS.indexOf(field)) << 56n;

/**
 * Returns the status mark, as in `0005_member_index_ranges.sql`.
 * @param mark mark of the ID range
 */
const statusMark = (status: AccountStatus, mark: string): string => `${status.charAt(0)}${status.charAt(2)}${mark}`;
