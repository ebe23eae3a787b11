import { and, asc, eq, getTableColumns, gt, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { isPresent, members } from '../schema/members.ts';
import type { MemberRow } from './members.ts';

/**
 * What a member is called: a whole first name, last name or both, ASCII letters in either case; or what an address or a
 * primary attribute is, or begins with, of a member who has not been deleted.
 */
export type Named =
  | { field: 'names'; firstName?: string; lastName?: string }
  | { field: 'primaryEmail' | 'primaryAttr'; value: string; isWhole: boolean };

type Read = { orgCode: string; after: number | undefined; count: number };

const given = sql.placeholder;
/** No text is beyond its beginning followed by this. */
const END = '\u{10FFFF}';

const reading = (conditions: (SQL | undefined)[], order: SQL[]) =>
  prepared((db) =>
    db
      .select(getTableColumns(members))
      .from(members)
      .where(and(eq(members.orgCode, given('orgCode')), ...conditions))
      .orderBy(...order)
      .limit(given('count'))
      .prepare(),
  );

/** Rows after one, in the order of a column and then of the ids. The first condition is one that the index begins at. */
const afterBy = (column: SQL) => [
  gte(column, given('from')),
  sql`(${column}, ${members.id}) > (${given('from')}, ${given('fromId')})`,
];

const anyCase = {
  firstName: sql`${members.firstName} COLLATE NOCASE`,
  lastName: sql`${members.lastName} COLLATE NOCASE`,
};
const isFirst = eq(anyCase.firstName, given('firstName'));
const isLast = eq(anyCase.lastName, given('lastName'));

const readings = {
  both: reading([isFirst, isLast, gt(members.id, given('fromId'))], [asc(members.id)]),
  firstName: reading([isFirst, ...afterBy(anyCase.lastName)], [anyCase.lastName, asc(members.id)]),
  lastName: reading([isLast, ...afterBy(anyCase.firstName)], [anyCase.firstName, asc(members.id)]),
  primaryEmail: readingValue(sql`${members.primaryEmail}`),
  primaryAttr: readingValue(sql`${members.primaryAttr}`),
};

const byId = prepared((db) =>
  db
    .select()
    .from(members)
    .where(and(eq(members.orgCode, given('orgCode')), eq(members.id, given('id'))))
    .prepare(),
);

function readingValue(column: SQL) {
  return reading([...afterBy(column), lte(column, given('end')), isPresent(members)], [column, asc(members.id)]);
}

/**
 * The members of an organisation who are called that, in the order of the other name or of the value, then of the ids.
 * They are read along an index, however many there are.
 * @param after the id of the last member of the page before, whose present values count
 */
export function listNamed(tx: Tx, named: Named, { orgCode, after: last, count }: Read): MemberRow[] {
  const after = last === undefined ? undefined : byId(tx).get({ orgCode, id: last });
  const page = { orgCode, count, fromId: after?.id ?? 0 };
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return readings[field](tx).all({ ...page, from: after?.[field] ?? value, end: isWhole ? value : value + END });
  }
  const { firstName, lastName } = named;
  if (firstName !== undefined && lastName !== undefined) return readings.both(tx).all({ ...page, firstName, lastName });
  if (firstName !== undefined) return readings.firstName(tx).all({ ...page, firstName, from: after?.lastName ?? '' });
  return readings.lastName(tx).all({ ...page, lastName, from: after?.firstName ?? '' });
}

/** Whether `listNamed` finds a member. */
export function isNamed(row: MemberRow, named: Named): boolean {
  if (named.field !== 'names') {
    const { field, value, isWhole } = named;
    return row.accountStatus !== 'deleted' && (isWhole ? row[field] === value : row[field].startsWith(value));
  }
  const isOrOpen = (name: string, asked: string | undefined) => asked === undefined || plain(name) === plain(asked);
  return isOrOpen(row.firstName, named.firstName) && isOrOpen(row.lastName, named.lastName);
}

/** Without case, as SQLite's NOCASE. */
const plain = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
