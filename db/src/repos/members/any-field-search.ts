import { type AccountStatus, LIMITS, plainText, statusesFoundBy } from '@orchestrate/shared';
import { and, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
import {
  indexRowId,
  memberSearch,
  SEARCH_FIELDS,
  type SearchField,
  searchMemberIds,
  searchMemberRows,
  textQuery,
} from './member-search.ts';
import type { MemberRow } from './members.ts';
import { listMembersByName, matchesName, type NameQuery } from './members-by-name.ts';

type Organisation = Pick<OrganisationRow, 'number' | 'orgCode'>;

/** A phrase to find in one field. */
interface Condition {
  field: SearchField;
  phrase: string;
}

/** A first and a last name to match in full, ignoring case and accents. */
interface FullName {
  firstName: string;
  lastName: string;
}

/**
 * One step of a search: find members either by name or by conditions. The first condition is looked up in the index.
 * The other conditions and the full name, if any, filter the matches.
 */
type Step = { named: NameQuery } | { conditions: readonly [Condition, ...Condition[]]; fullName?: FullName };

export interface AnyFieldSearch {
  text: string;
  /** Field to search if the search text is short; longer search text is looked up in all fields. */
  field: SearchField | 'any';
  /** Account status to search for. Defaults to every status except deleted. */
  status?: AccountStatus | undefined;
  /** Maximum number of members to return. */
  count: number;
  /** Cursor of the requested page. Defaults to the first page. */
  after?: AnyFieldCursor | undefined;
}

/** The search step to continue, and the last member examined in that step. */
export interface AnyFieldCursor {
  part: number;
  id: number;
}

export interface AnyFieldPage {
  rows: MemberRow[];
  /** Cursor of the next page, absent on the last page. */
  next?: AnyFieldCursor;
}

/** Maximum number of members that a page examines, including members that earlier steps already found. */
const LOOKED_AT_MAX = 200;

/**
 * Finds members by any field, best matches first: exact matches (full name, first name, last name, mailbox, primary
 * attribute), then first and last names that start with the two halves of the search text, then values that start
 * with the search text, then values that contain it. Never returns a member twice. Each page examines a limited
 * number of members, so a page can be short or even empty and still have a next page.
 */
export function searchAnyField(
  tx: Tx,
  organisation: Organisation,
  { text, field, status, count, after }: AnyFieldSearch,
): AnyFieldPage {
  if (/\p{Cc}/u.test(text)) return { rows: [] };
  const steps = isShortText(text) ? shortStepsOf(text, field) : stepsOf(text);
  const rows: MemberRow[] = [];
  let looked = 0;
  let cursor: AnyFieldCursor | undefined = after;
  for (const [at, step] of [...steps.entries()].slice(after?.part ?? 0)) {
    let last = after?.part === at ? after.id : undefined;
    const isEarlier = earlierThan(tx, steps, at);
    for (;;) {
      const batch = runStep(tx, organisation, step, { status, last });
      for (const row of batch) {
        if (looked === LOOKED_AT_MAX && cursor) return { rows, next: cursor };
        looked += 1;
        if (hasStatus(row, status) && passesFilters(tx, row, step) && !isEarlier(row)) {
          if (rows.length === count && cursor) return { rows, next: cursor };
          rows.push(row);
        }
        last = row.id;
        cursor = { part: at, id: row.id };
      }
      if (batch.length < BATCH) break;
    }
  }
  return { rows };
}

/**
 * Returns true if the search text is too short for the trigram index. Short text only finds values that start with
 * it.
 */
export const isShortText = (text: string): boolean => [...text].length < LIMITS.searchMinLength;

/** Returns the search steps for short text: whole names, then names that start with it. */
function shortStepsOf(text: string, field: SearchField | 'any'): Step[] {
  if (field === 'primaryEmail') return [{ named: { field, value: text.toLowerCase(), isWhole: false } }];
  if (field === 'primaryAttr') {
    return spellingsOf(text).map((value) => ({ named: { field, value, isWhole: false } }));
  }
  const fields = field === 'any' ? (['firstName', 'lastName'] as const) : [field];
  return [
    ...fields.map((name): Step => ({ named: { field: 'names', [name]: inAscii(text) } })),
    ...fields.flatMap((name): Step[] =>
      // Together with the marker character before each name, two characters form a trigram.
      [...text].length > 1
        ? [{ conditions: [beginning(name, text)] }]
        : (/[ -~]/.test(text) ? [text] : [inAscii(text), ...spellingsOf(text)]).map((spelling) => ({
            named: { field: name, beginning: spelling },
          })),
    ),
  ];
}

/**
 * Finds the IDs of members that match short text. Stops once it has more than `most` IDs or has examined
 * `SHORT_LOOKED_AT_MAX` members, so the search can miss matches if most members have another status.
 */
export function findIdsByShortText(
  tx: Tx,
  organisation: Organisation,
  { text, field, status }: Pick<AnyFieldSearch, 'text' | 'field' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  let looked = 0;
  for (const step of shortStepsOf(text, field)) {
    let last: number | undefined;
    for (;;) {
      const batch = runStep(tx, organisation, step, { status, last });
      for (const row of batch) if (hasStatus(row, status) && passesFilters(tx, row, step)) ids.add(row.id);
      looked += batch.length;
      last = batch.at(-1)?.id;
      if (ids.size > most || looked >= SHORT_LOOKED_AT_MAX) return ids;
      if (batch.length < BATCH) break;
    }
  }
  return ids;
}

const SHORT_LOOKED_AT_MAX = 10_000;

/** Returns true if searching `field` (or any field) for the text finds the member. */
export const matchesText = (tx: Tx, row: MemberRow, field: SearchField | 'any', text: string): boolean =>
  isShortText(text)
    ? shortStepsOf(text, field).some((step) => matchesStep(tx, row, step))
    : field === 'any'
      ? SEARCH_FIELDS.some((one) => isFound(tx, row, [{ field: one, phrase: text }])) ||
        namesOf(text).some(({ conditions }) => isFound(tx, row, conditions))
      : isFound(tx, row, [{ field, phrase: text }]);

/**
 * Finds the IDs of all matching members, in no particular order, or more than `most` IDs if there are more matches.
 * To match the starts of two names, examines at most `most + 1` members with the rarer name.
 */
export function findIdsInAnyField(
  tx: Tx,
  organisation: Organisation,
  { text, status }: Pick<AnyFieldSearch, 'text' | 'status'>,
  most: number,
): Set<number> {
  const ids = new Set<number>();
  if (/\p{Cc}/u.test(text)) return ids;
  // Searching each field for text at any position also finds the members of the narrower search steps.
  for (const field of SEARCH_FIELDS) {
    for (const id of searchMemberIds(tx, organisation, { field, phrase: text, status, count: most + 1 })) ids.add(id);
  }
  for (const {
    conditions: [{ field, phrase }, ...others],
  } of namesOf(text)) {
    for (const id of searchMemberIds(tx, organisation, { field, phrase, status, count: most + 1 })) {
      if (ids.size > most) break;
      if (!ids.has(id) && isFound(tx, { id }, others)) ids.add(id);
    }
  }
  return ids;
}

const BATCH = 60;

/** Returns the spellings to look up in a case-sensitive index. */
const spellingsOf = (text: string): string[] => [...new Set([text, text.toUpperCase(), text.toLowerCase()])];

/** Returns the search steps, best matches first. */
function stepsOf(text: string): Step[] {
  const splits = splitsOf(text);
  // The primary attribute's index is case-sensitive, so a mixed-case value is found only by its exact spelling.
  const attributes = (isWhole: boolean): NameQuery[] =>
    spellingsOf(text).map((value) => ({ field: 'primaryAttr', value, isWhole }));
  const names: NameQuery[] = [
    ...splits.map(([first, last]) => ({
      field: 'names' as const,
      firstName: inAscii(first),
      lastName: inAscii(last),
    })),
    { field: 'names', firstName: inAscii(text) },
    { field: 'names', lastName: inAscii(text) },
  ];
  const called: NameQuery[] = [
    { field: 'primaryEmail', value: `${text.toLowerCase()}@`, isWhole: false },
    ...attributes(true),
  ];
  const beginnings: NameQuery[] = [
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
    ...SEARCH_FIELDS.map((field): Step => ({ conditions: [{ field, phrase: text }] })),
  ];
}

/** Marker characters before each first and last name in the index, as in `0007_after_0_1_0.sql`. */
const BEGIN = { firstName: '\u0002', lastName: '\u0003' };
const END = '\u0004';

const beginning = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text,
});

