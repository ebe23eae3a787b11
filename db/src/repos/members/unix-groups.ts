import { eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { unixGroups } from '../../schema/groups.ts';
import { drizzleStatement, sqlStatement } from '../../sql-statement.ts';

const param = sql.placeholder;
type Kind = (typeof unixGroups.$inferSelect)['kind'];

const ofOrganisation = drizzleStatement((db) =>
  db
    .select({ kind: unixGroups.kind, id: unixGroups.id, number: unixGroups.number })
    .from(unixGroups)
    .where(eq(unixGroups.orgCode, param('orgCode')))
    .prepare(),
);

/**
 * Returns a function that looks up the number of a role or group in the organisation. Numbers start at 0 and are
 * never changed or reused. Roles and groups without a number get the next numbers, in the order of their creation.
 */
export function unixNumberLookup(tx: Tx, orgCode: string): (kind: Kind, id: string) => number {
  let numbers = readNumbers(tx, orgCode);
  return (kind, id) => {
    const number = numbers.get(keyOf(kind, id));
    if (number !== undefined) return number;
    numberingOthers(tx).run({ orgCode });
    numbers = readNumbers(tx, orgCode);
    const added = numbers.get(keyOf(kind, id));
    if (added === undefined) throw new Error(`There is no ${kind} ${id} in ${orgCode}.`);
    return added;
  };
}

const keyOf = (kind: Kind, id: string): string => `${kind} ${id}`;

const readNumbers = (tx: Tx, orgCode: string): Map<string, number> =>
  new Map(
    ofOrganisation(tx)
      .all({ orgCode })
      .map(({ kind, id, number }) => [keyOf(kind, id), number]),
  );

const numberingOthers = sqlStatement<{ orgCode: string }>(`
  INSERT INTO unix_groups (orgCode, kind, id, number)
  SELECT @orgCode, new.kind, new.id,
    (SELECT coalesce(max(number), -1) FROM unix_groups WHERE orgCode = @orgCode)
      + row_number() OVER (ORDER BY new.createdAt, new.kind DESC, new.place)
  FROM (
    SELECT 'role' AS kind, roleCode AS id, coalesce(createdAt, 0) AS createdAt, rowid AS place
    FROM roles WHERE orgCode = @orgCode
    UNION ALL
    SELECT 'group', groupId, createdAt, rowid FROM groups WHERE orgCode = @orgCode
  ) AS new
  WHERE NOT EXISTS (
    SELECT 1 FROM unix_groups AS known
    WHERE known.orgCode = @orgCode AND known.kind = new.kind AND known.id = new.id
  )`);
