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
      if (!column) return everybody;
      return isNegated ? { op: 'eq', column, value: filter.value } : hasWords(column, filter.value);
    }
    case 'substrings': {
      const column = COLUMNS[filter.attribute];
      if (!column || isNegated) return everybody;
      return {
        op: 'and',
        conditions: [filter.initial, ...filter.any, filter.final].map((part) => hasWords(column, part)),
      };
    }
    default:
      return everybody;
  }
}

/** What a text must contain, however many spaces it has between its words; those of a number mean nothing. */
function hasWords(column: Column, text: string): Condition {
  const words = text.split(column === 'mobileNumber' ? /[\s\p{Dash_Punctuation}]+/u : /\s+/).filter(Boolean);
  const conditions = words.map((value) => ({ op: 'co' as const, column, value }));
  return { op: 'and', conditions: [{ op: 'is', value: true }, ...conditions] };
}

function inGroup(dn: string): Condition | undefined {
  const [group] = readName(dn) ?? [];
  if (!group) return undefined;
  const { value } = group;
  return { op: 'or', conditions: (['roleCode', 'groupName'] as const).map((column) => hasWords(column, value)) };
}
