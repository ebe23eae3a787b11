import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { nearest } from '#platform/nearest.ts';

/** An error in a world. */
export type WorldIssue = ShapeIssue;

/** Field names and list indices, outermost first. */
export type Path = WorldIssue['path'];

/** Reports an error in a world. */
export type ReportIssue = (path: Path, message: string) => void;

/**
 * Returns the fields of an unvalidated object. Any other type yields no fields, because the schema reports the error.
 */
export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

export const indexedFields = (value: unknown): [place: number, fields: Record<string, unknown>][] =>
  Array.isArray(value) ? value.map((item, index) => [index, fields(item)]) : [];

export const trimText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * Maximum number of comparisons. Comparing every unknown name in a large world with every known name would take
 * minutes.
 */
const COMPARED_MAX = 200_000;

/**
 * Returns a "Did you mean…?" question with the closest name, or '' if no name is close or the comparison limit is
 * reached.
 */
export type SuggestName = (given: string, known: readonly string[]) => string;

export function createSuggestName(): SuggestName {
  let compared = 0;
  return (given, known) => {
    compared += known.length;
    const meant = compared > COMPARED_MAX ? undefined : nearest(given, known);
    return meant === undefined ? '' : ` Did you mean ${meant}?`;
  };
}

/** Creates a check that reports a value the second time it is used. */
export function createUniquenessCheck(complain: ReportIssue) {
  const seen = new Map<string, Path>();
  /**
   * Reports a value that has already been used.
   * @param kind e.g. `the id`; values of different kinds may be equal
   */
  return (kind: string, value: string | undefined, path: Path, scope = ''): void => {
    if (value === undefined) return;
    const key = JSON.stringify([kind, scope, value]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, path);
    else complain(path, `${kind} ${value} is already used at ${first.join('.')}.`);
  };
}

export type UniquenessCheck = ReturnType<typeof createUniquenessCheck>;