/** Returns the name without accents if the result is ASCII. Otherwise returns the name unchanged. */
function inAscii(name: string): string {
  const plain = plainText(name);
  return /^[ -~]*$/.test(plain) ? plain : name;
}

/** Returns the condition that matches a whole non-ASCII name. The index ignores accents. */
const accented = (field: 'firstName' | 'lastName', text: string): Condition => ({
  field,
  phrase: BEGIN[field] + text + END,
});

/**
 * Returns the steps for a full name with non-ASCII characters. Each name is looked up, starting with the longer
 * (rarer) name.
 */
function accentedNames([firstName, lastName]: [firstName: string, lastName: string]): Step[] {
  const conditions: Condition[] = [accented('lastName', lastName), accented('firstName', firstName)];
  if (firstName.length > lastName.length) conditions.reverse();
  return conditions.map((condition) => ({ conditions: [condition], fullName: { firstName, lastName } }));
}

/** Splits the search text into a first and a last name at each space or comma, in either order. */
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

/** Returns conditions that match the starts of a first and a last name. */
const namesOf = (text: string) =>
  splitsOf(text).map(([firstName, lastName]) => {
    const first = beginning('firstName', firstName);
    const last = beginning('lastName', lastName);
    // Look up the longer name first, because it is probably rarer and a trigram index cannot find fewer than three
    // characters.
    const conditions: [Condition, Condition] = lastName.length > firstName.length ? [last, first] : [first, last];
    return { conditions };
  });

