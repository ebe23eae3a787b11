/**
 * Whether a statement failed because another row has the value already.
 * @param column the last column of the unique index, e.g. `members.primaryEmail`.
 */
export function isTaken(reason: unknown, column: `${string}.${string}`): boolean {
  if (!(reason instanceof Error)) return false;
  const isUnique = 'code' in reason && reason.code === 'SQLITE_CONSTRAINT_UNIQUE';
  // SQLite names the columns of the index: "UNIQUE constraint failed: members.orgCode, members.primaryEmail".
  return isUnique && reason.message.endsWith(column);
}
