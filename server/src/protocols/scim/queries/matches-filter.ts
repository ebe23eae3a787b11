import { fieldOf, isObject, type Json, type JsonObject } from '../json.ts';
import type { Filter } from './filter.ts';

/** How a resource's strings are compared. */
interface Comparing {
  /** Lower-case paths of case-sensitive attributes (RFC 7643 §7, `caseExact`). */
  exact?: ReadonlySet<string>;
  /** Path of the list whose elements are compared. */
  within?: string;
}

/** Returns true if a resource, or an element of one of its attributes, matches a filter. Ignores case by default. */
export function matchesFilter(resource: JsonObject, filter: Filter, comparing: Comparing = {}): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matchesFilter(resource, one, comparing));
    case 'or':
      return filter.filters.some((one) => matchesFilter(resource, one, comparing));
    case 'not':
      return !matchesFilter(resource, filter.filter, comparing);
    case 'pr':
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== '');
    case 'in': {
      const within = { ...comparing, within: `${filter.path}.` };
      return valuesAt(resource, filter.path).some(
        (value) => isObject(value) && matchesFilter(value, filter.filter, within),
      );
    }
    default: {
      const { op, path, value } = filter;
      const isExact = comparing.exact?.has(`${comparing.within ?? ''}${path}`) === true;
      // Convert to a string, because Entra sends booleans as strings.
      const textOf = (one: Json) => (isExact ? String(one) : String(one).toLowerCase());
      const leaves = leavesAt(resource, path);
      if (op === 'ne') return leaves.every((one) => textOf(one) !== textOf(value));
      if (op === 'eq' || op === 'co' || op === 'sw' || op === 'ew') {
        return leaves.some((one) => texts[op](textOf(one), textOf(value)));
      }
      return leaves.some((one) => {
        if (typeof one === 'number' && typeof value === 'number') return order[op](one, value);
        return order[op](textOf(one), textOf(value));
      });
    }
  }
}

const texts = {
  eq: (a: string, b: string) => a === b,
  co: (a: string, b: string) => a.includes(b),
  sw: (a: string, b: string) => a.startsWith(b),
  ew: (a: string, b: string) => a.endsWith(b),
};

const order = {
  gt: <T extends string | number>(a: T, b: T) => a > b,
  ge: <T extends string | number>(a: T, b: T) => a >= b,
  lt: <T extends string | number>(a: T, b: T) => a < b,
  le: <T extends string | number>(a: T, b: T) => a <= b,
};

/** Returns the values at a path. If the path is a list, returns its elements. */
export function valuesAt(resource: JsonObject, path: string): Json[] {
  let values: Json[] = [resource];
  for (const name of path.split('.')) {
    values = values.flatMap((value) => {
      const found = isObject(value) ? fieldOf(value, name) : undefined;
      if (found === undefined) return [];
      return Array.isArray(found) ? found : [found];
    });
  }
  return values;
}

/** Returns the values to compare. A complex element is compared by its `value` (RFC 7644 §3.4.2.2). */
const leavesAt = (resource: JsonObject, path: string): Json[] =>
  valuesAt(resource, path).flatMap((value) => (isObject(value) ? [value.value ?? null] : [value]));
