import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { nearest } from '#platform/nearest.ts';

/** What is wrong at one place of a world. */
export type WorldIssue = ShapeIssue;

/** Names of fields and places in lists, from the outside in. */
export type Path = WorldIssue['path'];

/** Notes a mistake. */
export type Complain = (path: Path, message: string) => void;

/**
 * Readers of a world that may be wrong in any place: what is not of the expected kind counts as absent, since the
 * schema complains about it.
 */
export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

export const entries = (value: unknown): [place: number, fields: Record<string, unknown>][] =>
  Array.isArray(value) ? value.map((item, place) => [place, fields(item)]) : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Comparing every wrong name of a large world with every right one would take minutes. */
const COMPARED_MAX = 200_000;

/** A question that names what was probably meant; '' where nothing is close, or too much has been compared already. */
export type DidYouMean = (given: string, known: readonly string[]) => string;

export function createDidYouMean(): DidYouMean {
  let compared = 0;
  return (given, known) => {
    compared += known.length;
    const meant = compared > COMPARED_MAX ? undefined : nearest(given, known);
    return meant === undefined ? '' : ` Did you mean ${meant}?`;
  };
}

/** Complains about the second of two equal things. */
export function createUnique(complain: Complain) {
  const seen = new Map<string, Path>();
  /** @param kind of thing, e.g. `the id`; things of different kinds may be equal */
  return (kind: string, value: string | undefined, path: Path, scope = ''): void => {
    if (value === undefined) return;
    const key = JSON.stringify([kind, scope, value]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, path);
    else complain(path, `${kind} ${value} is taken already, at ${first.join('.')}.`);
  };
}

export type Unique = ReturnType<typeof createUnique>;
