import { type AccountStatus, LIMITS, plainText, statusesFoundBy } from '@orchestrate/shared';
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
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

type Organisation = Pick<OrganisationRow, 'number' | 'orgCode'>;

/** A phrase in one field. */
interface Condition {
  field: SearchField;
  phrase: string;
}

/** A first and a last name in full, whatever their case and accents. */
interface FullName {
  firstName: string;
  lastName: string;
}

/**
 * A search runs in parts. Each finds members by name, or by conditions, the first of which is looked up in the index,
 * and among these those of a full name, if there is one.
 */
type Part = { named: Named } | { conditions: readonly [Condition, ...Condition[]]; fullName?: FullName };

export interface EverywhereSearch {
  text: string;
  /** The field to search for a short text; longer texts are searched in every field. */
  field: SearchField | 'any';
  /** Absent: every status but deleted. */
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
 * Members with a text in any field, best matches first: exact matches (a full name, a first name, a last name, a
 * mailbox, a primary attribute), then a first and a last name that begin with its two halves, then values that begin
 * with the text, then values that contain it. Nobody is found twice. A page does a limited amount of work however many
 * members there are, so it may be short, or empty, and still have a next one.
 */
export function searchEverywhere(
  tx: Tx,
  organisation: Organisation,
  { text, field, status, count, after }: EverywhereSearch,
): EverywherePage {
  if (/\p{Cc}/u.test(text)) return { rows: [] };
  const parts = isShort(text) ? shortPartsOf(text, field) : partsOf(text);
  const rows: MemberRow[] = [];
  let looked = 0;
  let place: EverywherePlace | undefined = after;
  for (const [at, part] of [...parts.entries()].slice(after?.part ?? 0)) {
    let last = after?.part === at ? after.id : undefined;
    const isEarlier = earlierThan(tx, parts, at);
    for (;;) {
      const batch = readPart(tx, organisation, part, { status, last });
      for (const row of batch) {
        if (looked === LOOKED_AT_MAX && place) return { rows, next: place };
        looked += 1;
        if (hasStatus(row, status) && passes(tx, row, part) && !isEarlier(row)) {
          if (rows.length === count && place) return { rows, next: place };
          rows.push(row);
        }
        last = row.id;
        place = { part: at, id: row.id };
      }
      if (batch.length < BATCH) break;
    }
  }
  return { rows };
}

/** Whether a text is shorter than what the index of trigrams holds: then only beginnings are found. */
export const isShort = (text: string): boolean => [...text].length < LIMITS.searchMinLength;

/** The parts of a search for a short text: whole names before their beginnings. */
function shortPartsOf(text: string, field: SearchField | 'any'): Part[] {
  if (field === 'primaryEmail') return [{ named: { field, value: text.toLowerCase(), isWhole: false } }];
  if (field === 'primaryAttr') {
    return spellingsOf(text).map((value) => ({ named: { field, value, isWhole: false } }));
  }
  const fields = field === 'any' ? (['firstName', 'lastName'] as const) : [field];
  return [
    ...fields.map((name): Part => ({ named: { field: 'names', [name]: inAscii(text) } })),
    ...fields.flatMap((name): Part[] =>
      // With the character before each name, a text of two is a trigram.
      [...text].length > 1
        ? [{ conditions: [beginning(name, text)] }]
        : (/[ -~]/.test(text) ? [text] : [inAscii(text), ...spellingsOf(text)]).map((spelling) => ({
            named: { field: name, beginning: spelling },
          })),
    ),
  ];
}

/**
 * The ids of the members that a short text finds, at most `most` and one more. At most `SHORT_LOOKED_AT_MAX` are looked
 * at: fewer are found where most of them have another status.
 */
export function findShortIds(
  tx: Tx,
  organisation: Organisation,
  { text, field, status }: Pick<EverywhereSearch, 'text' | 'field' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  let looked = 0;
  for (const part of shortPartsOf(text, field)) {
    let last: number | undefined;
    for (;;) {
      const batch = readPart(tx, organisation, part, { status, last });
      for (const row of batch) if (hasStatus(row, status) && passes(tx, row, part)) ids.add(row.id);
      looked += batch.length;
      last = batch.at(-1)?.id;
      if (ids.size > most || looked >= SHORT_LOOKED_AT_MAX) return ids;
      if (batch.length < BATCH) break;
    }
  }
  return ids;
}

const SHORT_LOOKED_AT_MAX = 10_000;

/** Whether a member has a text in a field, or in any, as the searches find it. */
export const hasText = (tx: Tx, row: MemberRow, field: SearchField | 'any', text: string): boolean =>
  isShort(text)
    ? shortPartsOf(text, field).some((part) => holds(tx, row, part))
    : field === 'any'
      ? SEARCH_FIELDS.some((one) => isFound(tx, row, [{ field: one, phrase: text }])) ||
        namesOf(text).some(({ conditions }) => isFound(tx, row, conditions))
      : isFound(tx, row, [{ field, phrase: text }]);

/**
 * The ids of all that are found, at most `most` of them and one more, in no order. Of the beginnings of two names, at
 * most `most` with the rarer one are looked at.
 */
export function findIdsEverywhere(
  tx: Tx,
  organisation: Organisation,
  { text, status }: Pick<EverywhereSearch, 'text' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  if (/\p{Cc}/u.test(text)) return ids;
  // Everybody with the text in a field is in the widest tier.
  for (const field of SEARCH_FIELDS) {
    for (const id of searchIdsWith(tx, organisation, { field, phrase: text, status, count: most + 1 })) ids.add(id);
  }
  for (const {
    conditions: [{ field, phrase }, ...others],
  } of namesOf(text)) {
    for (const id of searchIdsWith(tx, organisation, { field, phrase, status, count: most + 1 })) {
      if (ids.size > most) break;
      if (!ids.has(id) && isFound(tx, { id }, others)) ids.add(id);
    }
  }
  return ids;
}

const BATCH = 60;

/** A text in either case, where an index tells cases apart. */
const spellingsOf = (text: string): string[] => [...new Set([text, text.toUpperCase(), text.toLowerCase()])];

/** The parts of a search, best matches first. */
function partsOf(text: string): Part[] {
  const splits = splitsOf(text);
  // A primary attribute in mixed case is found only as it is spelt: its index tells cases apart.
  const attributes = (isWhole: boolean): Named[] =>
    spellingsOf(text).map((value) => ({ field: 'primaryAttr', value, isWhole }));
  const names: Named[] = [
    ...splits.map(([first, last]) => ({
      ...{ field: 'names' as const, firstName: inAscii(first), lastName: inAscii(last) },
    })),
    { field: 'names', firstName: inAscii(text) },
    { field: 'names', lastName: inAscii(text) },
  ];
  const called: Named[] = [
    { field: 'primaryEmail', value: `${text.toLowerCase()}@`, isWhole: false },
    ...attributes(true),
  ];
  const beginnings: Named[] = [
    { field: 'primaryEmail', value: text.toLowerCase(), isWhole: false },
    ...attributes(false),
  ];
  return [
    ...names.map((named) => ({ named })),
    ...splits.flatMap(accentedNames),
    { conditions: [accented('firstName', text)] },
    { conditions: [accented('lastName', text)] },
    ...called.map((named) => ({ named })),
    ...namesOf(text),
    { conditions: [beginning('firstName', text)] },
    { conditions: [beginning('lastName', text)] },
    ...beginnings.map((named) => ({ named })),
    ...SEARCH_FIELDS.map((field): Part => ({ conditions: [{ field, phrase: text }] })),
  ];
}

/**
 * The character before each name in the index, and the one after each name that is not ASCII, as in
 * `0007_after_0_1_0.sql`.
 */
const BEGIN = { firstName: '\u0002', lastName: '\u0003' };
const END = '\u0004';

const beginning = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text,
});

