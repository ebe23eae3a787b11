/** Formats a time for a world. Returns undefined for null to omit the field. */
export const isoTime = (time: number | null): string | undefined =>
  time === null ? undefined : new Date(time).toISOString();

/** Returns undefined for a missing value to omit the field. */
export const omitMissing = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** Returns undefined for the default value to omit the field. */
export const omitDefault = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);

/** Returns undefined for an empty list to omit the field. */
export const omitEmpty = <T>(items: readonly T[] | undefined): T[] | undefined =>
  items === undefined || items.length === 0 ? undefined : [...items];

/** Converts rows and groups the results by a key, preserving the row order. */
export function groupRowsBy<Row, Written>(
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
