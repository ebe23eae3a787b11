import type { AccountStatus } from '@orchestrate/shared';
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { isNamed, listNamed, type Named } from './member-named.ts';
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
type Conditions = readonly [Condition, ...Condition[]];

/** The parts of a search, best first: those who are called the text, those with the beginnings of two names, and those with it in a field. */
interface Parts {
  named: Named[];
  names: Conditions[];
  fields: Conditions[];
}

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
 * Members with a text in any field, best matches first: who is called just that (a full name, a first name, a last
 * name, a primary attribute), then the beginnings of a first and a last name, then values that begin with the text, then those that
 * contain it; among equals in the order of the fields, then of the other name or the id. Nobody is found twice. The
 * work of a page is bounded however many members there are, so a page may be short, or empty, and still have a next one.
 */
export function searchEverywhere(
  tx: Tx,
  organisation: Pick<OrganisationRow, 'number' | 'orgCode'>,
  { text, status, count, after }: EverywhereSearch,
): EverywherePage {
  if (/\p{Cc}/u.test(text)) return { rows: [] };
  const parts = partsOf(text);
  const { named, names, fields } = parts;
  const conditions = [...names, ...fields];
  const rows: MemberRow[] = [];
  let looked = 0;
  let place: EverywherePlace | undefined = after;
  for (let part = after?.part ?? 0; part < named.length + conditions.length; part += 1) {
    const name = named[part];
    const [first, ...others] = conditions[part - named.length] ?? [];
    const read = (last: number | undefined): MemberRow[] => {
      if (name) return listNamed(tx, organisation, name, { after: last ?? 0, count: BATCH });
      return first ? searchWith(tx, organisation, { ...first, status, after: last, count: BATCH }) : [];
    };
    const isOf = (row: MemberRow) =>
      (!status || row.accountStatus === status) && isFound(tx, row, others) && !isEarlier(tx, row, part, parts);
    let last = after?.part === part ? after.id : undefined;
    for (;;) {
      const batch = read(last);
      for (const row of batch) {
        if (looked === LOOKED_AT_MAX && place) return { rows, next: place };
        looked += 1;
        if (isOf(row)) {
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

function partsOf(text: string): Parts {
  return {
    named: [
      ...splitsOf(text).map(([firstName, lastName]) => ({ firstName, lastName })),
      { firstName: text },
      { lastName: text },
      { primaryAttr: text },
    ],
    names: namesOf(text),
    fields: TIERS.flatMap((phraseOf) => SEARCH_FIELDS.map((field): Conditions => [{ field, phrase: phraseOf(text) }])),
  };
}

/** A text as a first and a last name, at each space in it. */
const splitsOf = (text: string): [first: string, last: string][] =>
  [...text.matchAll(/\s+/g)].map(({ index, 0: space }) => [text.slice(0, index), text.slice(index + space.length)]);

/** The beginnings of a first and of a last name. */
const namesOf = (text: string): Conditions[] =>
  splitsOf(text).map(([firstName, lastName]) => {
    const first: Condition = { field: 'firstName', phrase: BEGIN + firstName };
    const last: Condition = { field: 'lastName', phrase: BEGIN + lastName };
    // The rarer of the two, as far as their length tells. A trigram index has nothing shorter than three characters.
    return last.phrase.length > first.phrase.length ? [last, first] : [first, last];
  });

/** Whether a member is found by a part before this one. Who contains a text also has it in the broader tiers. */
function isEarlier(tx: Tx, row: MemberRow, part: number, { named, names, fields }: Parts): boolean {
  if (named.slice(0, part).some((name) => isNamed(row, name))) return true;
  const among = part - named.length;
  if (among < 0) return false;
  const count = SEARCH_FIELDS.length;
  const at = among - names.length;
  const tier = Math.floor(at / count);
  const before = names.slice(0, among);
  if (at >= 0) {
    // In the fields before it of the same tier, which hold those of the tiers above; in the others of the tier above.
    before.push(...fields.slice(tier * count, at));
    if (tier > 0) before.push(...fields.slice((tier - 1) * count + (at % count), tier * count));
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
