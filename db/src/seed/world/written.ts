/** A moment as a world writes it; left out where there is none. */
export const moment = (time: number | null): string | undefined =>
  time === null ? undefined : new Date(time).toISOString();

/** A value that is left out where there is none. */
export const some = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** A value that is left out where it is what its absence means. */
export const unless = <T>(value: T, usual: T): T | undefined => (value === usual ? undefined : value);

/** A list that is left out where it is empty. */
export const listed = <T>(items: readonly T[] | undefined): T[] | undefined =>
  items === undefined || items.length === 0 ? undefined : [...items];

/** What rows are written as, by a key, in their order. */
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
