import type { LdapFilter } from './filter.ts';
import type { LdapEntry } from './message.ts';

/** Whether an entry meets a filter. Texts are compared without regard to case, as the matching rules of people's attributes do. */
export function matches(filter: LdapFilter, { attributes }: LdapEntry): boolean {
  const byName = new Map(
    Object.entries(attributes).map(([name, values]) => [
      name.toLowerCase(),
      values.map((value) => value.toLowerCase()),
    ]),
  );
  const holds = (one: LdapFilter): boolean => {
    switch (one.op) {
      case 'and':
        return one.filters.every(holds);
      case 'or':
        return one.filters.some(holds);
      case 'not':
        return !holds(one.filter);
      case 'unknown':
        return false;
      case 'present':
        return (byName.get(one.attribute) ?? []).length > 0;
      case 'substrings':
        return (byName.get(one.attribute) ?? []).some((value) => hasParts(value, one));
      default:
        return (byName.get(one.attribute) ?? []).some((value) => isCompared(value, one.op, one.value.toLowerCase()));
    }
  };
  return holds(filter);
}

function isCompared(value: string, op: 'eq' | 'ge' | 'le', wanted: string): boolean {
  if (op === 'eq') return value === wanted;
  return op === 'ge' ? value >= wanted : value <= wanted;
}

function hasParts(value: string, { initial, any, final }: Extract<LdapFilter, { op: 'substrings' }>): boolean {
  const parts = [...any.map((part) => part.toLowerCase())];
  if (!value.startsWith(initial.toLowerCase()) || !value.endsWith(final.toLowerCase())) return false;
  let at = initial.length;
  for (const part of parts) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - final.length;
}
