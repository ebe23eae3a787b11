import type { AccountStatus } from '@orchestrate/shared';
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import {
  memberSearch,
  rowidOf,
  SEARCH_FIELDS,
  type SearchField,
  searchIdsWith,
  searchWith,
  textQuery,
} from './member-search.ts';
import type { MemberRow } from './members.ts';
import type { OrganisationRow } from './organisations.ts';

/** What stands before each value in the index, as in `0034_member_search_beginnings.sql`. */
const BEGIN = '\u0002';

/** A phrase in one field. */
interface Condition {
  field: SearchField;
  phrase: string;
}

/** Those who fulfil all of it; the first condition is the one that is looked for. */
type Part = readonly [Condition, ...Condition[]];

export interface EverywhereSearch {
  /** At least three characters. */
  text: string;
  status?: AccountStatus | undefined;
  /** How many at most. */
  count: number;
  /** Where it goes on; the beginning where it is absent. */
  after?: EverywherePlace | undefined;
}

/** A place in the results: the part of the search, and the last member there. */
export interface EverywherePlace {
  part: number;
  id: number;
}

export interface EverywherePage {
  rows: MemberRow[];
  /** Where the next page begins; absent after the last one. */
  next?: EverywherePlace;
}

/** How many members one page may look at, most of whom an earlier part may have shown. */
const LOOKED_AT_MAX = 200;

/**
 * Members with a text in any field, best matches first: the beginnings of a first and a last name, then values that
 * begin with the text, then those that contain it; among equals in the order of the fields, then of the ids. Nobody is found twice. The
 * work of a page is bounded however many members there are, so a page may be short, or empty, and still have a next one.
 */
export function searchEverywhere(
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number'>,
  { text, status, count, after }: EverywhereSearch,
): EverywherePage {
  if (/\p{Cc}/u.test(text)) return { rows: [] };
  const { names, parts } = partsOf(text);
  const rows: MemberRow[] = [];
  let looked = 0;
  let place: EverywherePlace | undefined = after;
  for (let part = after?.part ?? 0; part < parts.length; part += 1) {
    const looking = parts[part];
    if (!looking) break;
    let last = after?.part === part ? after.id : undefined;
    for (;;) {
      const { field, phrase } = looking[0];
      const batch = searchWith(tx, organisation, { field, phrase, status, after: last, count: BATCH });
      for (const row of batch) {
        if (looked === LOOKED_AT_MAX && place) return { rows, next: place };
        looked += 1;
        if (isFound(tx, row, looking.slice(1)) && !isEarlier(tx, row, part, { names, parts })) {
          if (rows.length === count && place) return { rows, next: place };
          rows.push(row);
        }
        last = row.id;
        place = { part, id: row.id };
      }
      if (batch.length < BATCH) break;
    }
  }
  return { rows };
}

/**
 * The ids of all that are found, at most `most` of them and one more, in no order. Of the beginnings of two names, at most
 * `most` with the rarer one are looked at.
 */
export function findIdsEverywhere(
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number'>,
  { text, status }: Pick<EverywhereSearch, 'text' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  if (/\p{Cc}/u.test(text)) return ids;
  // Everybody with the text in a field is in the widest tier.
  for (const field of SEARCH_FIELDS) {
    for (const id of searchIdsWith(tx, organisation, { field, phrase: text, status, count: most + 1 })) ids.add(id);
  }
  for (const [{ field, phrase }, ...others] of namesOf(text)) {
    for (const id of searchIdsWith(tx, organisation, { field, phrase, status, count: most + 1 })) {
      if (ids.size > most) break;
      if (!ids.has(id) && isFound(tx, { id }, others)) ids.add(id);
    }
  }
  return ids;
}

const BATCH = 60;

const TIERS = [(text: string) => BEGIN + text, (text: string) => text] as const;

/** The parts of a search, best first. @returns how many of them are names, before those of the fields */
function partsOf(text: string): { names: number; parts: Part[] } {
  const names = namesOf(text);
  const fields = TIERS.flatMap((phraseOf) => SEARCH_FIELDS.map((field): Part => [{ field, phrase: phraseOf(text) }]));
  return { names: names.length, parts: [...names, ...fields] };
}

/** The beginnings of a first and of a last name, at each space between them. */
function namesOf(text: string): Part[] {
  return [...text.matchAll(/\s+/g)].map(({ index, 0: space }): Part => {
    const first: Condition = { field: 'firstName', phrase: BEGIN + text.slice(0, index) };
    const last: Condition = { field: 'lastName', phrase: BEGIN + text.slice(index + space.length) };
    // The rarer of the two, as far as their length tells. A trigram index has nothing shorter than three characters.
    return last.phrase.length > first.phrase.length ? [last, first] : [first, last];
  });
}

/** Whether a member is found by a part before this one. Who contains a text also has it in the broader tiers. */
function isEarlier(tx: Tx, row: MemberRow, part: number, { names, parts }: ReturnType<typeof partsOf>): boolean {
  const count = SEARCH_FIELDS.length;
  const tier = Math.floor((part - names) / count);
  const field = (part - names) % count;
  const before = part < names ? parts.slice(0, part) : parts.slice(0, names);
  if (part >= names) {
    // In the fields before it of the same tier, which hold those of the tiers above; in the others of the tier above.
    before.push(...parts.slice(names + tier * count, part));
    if (tier > 0) before.push(...parts.slice(names + (tier - 1) * count + field, names + tier * count));
  }
  return before.some((conditions) => isFound(tx, row, conditions));
}

const isFound = (tx: Tx, { id }: Pick<MemberRow, 'id'>, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, phrase }) => held(tx).get({ query: textQuery(phrase), rowid: rowidOf(field, id) }));

const held = prepared((db) =>
  db
    .select({ rowid: memberSearch.rowid })
    .from(memberSearch)
    .where(
      and(
        sql`${memberSearch.match} MATCH ${sql.placeholder('query')}`,
        eq(memberSearch.rowid, sql.placeholder('rowid')),
      ),
    )
    .prepare(),
);
