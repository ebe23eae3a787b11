import { isKnown } from './attributes.ts';
import type { LdapFilter } from './filter.ts';
import type { LdapEntry } from './message.ts';

/**
 * Whether an entry meets a filter. Texts are compared without regard to case, as the matching rules of people's
 * attributes do.
 */
export function matches(filter: LdapFilter, { attributes }: LdapEntry): boolean {
  const byName = new Map(
    Object.entries(attributes).map(([name, values]) => [
      name.toLowerCase(),
      values.map((value) => value.toLowerCase()),
    ]),
  );
  const valuesOf = (name: string) => byName.get(name) ?? [];
  /** undefined where it cannot be said, as of an attribute that nobody knows (RFC 4511 §4.5.1.7). */
  const holds = (one: LdapFilter): boolean | undefined => {
    switch (one.op) {
      case 'and':
        return decided(one.filters.map(holds), false);
      case 'or':
        return decided(one.filters.map(holds), true);
      case 'not': {
        const inner = holds(one.filter);
        return inner === undefined ? undefined : !inner;
      }
      case 'unknown':
        return undefined;
      case 'present':
        return valuesOf(one.attribute).length > 0;
      case 'substrings':
        return isKnown(one.attribute) ? valuesOf(one.attribute).some((value) => hasParts(value, one)) : undefined;
      default: {
        const wanted = one.value.toLowerCase();
        return isKnown(one.attribute)
          ? valuesOf(one.attribute).some((value) => isCompared(value, one.op, wanted))
          : undefined;
      }
    }
  };
  return holds(filter) === true;
}

/** @param strongest the answer that one part is enough for */
function decided(parts: readonly (boolean | undefined)[], strongest: boolean): boolean | undefined {
  if (parts.includes(strongest)) return strongest;
  return parts.includes(undefined) ? undefined : !strongest;
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
