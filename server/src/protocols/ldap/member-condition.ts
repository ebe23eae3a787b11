import type { memberFilterRepo } from '@orchestrate/db';
import type { LdapFilter } from './filter.ts';
import { readName } from './names.ts';

type Condition = memberFilterRepo.MemberCondition;
type Column = memberFilterRepo.MemberColumn;

/** The columns behind the attributes of a person, where they are the same text. */
const COLUMNS: Readonly<Record<string, Column>> = {
  uid: 'email',
  mail: 'email',
  cn: 'formattedName',
  displayname: 'formattedName',
  givenname: 'givenName',
  employeenumber: 'employeeNumber',
  mobile: 'mobileNumber',
};

/**
 * A filter as a condition of the database: everybody who meets the filter meets the condition, and others may. What the
 * database does not know as LDAP writes it, `matches` decides afterwards.
 */
export function memberConditionOf(filter: LdapFilter, isNegated = false): Condition {
  const everybody: Condition = { op: 'is', value: !isNegated };
  switch (filter.op) {
    case 'and':
    case 'or':
      // An empty list has no SQL: RFC 4526 has it as true and false.
      if (filter.filters.length === 0) return { op: 'is', value: filter.op === 'and' };
      return { op: filter.op, conditions: filter.filters.map((one) => memberConditionOf(one, isNegated)) };
    case 'not':
      return { op: 'not', condition: memberConditionOf(filter.filter, !isNegated) };
    case 'eq': {
      if (filter.attribute === 'memberof' && !isNegated) return inGroup(filter.value) ?? everybody;
      const column = COLUMNS[filter.attribute];
      return column ? { op: 'eq', column, value: filter.value } : everybody;
    }
    case 'substrings': {
      const column = COLUMNS[filter.attribute];
      // The order of its parts is decided afterwards, so what the database finds may be too much.
      if (!column || isNegated) return everybody;
      const { initial, any, final } = filter;
      return {
        op: 'and',
        conditions: [
          { op: 'is', value: true },
          ...(initial ? [{ op: 'sw' as const, column, value: initial }] : []),
          ...any.map((value) => ({ op: 'co' as const, column, value })),
          ...(final ? [{ op: 'ew' as const, column, value: final }] : []),
        ],
      };
    }
    default:
      return everybody;
  }
}

function inGroup(dn: string): Condition | undefined {
  const [group] = readName(dn) ?? [];
  if (!group) return undefined;
  const { value } = group;
  const conditions = (['roleCode', 'groupName'] as const).map((column) => ({ op: 'eq' as const, column, value }));
  return { op: 'or', conditions };
}