/** A name without accents; as it was typed where it is not ASCII even then. */
function inAscii(name: string): string {
  const plain = plainText(name);
  return /^[ -~]*$/.test(plain) ? plain : name;
}

/** A whole name that is not ASCII, whatever its accents. */
const accented = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text + END,
});

/** A full name that is not all ASCII: one of the two names leads to it, the longer one first, which is rarer. */
function accentedNames([firstName, lastName]: [firstName: string, lastName: string]): Part[] {
  const ways: Condition[] = [accented('lastName', lastName), accented('firstName', firstName)];
  if (firstName.length > lastName.length) ways.reverse();
  return ways.map((way) => ({ conditions: [way], fullName: { firstName, lastName } }));
}

/** A text as a first and a last name, in either order, at each space or comma in it. */
const splitsOf = (text: string): [firstName: string, lastName: string][] =>
  [...text.matchAll(/[\s,]+/g)].flatMap(({ index, 0: between }): [string, string][] => {
    const [one, other] = [text.slice(0, index), text.slice(index + between.length)];
    return one === '' || other === ''
      ? []
      : [
          [one, other],
          [other, one],
        ];
  });

/** The beginnings of a first and of a last name. */
const namesOf = (text: string) =>
  splitsOf(text).map(([firstName, lastName]) => {
    const first = beginning('firstName', firstName);
    const last = beginning('lastName', lastName);
    // The rarer of the two, as far as their length tells. A trigram index has nothing shorter than three characters.
    const conditions: [Condition, Condition] = lastName.length > firstName.length ? [last, first] : [first, last];
    return { conditions };
  });

