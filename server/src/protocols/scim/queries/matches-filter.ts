import { fieldOf, isObject, type Json, type JsonObject } from '../json.ts';
import type { Filter, FilterValue } from './filter.ts';

/** Whether a resource, or an element of one of its attributes, matches a filter. Texts are compared without case. */
export function matchesFilter(resource: JsonObject, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matchesFilter(resource, one));
    case 'or':
      return filter.filters.some((one) => matchesFilter(resource, one));
    case 'not':
      return !matchesFilter(resource, filter.filter);
    case 'pr':
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== '');
    case 'in':
      return valuesAt(resource, filter.path).some((value) => isObject(value) && matchesFilter(value, filter.filter));
    case 'ne':
      return !leavesAt(resource, filter.path).some((value) => isSame(value, filter.value));
    case 'eq':
      return leavesAt(resource, filter.path).some((value) => isSame(value, filter.value));
    default: {
      const { op, value } = filter;
      return leavesAt(resource, filter.path).some((found) => compare[op](textOf(found), textOf(value)));
    }
  }
}

const compare = {
  co: (a: string, b: string) => a.includes(b),
  sw: (a: string, b: string) => a.startsWith(b),
  ew: (a: string, b: string) => a.endsWith(b),
  gt: (a: string, b: string) => a > b,
  ge: (a: string, b: string) => a >= b,
  lt: (a: string, b: string) => a < b,
  le: (a: string, b: string) => a <= b,
};

const textOf = (value: Json): string => String(value).toLowerCase();

/** Entra asks for booleans as texts. */
const isSame = (found: Json, wanted: FilterValue): boolean => textOf(found) === textOf(wanted);

/** The values at a path; of a list, its elements. */
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

/** For an element with parts, its value is compared (RFC 7644 §3.4.2.2). */
const leavesAt = (resource: JsonObject, path: string): Json[] =>
  valuesAt(resource, path).flatMap((value) => (isObject(value) ? [value.value ?? null] : [value]));
