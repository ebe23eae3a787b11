/** Formats a time as in worlds; null becomes undefined, so that it is left out. */
export const isoTime = (time: number | null): string | undefined =>
  time === null ? undefined : new Date(time).toISOString();

/** Returns undefined for a missing value, so that it is left out. */
export const optional = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** Returns undefined for the default value, so that it is left out. */
export const omitDefault = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);

/** Returns undefined for an empty list, so that it is left out. */
export const omitEmpty = <T>(items: readonly T[] | undefined): T[] | undefined =>
  items === undefined || items.length === 0 ? undefined : [...items];

/** Groups converted rows by a key, in their order. */
export function groupedBy<Row, Written>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  write: (row: Row) => Written,
): Map<string, Written[]> {
  const groups = new Map<string, Written[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(write(row));
    else groups.set(key, [write(row)]);
  }
  return groups;
}