function runStep(
  tx: Tx,
  organisation: Organisation,
  step: Step,
  { status, last }: { status: AccountStatus | undefined; last: number | undefined },
): MemberRow[] {
  if ('named' in step) {
    return listMembersByName(tx, step.named, { orgCode: organisation.orgCode, after: last, count: BATCH });
  }
  const [{ field, phrase }] = step.conditions;
  return searchMemberRows(tx, organisation, { field, phrase, status, after: last, count: BATCH });
}

/** Returns true if the member meets the step's conditions that the index lookup didn't cover. */
const passesFilters = (tx: Tx, row: MemberRow, step: Step): boolean =>
  'named' in step || (hasFullName(row, step.fullName) && isFound(tx, row, step.conditions.slice(1)));

/** Returns true if the step finds the member. */
const matchesStep = (tx: Tx, row: MemberRow, step: Step): boolean =>
  'named' in step ? matchesName(row, step.named) : hasFullName(row, step.fullName) && isFound(tx, row, step.conditions);

const hasFullName = ({ firstName, lastName }: MemberRow, name: FullName | undefined): boolean =>
  !name || (plainText(firstName) === plainText(name.firstName) && plainText(lastName) === plainText(name.lastName));

/**
 * Returns a predicate that checks whether an earlier step also finds a member. A step that matches text anywhere in a
 * field makes that field's prefix step redundant.
 */
function earlierThan(tx: Tx, steps: readonly Step[], at: number): (row: MemberRow) => boolean {
  const before = steps.slice(0, at);
  const fieldOf = (step: Step) =>
    'conditions' in step && step.conditions.length === 1 && !step.fullName ? step.conditions[0].field : undefined;
  const needed = before.filter((step, index) => {
    const field = fieldOf(step);
    return field === undefined || !before.slice(index + 1).some((later) => fieldOf(later) === field);
  });
  return (row) => needed.some((step) => matchesStep(tx, row, step));
}

const hasStatus = ({ accountStatus }: MemberRow, wanted: AccountStatus | undefined): boolean =>
  wanted === undefined ? accountStatus !== 'deleted' : statusesFoundBy(wanted).includes(accountStatus);

const isFound = (tx: Tx, { id }: Pick<MemberRow, 'id'>, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, phrase }) => matched(tx).get({ query: textQuery(phrase), rowid: indexRowId(field, id) }));

const matched = drizzleStatement((db) =>
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
