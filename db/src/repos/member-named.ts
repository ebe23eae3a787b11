import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { isPresent, members } from '../schema/members.ts';
import type { MemberRow } from './members.ts';
import type { OrganisationRow } from './organisations.ts';

/** What a member is called, in full; ASCII letters match in either case. */
export interface Named {
  firstName?: string;
  lastName?: string;
  /** Finds only members who have not been deleted. */
  primaryAttr?: string;
}

const given = sql.placeholder;
const is = (column: SQLiteColumn, name: string) => sql`${column} COLLATE NOCASE = ${given(name)}`;

const reading = (condition: (SQL | undefined)[], order: SQL[]) =>
  prepared((db) =>
    db
      .select(getTableColumns(members))
      .from(members)
      .where(and(eq(members.orgCode, given('orgCode')), ...condition))
      .orderBy(...order)
      .limit(given('count'))
      .prepare(),
  );

/** After the last member of the page before, by the present name. The first condition is one that the index can begin at. */
const afterBy = (column: SQLiteColumn) => {
  const before = sql`coalesce((SELECT before.${sql.identifier(column.name)} FROM ${members} before WHERE before.id = ${given('after')}), '')`;
  return and(
    sql`${column} COLLATE NOCASE >= ${before}`,
    sql`(${column} COLLATE NOCASE, ${members.id}) > (${before}, ${given('after')})`,
  );
};

const byFirstName = reading(
  [is(members.firstName, 'firstName'), afterBy(members.lastName)],
  [sql`${members.lastName} COLLATE NOCASE`, asc(members.id)],
);
const byLastName = reading(
  [is(members.lastName, 'lastName'), afterBy(members.firstName)],
  [sql`${members.firstName} COLLATE NOCASE`, asc(members.id)],
);
const byBoth = reading(
  [is(members.firstName, 'firstName'), is(members.lastName, 'lastName'), gt(members.id, given('after'))],
  [asc(members.id)],
);
const byAttribute = reading(
  [
    sql`${members.primaryAttr} IN (${given('asGiven')}, ${given('upper')}, ${given('lower')})`,
    isPresent(members),
    gt(members.id, given('after')),
  ],
  [asc(members.id)],
);

/**
 * The members of an organisation who are called just that, by their other name and then in the order in which they
 * were entered. Read along an index, however many there are.
 * @param after the id of the last member of the page before; 0 for the first page
 */
export function listNamed(
  tx: Tx,
  { orgCode }: Pick<OrganisationRow, 'orgCode'>,
  named: Named,
  { after, count }: { after: number; count: number },
): MemberRow[] {
  const { firstName, lastName, primaryAttr } = named;
  const page = { orgCode, after, count };
  if (primaryAttr !== undefined) {
    const [asGiven, upper, lower] = spellingsOf(primaryAttr);
    return byAttribute(tx).all({ ...page, asGiven, upper, lower });
  }
  const read = firstName === undefined ? byLastName : lastName === undefined ? byFirstName : byBoth;
  return read(tx).all({ ...page, firstName, lastName });
}

/** Whether `listNamed` finds a member. */
export function isNamed(row: MemberRow, { firstName, lastName, primaryAttr }: Named): boolean {
  if (primaryAttr !== undefined) {
    return row.accountStatus !== 'deleted' && spellingsOf(primaryAttr).includes(row.primaryAttr);
  }
  const isOrOpen = (name: string, asked: string | undefined) => asked === undefined || plain(name) === plain(asked);
  return isOrOpen(row.firstName, firstName) && isOrOpen(row.lastName, lastName);
}

const spellingsOf = (value: string) => [value, value.toUpperCase(), value.toLowerCase()];

/** Without case, as SQLite's NOCASE. */
const plain = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
