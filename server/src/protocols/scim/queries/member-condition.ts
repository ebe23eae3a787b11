import type { memberFilterRepo } from '@orchestrate/db';
import { normaliseUserName } from '#core/sign-in/find-member.ts';
import { ENTERPRISE_SCHEMA, IGNORED_ATTRIBUTES, USER_SCHEMA } from '../attributes.ts';
import type { Extension } from '../extensions.ts';
import {
  comparisonCondition,
  elementCondition,
  extensionCondition,
  presenceCondition,
  resolveTarget,
  type StoredTarget,
  sortFieldOf,
  storedElementsOf,
} from './extension-condition.ts';
import { type Filter, invalid } from './filter.ts';
import { unsortableError } from './list-answer.ts';

type Condition = memberFilterRepo.MemberCondition;
type Column = memberFilterRepo.MemberColumn;

/** Where an attribute's values are stored. One attribute can have several columns. */
type Source = Column | readonly Column[] | { constant: string } | AddressSource | undefined;

interface AddressSource {
  within: string;
  columns: readonly Column[];
}

/**
 * Sources of user attributes: a column, a constant for all users, a URL given by its path below the base URL, or
 * undefined for a sub-attribute that only stored elements can have.
 */
const ATTRIBUTES: Record<string, Source> = {
  id: 'id',
  externalid: 'externalId',
  username: 'userName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  'name.formatted': 'formattedName',
  displayname: 'displayName',
  active: 'active',
  emails: 'address',
  'emails.value': 'address',
  'emails.type': 'addressType',
  'emails.primary': 'addressPrimary',
  'emails.display': undefined,
  phonenumbers: 'mobileNumber',
  'phonenumbers.value': 'mobileNumber',
  'phonenumbers.type': 'phoneType',
  'phonenumbers.primary': 'phonePrimary',
  'phonenumbers.display': undefined,
  roles: 'roleCode',
  'roles.value': 'roleCode',
  'roles.display': 'roleName',
  'roles.primary': { constant: 'true' },
  groups: ['roleCode', 'groupId'],
  'groups.value': ['roleCode', 'groupId'],
  'groups.$ref': { within: '/Groups/', columns: ['roleCode', 'groupId'] },
  'groups.display': ['roleName', 'groupName'],
  'groups.type': { constant: 'direct' },
  employeenumber: 'employeeNumber',
  manager: 'managerId',
  'manager.value': 'managerId',
  'manager.displayname': undefined,
  'manager.$ref': { within: '/Users/', columns: ['managerId'] },
  'meta.resourcetype': { constant: 'User' },
  'meta.created': 'created',
  'meta.lastmodified': 'lastModified',
  'meta.location': { within: '/Users/', columns: ['id'] },
};

const EXACT: ReadonlySet<Column> = new Set(['id', 'externalId', 'managerId', 'groupId']);
const FLAGS: ReadonlySet<Column> = new Set(['addressPrimary', 'phonePrimary']);

interface Finding {
  /** The organisation's registered extensions. */
  extensions: readonly Extension[];
  /** Base URL of all resources. */
  base: string;
}

/**
 * Translates a filter on users to a database condition.
 * @throws ScimError invalidFilter for an attribute that users don't have
 */
export function memberConditionOf(filter: Filter, finding: Finding, within = ''): Condition {
  const { extensions, base } = finding;
  switch (filter.op) {
    case 'and':
    case 'or':
      return {
        op: filter.op,
        conditions: filter.filters.map((one) => memberConditionOf(one, finding, within)),
      };
    case 'not':
      return { op: 'not', condition: memberConditionOf(filter.filter, finding, within) };
    case 'in': {
      if (within !== '') throw invalid('brackets cannot be nested');
      const list = targetIn(extensions, filter.path);
      if (list?.attribute.multiValued) return someOf(list, filter.filter);
      const own = memberConditionOf(filter.filter, finding, `${filter.path}.`);
      const others = known(storedElementsOf(filter.path), filter.path);
      if (!others) return own;
      const ownOne: Condition = { op: 'and', conditions: [present(filter.path), own] };
      return { op: 'or', conditions: [ownOne, someOf(others, filter.filter)] };
    }
    default: {
      const path = `${within}${filter.path}`;
      if (path === 'schemas' || path === 'schemas.value') return schemasCondition(filter, extensions);
      const target = targetIn(extensions, path);
      if (target) return filter.op === 'pr' ? presenceCondition(target) : comparisonCondition(target, filter);
      const own = filter.op === 'pr' ? present(path) : compared(filter, path, base);
      const others = within === '' ? known(storedElementsOf(path), path) : undefined;
      if (!others) return own;
      if (filter.op === 'pr') return { op: 'or', conditions: [own, presenceCondition(others)] };
      // `ne` must differ from every value, or the attribute must be unassigned.
      const isOfAll = filter.op === (filter.value === null ? 'eq' : 'ne');
      return { op: isOfAll ? 'and' : 'or', conditions: [own, comparisonCondition(others, filter)] };
    }
  }
}

/**
 * Returns the condition for a filter on schemas. All users have the first two schemas, plus the schemas of extensions
 * for which they have values.
 */
