import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { nearest } from '#platform/nearest.ts';

/** A mistake in a world. */
export type WorldIssue = ShapeIssue;

/** Names of fields and list indices, outermost first. */
export type Path = WorldIssue['path'];

/** Reports a mistake. */
export type Complain = (path: Path, message: string) => void;

/** Reads a field of an unvalidated world: a value of the wrong type counts as absent, because the schema reports it. */
export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

export const entries = (value: unknown): [place: number, fields: Record<string, unknown>][] =>
  Array.isArray(value) ? value.map((item, place) => [place, fields(item)]) : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * Maximum number of comparisons: comparing every unknown name of a large world with every known one would take minutes.
 */
const COMPARED_MAX = 200_000;

/** Suggests the nearest name in a question; '' if none is close, or the comparisons are used up. */
export type DidYouMean = (given: string, known: readonly string[]) => string;

export function createDidYouMean(): DidYouMean {
  let compared = 0;
  return (given, known) => {
    compared += known.length;
    const meant = compared > COMPARED_MAX ? undefined : nearest(given, known);
    return meant === undefined ? '' : ` Did you mean ${meant}?`;
  };
}

/** Reports the second of two equal values. */
export function createUnique(complain: Complain) {
  const seen = new Map<string, Path>();
  /** @param kind e.g. `the id`; values of different kinds may be equal */
  return (kind: string, value: string | undefined, path: Path, scope = ''): void => {
    if (value === undefined) return;
    const key = JSON.stringify([kind, scope, value]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, path);
    else complain(path, `${kind} ${value} is already used at ${first.join('.')}.`);
  };
}

export type Unique = ReturnType<typeof createUnique>;
