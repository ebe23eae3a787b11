import { transliterate } from '@orchestrate/shared';
import { and, asc, eq, getTableColumns, gt, gte, lte, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { isPresent, members } from '../../schema/members.ts';
import { transliterateSql } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { MemberRow } from './members.ts';

/**
 * A name or value to look up. A first name, last name or both can be given in full, or the start of one name. Names
 * are normalised to ASCII letters where possible and compared case-insensitively in ASCII. A value is the whole email
 * or primary attribute, or its start, and matches only members who have not been deleted.
 */
export type NameQuery =
  | { field: 'names'; firstName?: string; lastName?: string }
  | { field: 'firstName' | 'lastName'; beginning: string }
  | { field: 'primaryEmail' | 'primaryAttr'; value: string; isWhole: boolean };

type Read = { orgCode: string; after: number | undefined; count: number };

const param = sql.placeholder;
/** Sorts after every other character, so a prefix followed by `END` is the upper bound of the prefix's range. */
const END = '\u{10FFFF}';

const reading = (conditions: (SQL | undefined)[], order: SQL[]) =>
  drizzleStatement((db) =>
    db
      .select(getTableColumns(members))
      .from(members)
      .where(and(eq(members.orgCode, param('orgCode')), ...conditions))
      .orderBy(...order)
      .limit(param('count'))
      .prepare(),
  );

/**
 * Selects the rows after the cursor, ordered by the column and then by ID. The first condition lets SQLite seek to
 * the cursor in the index.
 */
const afterBy = (column: SQL) => [
  gte(column, param('from')),
  sql`(${column}, ${members.id}) > (${param('from')}, ${param('fromId')})`,
];

const anyCase = {
  firstName: sql`${transliterateSql(sql`${members.firstName}`)} COLLATE NOCASE`,
  lastName: sql`${transliterateSql(sql`${members.lastName}`)} COLLATE NOCASE`,
};
const isFirst = eq(anyCase.firstName, param('firstName'));
const isLast = eq(anyCase.lastName, param('lastName'));

const readings = {
  both: reading([isFirst, isLast, gt(members.id, param('fromId'))], [asc(members.id)]),
  firstName: reading([isFirst, ...afterBy(anyCase.lastName)], [anyCase.lastName, asc(members.id)]),
  lastName: reading([isLast, ...afterBy(anyCase.firstName)], [anyCase.firstName, asc(members.id)]),
  firstNames: readingBeginnings(anyCase.firstName, anyCase.lastName),
  lastNames: readingBeginnings(anyCase.lastName, anyCase.firstName),
  primaryEmail: readingValue(sql`${members.primaryEmail}`),
  primaryAttr: readingValue(sql`${members.primaryAttr}`),
};

const byId = drizzleStatement((db) =>
  db
    .select()
    .from(members)
    .where(and(eq(members.orgCode, param('orgCode')), eq(members.id, param('id'))))
    .prepare(),
);

function readingValue(column: SQL) {
  return reading([...afterBy(column), lte(column, param('end')), isPresent(members)], [column, asc(members.id)]);
}

/** Selects names by prefix, in index order: by name, then the other name, then ID. */
function readingBeginnings(name: SQL, other: SQL) {
  const from = sql`(${name}, ${other}, ${members.id}) > (${param('from')}, ${param('fromOther')}, ${param('fromId')})`;
  return reading([gte(name, param('from')), lte(name, param('end')), from], [name, other, asc(members.id)]);
}

/**
 * Lists a page of an organisation's members with this name or value, ordered by their other name or by the value,
 * then by ID. Reads along an index, so the time doesn't depend on the size of the organisation.
 * @param after ID of the last member on the previous page; that member's current values decide where this page starts
 */
export function listMembersByName(tx: Tx, named: NameQuery, { orgCode, after: last, count }: Read): MemberRow[] {
  const after = last === undefined ? undefined : byId(tx).get({ orgCode, id: last });
  const page = { orgCode, count, fromId: after?.id ?? 0 };
  if ('beginning' in named) {
    const beginning = transliterate(named.beginning);
    const [read, other] =
      named.field === 'firstName'
        ? ([readings.firstNames, 'lastName'] as const)
        : ([readings.lastNames, 'firstName'] as const);
    const from = transliterate(after?.[named.field] ?? beginning);
    return read(tx).all({ ...page, from, fromOther: transliterate(after?.[other] ?? ''), end: beginning + END });
  }
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return readings[field](tx).all({ ...page, from: after?.[field] ?? value, end: isWhole ? value : value + END });
  }
  const [firstName, lastName] = [named.firstName, named.lastName].map((name) => name && transliterate(name));
  if (firstName !== undefined && lastName !== undefined) return readings.both(tx).all({ ...page, firstName, lastName });
  const from = transliterate((firstName === undefined ? after?.firstName : after?.lastName) ?? '');
  if (firstName !== undefined) return readings.firstName(tx).all({ ...page, firstName, from });
  return readings.lastName(tx).all({ ...page, lastName, from });
}

/** Returns true if `listMembersByName` would find the member. */
export function matchesName(row: MemberRow, named: NameQuery): boolean {
  if ('beginning' in named) return plain(row[named.field]).startsWith(plain(named.beginning));
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return row.accountStatus !== 'deleted' && (isWhole ? row[field] === value : row[field].startsWith(value));
  }
  const isOrOpen = (name: string, wanted: string | undefined) => wanted === undefined || plain(name) === plain(wanted);
  return isOrOpen(row.firstName, named.firstName) && isOrOpen(row.lastName, named.lastName);
}

/** Normalises a name in the same way as `transliterate` and SQLite's NOCASE. */
const plain = (name: string): string => transliterate(name).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