function schemasCondition(filter: Compared | { op: 'pr' }, extensions: readonly Extension[]): Condition {
  if (filter.op === 'pr') return { op: 'is', value: true };
  const { op, value } = filter;
  if (value === null) {
    if (op === 'eq' || op === 'ne') return { op: 'is', value: op === 'ne' };
    throw onlyEquality();
  }
  if (op === 'ne') return { op: 'not', condition: schemasCondition({ ...filter, op: 'eq' }, extensions) };
  const meets = (urn: string) => constant(op, String(value), urn);
  const ofSome = extensions.map(
    (one): Condition => ({ op: 'and', conditions: [meets(one.urn), extensionCondition(one)] }),
  );
  return { op: 'or', conditions: [meets(USER_SCHEMA), meets(ENTERPRISE_SCHEMA), ...ofSome] };
}

const onlyEquality = () => invalid('null can only be compared using eq and ne');

const someOf = (list: StoredTarget, filter: Filter): Condition => ({
  op: 'some',
  at: list.at,
  condition: elementCondition(list, filter),
});

const targetIn = (extensions: readonly Extension[], path: string): StoredTarget | undefined =>
  known(resolveTarget(extensions, path), path);

function known(target: StoredTarget | 'unknown' | undefined, path: string): StoredTarget | undefined {
  if (target === 'unknown') throw unfindable(path);
  return target;
}

/**
 * Returns the column or registered attribute by which to sort users.
 * @throws ScimError invalidPath for an attribute that users don't have
 */
export function sortColumnOf(
  path: string,
  extensions: readonly Extension[],
): Column | memberFilterRepo.StoredField | undefined {
  const target = resolveTarget(extensions, path);
  if (target) {
    const field = target === 'unknown' ? undefined : sortFieldOf(target);
    if (!field) throw unsortableError(path);
    return field;
  }
  if (!isKnown(path)) throw unsortableError(path);
  const found = ATTRIBUTES[path];
  if (isSeveral(found)) return found[0];
  if (isAddress(found)) return found.columns[0];
  return typeof found === 'string' ? found : undefined;
}

/** Group attribute that is treated as unassigned for users, so that one filter can cover both (RFC 7644 §3.4.2.1). */
const OF_GROUPS = 'members';

function isKnown(path: string): boolean {
  const [head = ''] = path.split('.');
  return Object.hasOwn(ATTRIBUTES, path) || IGNORED_ATTRIBUTES.has(head) || head === OF_GROUPS;
}

const isSeveral = (source: Source): source is readonly Column[] => Array.isArray(source);

const isAddress = (source: Source): source is AddressSource => typeof source === 'object' && 'within' in source;

function attributeAt(path: string): Source {
  if (!isKnown(path)) throw unfindable(path);
  return ATTRIBUTES[path];
}

const unfindable = (path: string) => invalid(`users cannot be filtered by ${path}`);

type Compared = Extract<Filter, { value: unknown }>;

function present(path: string): Condition {
  // For a complex attribute, use a sub-attribute that is always assigned.
  const found = path === 'name' ? 'formattedName' : path === 'meta' ? 'created' : attributeAt(path);
  if (found === undefined) return { op: 'is', value: false };
  const columns = isAddress(found) ? found.columns : found;
  if (isSeveral(columns)) return { op: 'or', conditions: columns.map((column) => ({ op: 'present', column })) };
  return typeof found === 'string' ? { op: 'present', column: found } : { op: 'is', value: true };
}

function compared({ op, value }: Compared, path: string, base: string): Condition {
  const found = attributeAt(path);
  if (found === undefined) return { op: 'is', value: op === 'ne' };
  const columns = isAddress(found) ? found.columns : found;
  if (isSeveral(columns)) {
    const prefix = isAddress(found) ? `${base}${found.within}` : undefined;
    const conditions = columns.map((column) => comparedWith(column, { op, value }, prefix));
    return { op: op === 'ne' ? 'and' : 'or', conditions };
  }
  if (typeof columns !== 'string') return constant(op, String(value), columns.constant);
  return comparedWith(columns, { op, value });
}

function comparedWith(found: Column, { op, value }: Omit<Compared, 'path'>, prefix?: string): Condition {
  if (value === null) {
    const isThere: Condition = { op: 'present', column: found };
    if (op === 'ne') return isThere;
    if (op === 'eq') return { op: 'not', condition: isThere };
    throw onlyEquality();
  }
  if (found === 'active') return { op, column: found, value: flagOf(op, value) };
  if (found === 'created' || found === 'lastModified') return { op, column: found, value: timeOf(value) };
  if (FLAGS.has(found) && op !== 'eq' && op !== 'ne') throw invalid(`${op} cannot be used with primary`);
  const text = found === 'userName' ? normaliseUserName(String(value)) : String(value);
  const isExact = prefix !== undefined || EXACT.has(found);
  return { op, column: found, value: text, isExact, ...(prefix !== undefined && { prefix }) };
}

function constant(op: memberFilterRepo.Comparison, value: string, known: string): Condition {
  if (known === 'true' && op !== 'eq' && op !== 'ne') throw invalid(`${op} cannot be used with primary`);
  const [ours, theirs] = [known.toLowerCase(), value.toLowerCase()];
  const answers = {
    eq: ours === theirs,
    ne: ours !== theirs,
    co: ours.includes(theirs),
    sw: ours.startsWith(theirs),
    ew: ours.endsWith(theirs),
    gt: ours > theirs,
    ge: ours >= theirs,
    lt: ours < theirs,
    le: ours <= theirs,
  };
  return { op: 'is', value: answers[op] };
}

function flagOf(op: string, value: string | number | boolean): number {
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false') throw invalid('active must be true or false');
  if (op !== 'eq' && op !== 'ne') throw invalid(`${op} cannot be used with active`);
  return text === 'true' ? 1 : 0;
}

function timeOf(value: string | number | boolean): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw invalid(`${value} must be a date and time`);
  return time;
}
