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

/** A full first and last name; case and accents are ignored. */
interface FullName {
  firstName: string;
  lastName: string;
}

/**
 * One step of a search, which finds members by name or by conditions. The first condition is looked up in the index;
 * the other conditions and the full name, if any, filter its matches.
 */
type Part = { named: Named } | { conditions: readonly [Condition, ...Condition[]]; fullName?: FullName };

export interface EverywhereSearch {
  text: string;
  /** The field to search for a short text; longer texts are searched in all fields. */
  field: SearchField | 'any';
  /** Default: every status except deleted. */
  status?: AccountStatus | undefined;
  /** Maximum number of members. */
  count: number;
  /** Cursor of the page; the first page by default. */
  after?: EverywherePlace | undefined;
}

/** A cursor: the step of the search, and the last member found there. */
export interface EverywherePlace {
  part: number;
  id: number;
}

export interface EverywherePage {
  rows: MemberRow[];
  /** Cursor of the next page; absent on the last one. */
  next?: EverywherePlace;
}

/** Maximum number of members that one page looks at; earlier steps may already have found most of them. */
const LOOKED_AT_MAX = 200;

/**
 * Finds members with a text in any field, best matches first: exact matches (full name, first name, last name, mailbox,
 * primary attribute), then first and last names that start with its two halves, then values that start with the text,
 * then values that contain it. No member is found twice. A page does a limited amount of work however many members
 * there are, so it can be short or empty and still have a next one.
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

/** Returns whether a text is too short for the trigram index: then only values that start with it are found. */
export const isShort = (text: string): boolean => [...text].length < LIMITS.searchMinLength;

/** Returns the steps of a search for a short text: whole names before names that start with it. */
function shortPartsOf(text: string, field: SearchField | 'any'): Part[] {
  if (field === 'primaryEmail') return [{ named: { field, value: text.toLowerCase(), isWhole: false } }];
  if (field === 'primaryAttr') {
    return spellingsOf(text).map((value) => ({ named: { field, value, isWhole: false } }));
  }
  const fields = field === 'any' ? (['firstName', 'lastName'] as const) : [field];
  return [
    ...fields.map((name): Part => ({ named: { field: 'names', [name]: inAscii(text) } })),
    ...fields.flatMap((name): Part[] =>
      // With the marker character before each name, two characters make a trigram.
      [...text].length > 1
        ? [{ conditions: [beginning(name, text)] }]
        : (/[ -~]/.test(text) ? [text] : [inAscii(text), ...spellingsOf(text)]).map((spelling) => ({
            named: { field: name, beginning: spelling },
          })),
    ),
  ];
}

/**
 * Finds the ids of the members that match a short text, at most `most` and one more. Looks at no more than
 * `SHORT_LOOKED_AT_MAX` members, so it finds fewer if most of them have another status.
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

/** Returns whether the searches find a member by a text in a field, or in any. */
export const hasText = (tx: Tx, row: MemberRow, field: SearchField | 'any', text: string): boolean =>
  isShort(text)
    ? shortPartsOf(text, field).some((part) => holds(tx, row, part))
    : field === 'any'
      ? SEARCH_FIELDS.some((one) => isFound(tx, row, [{ field: one, phrase: text }])) ||
        namesOf(text).some(({ conditions }) => isFound(tx, row, conditions))
      : isFound(tx, row, [{ field, phrase: text }]);

/**
 * Finds the ids of all matching members, at most `most` and one more, in no order. For the starts of two names, it
 * looks at no more than `most` members with the rarer one.
 */
export function findIdsEverywhere(
  tx: Tx,
  organisation: Organisation,
  { text, status }: Pick<EverywhereSearch, 'text' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  if (/\p{Cc}/u.test(text)) return ids;
  // Members with the text in a field are all in the widest step.
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

/** Returns the spellings to try in an index that is case-sensitive. */
const spellingsOf = (text: string): string[] => [...new Set([text, text.toUpperCase(), text.toLowerCase()])];

/** Returns the steps of a search, best matches first. */
function partsOf(text: string): Part[] {
  const splits = splitsOf(text);
  // A primary attribute in mixed case is found only in its exact spelling: its index is case-sensitive.
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
 * The characters before each name in the index, and the one after each name that is not ASCII, as in
 * `0007_after_0_1_0.sql`.
 */
const BEGIN = { firstName: '\u0002', lastName: '\u0003' };
const END = '\u0004';

const beginning = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text,
});

/** Removes the accents of a name, or returns it unchanged if it isn't ASCII even then. */
function inAscii(name: string): string {
  const plain = plainText(name);
  return /^[ -~]*$/.test(plain) ? plain : name;
}

/** Returns the condition for a whole name that is not ASCII, ignoring accents. */
const accented = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text + END,
});

/** Returns the steps for a full name that is not all ASCII: looked up by either name, the longer (rarer) one first. */
function accentedNames([firstName, lastName]: [firstName: string, lastName: string]): Part[] {
  const conditions: Condition[] = [accented('lastName', lastName), accented('firstName', firstName)];
  if (firstName.length > lastName.length) conditions.reverse();
  return conditions.map((condition) => ({ conditions: [condition], fullName: { firstName, lastName } }));
}

/** Splits a text into a first and a last name, in either order, at each space or comma. */
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

/** Returns the conditions for the starts of a first and a last name. */
const namesOf = (text: string) =>
  splitsOf(text).map(([firstName, lastName]) => {
    const first = beginning('firstName', firstName);
    const last = beginning('lastName', lastName);
    // The longer one first, because it is probably rarer. A trigram index contains nothing shorter than three
    // characters.
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

/** Checks the conditions of a step that the lookup left open. */
const passes = (tx: Tx, row: MemberRow, part: Part): boolean =>
  'named' in part || (isCalled(row, part.fullName) && isFound(tx, row, part.conditions.slice(1)));

/** Returns whether a step finds a member. */
const holds = (tx: Tx, row: MemberRow, part: Part): boolean =>
  'named' in part ? isNamed(row, part.named) : isCalled(row, part.fullName) && isFound(tx, row, part.conditions);

const isCalled = ({ firstName, lastName }: MemberRow, name: FullName | undefined): boolean =>
  !name || (plainText(firstName) === plainText(name.firstName) && plainText(lastName) === plainText(name.lastName));

/**
 * Returns a function that tells if an earlier step finds a member. A step that looks for the text anywhere in a field
 * covers the one for values that start with it.
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

const hasStatus = ({ accountStatus }: MemberRow, wanted: AccountStatus | undefined): boolean =>
  wanted === undefined ? accountStatus !== 'deleted' : statusesFoundBy(wanted).includes(accountStatus);

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
