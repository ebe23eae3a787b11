import { and, desc, eq, lt, lte, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { scimLog } from '../../schema/settings.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ScimLogRow = typeof scimLog.$inferSelect;

/** Maximum number of log entries per organisation. */
const MAX_ENTRIES = 1_000;

const param = sql.placeholder;

const newest = drizzleStatement((db) =>
  db
    .select({ number: scimLog.number })
    .from(scimLog)
    .where(eq(scimLog.orgCode, param('orgCode')))
    .orderBy(desc(scimLog.number))
    .limit(1)
    .prepare(),
);

const insert = drizzleStatement((db) =>
  db
    .insert(scimLog)
    .values({
      orgCode: param('orgCode'),
      number: param('number'),
      at: param('at'),
      operation: param('operation'),
      userName: param('userName'),
      status: param('status'),
      body: param('body'),
      detail: param('detail'),
    })
    .prepare(),
);

const forget = drizzleStatement((db) =>
  db
    .delete(scimLog)
    .where(and(eq(scimLog.orgCode, param('orgCode')), lte(scimLog.number, param('upTo'))))
    .prepare(),
);

/** Records a request and deletes all entries beyond the latest thousand. */
export function insertScimLog(tx: Tx, entry: Omit<ScimLogRow, 'number'>): void {
  const number = (newest(tx).get({ orgCode: entry.orgCode })?.number ?? 0) + 1;
  insert(tx).run({ ...entry, number });
  if (number > MAX_ENTRIES) forget(tx).run({ orgCode: entry.orgCode, upTo: number - MAX_ENTRIES });
}

/**
 * Lists entries, newest first.
 * @param before number of the last entry on the previous page
 */
export function listScimLog(
  tx: Tx,
  orgCode: string,
  { before, count }: { before: number | undefined; count: number },
): ScimLogRow[] {
  return tx
    .select()
    .from(scimLog)
    .where(and(eq(scimLog.orgCode, orgCode), before === undefined ? undefined : lt(scimLog.number, before)))
    .orderBy(desc(scimLog.number))
    .limit(count)
    .all();
}
