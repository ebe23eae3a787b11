import { writtenOut } from '@orchestrate/shared';
import { and, asc, eq, getTableColumns, gt, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { isPresent, members } from '../../schema/members.ts';
import { writtenOutIn } from '../../sql.ts';
import type { MemberRow } from './members.ts';

/**
 * A name to look for: a whole first name, last name or both, or the beginning of one, written out, where ASCII letters
 * match in either case; or
 * a value that the address or primary attribute equals or begins with, which finds only members who have not been
 * deleted.
 */
export type Named =
  | { field: 'names'; firstName?: string; lastName?: string }
  | { field: 'firstName' | 'lastName'; beginning: string }
  | { field: 'primaryEmail' | 'primaryAttr'; value: string; isWhole: boolean };

type Read = { orgCode: string; after: number | undefined; count: number };

const given = sql.placeholder;
/** Sorts after every character: a prefix followed by it is the end of that prefix's range. */
const END = '\u{10FFFF}';

const reading = (conditions: (SQL | undefined)[], order: SQL[]) =>
  drizzleStatement((db) =>
    db
      .select(getTableColumns(members))
      .from(members)
      .where(and(eq(members.orgCode, given('orgCode')), ...conditions))
      .orderBy(...order)
      .limit(given('count'))
      .prepare(),
  );

/**
 * The rows after a given one, ordered by a column and then by id. The first condition lets SQLite start inside the
 * index.
 */
const afterBy = (column: SQL) => [
  gte(column, given('from')),
  sql`(${column}, ${members.id}) > (${given('from')}, ${given('fromId')})`,
];

const anyCase = {
  firstName: sql`${writtenOutIn(sql`${members.firstName}`)} COLLATE NOCASE`,
  lastName: sql`${writtenOutIn(sql`${members.lastName}`)} COLLATE NOCASE`,
};
const isFirst = eq(anyCase.firstName, given('firstName'));
const isLast = eq(anyCase.lastName, given('lastName'));

const readings = {
  both: reading([isFirst, isLast, gt(members.id, given('fromId'))], [asc(members.id)]),
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
    .where(and(eq(members.orgCode, given('orgCode')), eq(members.id, given('id'))))
    .prepare(),
);

function readingValue(column: SQL) {
  return reading([...afterBy(column), lte(column, given('end')), isPresent(members)], [column, asc(members.id)]);
}

/** Names that begin with a text, ordered by them, then by the other name, then by id, as their index is. */
function readingBeginnings(name: SQL, other: SQL) {
  const from = sql`(${name}, ${other}, ${members.id}) > (${given('from')}, ${given('fromOther')}, ${given('fromId')})`;
  return reading([gte(name, given('from')), lte(name, given('end')), from], [name, other, asc(members.id)]);
}

/**
 * A page of an organisation's members with that name or value, ordered by their other name, or by the value, and then
 * by id. It is read along an index, so it takes as long in a large organisation as in a small one.
 * @param after the id of the last member on the previous page; its present values decide where this page starts
 */
export function listNamed(tx: Tx, named: Named, { orgCode, after: last, count }: Read): MemberRow[] {
  const after = last === undefined ? undefined : byId(tx).get({ orgCode, id: last });
  const page = { orgCode, count, fromId: after?.id ?? 0 };
  if ('beginning' in named) {
    const beginning = writtenOut(named.beginning);
    const [read, other] =
      named.field === 'firstName'
        ? ([readings.firstNames, 'lastName'] as const)
        : ([readings.lastNames, 'firstName'] as const);
    const from = writtenOut(after?.[named.field] ?? beginning);
    return read(tx).all({ ...page, from, fromOther: writtenOut(after?.[other] ?? ''), end: beginning + END });
  }
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return readings[field](tx).all({ ...page, from: after?.[field] ?? value, end: isWhole ? value : value + END });
  }
  const [firstName, lastName] = [named.firstName, named.lastName].map((name) => name && writtenOut(name));
  if (firstName !== undefined && lastName !== undefined) return readings.both(tx).all({ ...page, firstName, lastName });
  const from = writtenOut((firstName === undefined ? after?.firstName : after?.lastName) ?? '');
  if (firstName !== undefined) return readings.firstName(tx).all({ ...page, firstName, from });
  return readings.lastName(tx).all({ ...page, lastName, from });
}

/** Whether `listNamed` finds a member. */
export function isNamed(row: MemberRow, named: Named): boolean {
  if ('beginning' in named) return plain(row[named.field]).startsWith(plain(named.beginning));
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return row.accountStatus !== 'deleted' && (isWhole ? row[field] === value : row[field].startsWith(value));
  }
  const isOrOpen = (name: string, asked: string | undefined) => asked === undefined || plain(name) === plain(asked);
  return isOrOpen(row.firstName, named.firstName) && isOrOpen(row.lastName, named.lastName);
}

/** Written out and without case, as SQLite's NOCASE. */
const plain = (name: string): string => writtenOut(name).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