function readPart(
  tx: Tx,
  organisation: Organisation,
  part: Part,
  { status, last }: { status: AccountStatus | undefined; last: number | undefined },
): MemberRow[] {
  if ('named' in part) {
    return listNamed(tx, part.named, { orgCode: organisation.orgCode, after: last, count: BATCH });
  }
  const [{ field, phrase }] = part.conditions;
  return searchWith(tx, organisation, { field, phrase, status, after: last, count: BATCH });
}

/** What still has to be checked for a member that was read. */
const passes = (tx: Tx, row: MemberRow, part: Part): boolean =>
  'named' in part || (isCalled(row, part.fullName) && isFound(tx, row, part.conditions.slice(1)));

/** Whether a part finds a member. */
const holds = (tx: Tx, row: MemberRow, part: Part): boolean =>
  'named' in part ? isNamed(row, part.named) : isCalled(row, part.fullName) && isFound(tx, row, part.conditions);

const isCalled = ({ firstName, lastName }: MemberRow, asked: FullName | undefined): boolean =>
  !asked || (plainText(firstName) === plainText(asked.firstName) && plainText(lastName) === plainText(asked.lastName));

/**
 * Whether an earlier part finds a member. A part that looks for the text anywhere in a field covers the one for its
 * beginning.
 */
function earlierThan(tx: Tx, parts: readonly Part[], at: number): (row: MemberRow) => boolean {
  const before = parts.slice(0, at);
  const fieldOf = (part: Part) =>
    'conditions' in part && part.conditions.length === 1 && !part.fullName ? part.conditions[0].field : undefined;
  const needed = before.filter((part, index) => {
    const field = fieldOf(part);
    return field === undefined || !before.slice(index + 1).some((later) => fieldOf(later) === field);
  });
  return (row) => needed.some((part) => holds(tx, row, part));
}

const hasStatus = ({ accountStatus }: MemberRow, asked: AccountStatus | undefined): boolean =>
  asked === undefined ? accountStatus !== 'deleted' : statusesFoundBy(asked).includes(accountStatus);

const isFound = (tx: Tx, { id }: Pick<MemberRow, 'id'>, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, phrase }) => held(tx).get({ query: textQuery(phrase), rowid: rowidOf(field, id) }));

const held = drizzleStatement((db) =>
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
