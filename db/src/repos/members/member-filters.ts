import { and, gt, inArray, lt, lte, max, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { foldCase, foldCaseSql } from '../../fold-case.ts';
import { memberIdRange } from '../../member-ids.ts';
import { groupMembers, groups } from '../../schema/groups.ts';
import { isPresent, members } from '../../schema/members.ts';
import { roles } from '../../schema/organisations.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { OrganisationRow } from '../settings/organisations.ts';
import type { MemberRow } from './members.ts';

/** Suffix of the placeholder address for members without an email. */
const placeholder = sql`'@' || ${members.orgCode} || '.invalid'`;
const hasAddress = sql`substr(${members.primaryEmail}, -length(${placeholder})) <> ${placeholder}`;

/** Member attributes that a directory can filter by, and their SQL. Only provisioning uses these names. */
const COLUMNS = {
  id: sql`${members.suid}`,
  externalId: sql`${members.externalId}`,
  userName: sql`coalesce(${members.userName}, ${members.primaryEmail})`,
  givenName: sql`${members.firstName}`,
  familyName: sql`${members.lastName}`,
  displayName: sql`coalesce(${members.scimAttributes} ->> '$.displayName',
    trim(${members.firstName} || ' ' || ${members.lastName}))`,
  formattedName: sql`trim(${members.firstName} || ' ' || ${members.lastName})`,
  email: sql`${members.primaryEmail}`,
  address: sql`CASE WHEN ${hasAddress} THEN ${members.primaryEmail} END`,
  addressType: sql`CASE WHEN ${hasAddress} THEN 'work' END`,
  addressPrimary: sql`CASE WHEN ${hasAddress} THEN 'true' END`,
  mobileNumber: sql`${members.mobileNumber}`,
  phoneType: sql`CASE WHEN ${members.mobileNumber} IS NOT NULL THEN 'mobile' END`,
  phonePrimary: sql`CASE WHEN ${members.mobileNumber} IS NOT NULL
    AND ${members.scimAttributes} ->> '$.primaryNumber' = 'mobile' THEN 'true' END`,
  active: sql`(${members.accountStatus} <> 'inactive')`,
  roleCode: sql`${members.roleCode}`,
  roleName: sql`(SELECT ${roles.name} FROM ${roles}
    WHERE ${roles.orgCode} = ${members.orgCode} AND ${roles.roleCode} = ${members.roleCode})`,
  employeeNumber: sql`${members.primaryAttr}`,
  managerId: sql`${members.managerSuid}`,
  created: sql`${members.createdAt}`,
  lastModified: sql`coalesce(${members.provisionedAt}, ${members.createdAt})`,
  groupId: sql`${groups.groupId}`,
  groupName: sql`${groups.displayName}`,
} as const;

/** Columns that can have several values per member. */
const LISTED: ReadonlySet<MemberColumn> = new Set(['groupId', 'groupName']);

export type MemberColumn = keyof typeof COLUMNS;
export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/**
 * JSON path of a stored SCIM attribute (`members.scimAttributes`), or of a field in the elements of a list attribute.
 * Strings are compared case-insensitively, times as instants, and other values as they are.
 */
export interface StoredField {
  of: 'member' | 'element';
  path: string;
  kind: 'text' | 'time' | 'plain';
}

/**
 * A compiled filter. Strings are compared case-insensitively unless `isExact` is set, and after adding `prefix` if
 * present. `some` matches if any list element meets the condition.
 */
export type MemberCondition =
  | { op: 'and' | 'or'; conditions: readonly MemberCondition[] }
  | { op: 'not'; condition: MemberCondition }
  | { op: 'is'; value: boolean }
  | { op: 'some'; at: string; condition: MemberCondition }
  | { op: 'present'; column: MemberColumn | StoredField }
  | { op: Comparison; column: MemberColumn | StoredField; value: string | number; isExact?: boolean; prefix?: string };

const param = sql.placeholder;

/** Selects an organisation's members except deleted members. Their IDs form one contiguous range. */
const within = () => and(gt(members.id, param('after')), lt(members.id, param('before')), isPresent(members));

const membersInRange = drizzleStatement((db) =>
  db.select().from(members).where(within()).orderBy(members.id).limit(param('count')).offset(param('offset')).prepare(),
);

/** Lists members, except deleted members, in the order in which they were added. Doesn't count the total. */
export function listPresentMembers(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  { offset, count }: { offset: number; count: number },
): MemberRow[] {
  return membersInRange(tx).all({ ...memberIdRange(number), offset, count });
}

/** A range of member IDs: above `after`, up to `upTo`. */
export interface IdSlice {
  after: number;
  upTo: number;
}

const last = drizzleStatement((db) =>
  db
    .select({ id: max(members.id) })
    .from(members)
    .where(and(gt(members.id, param('after')), lt(members.id, param('before'))))
    .prepare(),
);

/** Returns the range of an organisation's member IDs, for searching it in slices. */
export function memberIdSlice(tx: Tx, { number }: Pick<OrganisationRow, 'number'>): IdSlice {
  const range = memberIdRange(number);
  return { after: range.after, upTo: last(tx).get(range)?.id ?? range.after };
}

/** A member who meets a condition, and the value to sort by, which is null if the search is unsorted. */
export interface MemberMatch {
  id: number;
  key: string | number | null;
}

/**
 * Returns a function that finds members who meet a condition, except deleted members, one slice at a time and in ID
 * order. It reads every member in the slice, so the slice size limits how long other requests wait. The statement is
 * prepared once.
 */
export function memberFinder(
  tx: Tx,
  { condition, orderBy }: { condition?: MemberCondition | undefined; orderBy?: MemberColumn | StoredField | undefined },
): (slice: IdSlice) => MemberMatch[] {
  const statement = tx
    .select({
      id: members.id,
      key: orderBy ? sql<string | number | null>`nullif(${plain(orderBy)}, '')` : sql<null>`NULL`,
    })
    .from(members)
    .where(
      and(
        gt(members.id, param('after')),
        lte(members.id, param('upTo')),
        isPresent(members),
        condition ? sqlOf(condition) : undefined,
      ),
    )
    .orderBy(members.id)
    .prepare();
  return (slice) => statement.all({ ...slice });
}

/** Lists members by their IDs, except deleted members, in ID order. */
export function listMembersByIds(
  tx: Tx,
  { number }: Pick<OrganisationRow, 'number'>,
  ids: readonly number[],
): MemberRow[] {
  if (ids.length === 0) return [];
  const { after, before } = memberIdRange(number);
  const rows = tx
    .select()
    .from(members)
    .where(and(inArray(members.id, [...ids]), gt(members.id, after), lt(members.id, before), isPresent(members)))
    .all();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns a column's sort key: numbers unchanged, strings case-folded. */
function plain(column: MemberColumn | StoredField): SQL {
  if (typeof column !== 'string') return keyOfStored(column);
  return column === 'created' || column === 'lastModified' || column === 'active'
    ? COLUMNS[column]
    : foldCaseSql(COLUMNS[column]);
}

const ELEMENT = sql.raw('element.value');

/** Returns the value of a stored attribute. In a list of simple values, the value is the element itself. */
function storedValue({ of, path }: StoredField): SQL {
  if (of === 'member') return sql`${members.scimAttributes} ->> ${path}`;
  return path === '$' ? ELEMENT : sql`${ELEMENT} ->> ${path}`;
}

/** Converts a time to fractional seconds with millisecond precision. Times without a zone are UTC. */
const moment = (value: SQL): SQL => sql`unixepoch(${value}, 'subsec')`;

/** Returns the value to compare and sort by. */
function keyOfStored(field: StoredField): SQL {
  const value = storedValue(field);
  if (field.kind === 'text') return foldCaseSql(value);
  return field.kind === 'time' ? moment(value) : value;
}

function sqlOf(condition: MemberCondition): SQL {
  switch (condition.op) {
    case 'is':
      return sql`${condition.value ? 1 : 0}`;
    case 'not':
      return sql`NOT ${sqlOf(condition.condition)}`;
    case 'and':
    case 'or': {
      const parts = condition.conditions.map(sqlOf);
      return sql`(${sql.join(parts, condition.op === 'and' ? sql` AND ` : sql` OR `)})`;
    }
    case 'some':
      return sql`EXISTS (SELECT 1 FROM json_each(${members.scimAttributes}, ${condition.at}) AS element
        WHERE ${sqlOf(condition.condition)})`;
    case 'present':
      if (typeof condition.column !== 'string') return sql`coalesce(${storedValue(condition.column)} <> '', 0)`;
      if (LISTED.has(condition.column)) return inGroupWith(sql`1`);
      return sql`coalesce(${COLUMNS[condition.column]} <> '', 0)`;
    default:
      if (typeof condition.column !== 'string' || !LISTED.has(condition.column)) return compared(condition);
      if (condition.op === 'ne') return sql`NOT ${sqlOf({ ...condition, op: 'eq' })}`;
      return inGroupWith(compared(condition));
  }
}

/** Returns a condition that is true for members of any group that satisfies `condition`. */
const inGroupWith = (condition: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${groupMembers}
  JOIN ${groups} ON ${groups.groupId} = ${groupMembers.groupId} AND ${groups.orgCode} = ${groupMembers.orgCode}
  WHERE ${groupMembers.suid} = ${members.suid} AND ${groupMembers.orgCode} = ${members.orgCode} AND ${condition})`;

type Compared = Extract<MemberCondition, { op: Comparison }>;

function compared(condition: Compared): SQL {
  const { op } = condition;
  const { left, right } = sidesOf(condition);
  // A missing value is neither equal to nor greater than any value, so only `ne` matches it.
  if (op === 'ne') return sql`coalesce(${left} <> ${right}, 1)`;
  return sql`coalesce(${comparison[op](left, right)}, 0)`;
}

function sidesOf({ column, value, isExact = false, prefix }: Compared): { left: SQL; right: SQL } {
  const kind = typeof column === 'string' ? (typeof value === 'string' && !isExact ? 'text' : 'plain') : column.kind;
  const right = sql`${kind === 'text' ? foldCase(String(value)) : value}`;
  if (typeof column !== 'string') return { left: keyOfStored(column), right: kind === 'time' ? moment(right) : right };
  const own = prefix === undefined ? COLUMNS[column] : sql`${prefix} || ${COLUMNS[column]}`;
  return { left: kind === 'text' ? foldCaseSql(own) : own, right };
}

const comparison: Record<Exclude<Comparison, 'ne'>, (left: SQL, right: SQL) => SQL> = {
  eq: (left, right) => sql`${left} = ${right}`,
  co: (left, right) => sql`instr(${left}, ${right}) > 0`,
  sw: (left, right) => sql`substr(${left}, 1, length(${right})) = ${right}`,
  ew: (left, right) => sql`length(${left}) >= length(${right}) AND substr(${left}, -length(${right})) = ${right}`,
  gt: (left, right) => sql`${left} > ${right}`,
  ge: (left, right) => sql`${left} >= ${right}`,
  lt: (left, right) => sql`${left} < ${right}`,
  le: (left, right) => sql`${left} <= ${right}`,
};
