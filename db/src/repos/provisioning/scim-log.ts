import { and, desc, eq, lt, lte, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { scimLog } from '../../schema/settings.ts';

export type ScimLogRow = typeof scimLog.$inferSelect;

/** How many entries an organisation keeps. */
const KEPT = 1_000;

const given = sql.placeholder;

const newest = drizzleStatement((db) =>
  db
    .select({ number: scimLog.number })
    .from(scimLog)
    .where(eq(scimLog.orgCode, given('orgCode')))
    .orderBy(desc(scimLog.number))
    .limit(1)
    .prepare(),
);

const insert = drizzleStatement((db) =>
  db
    .insert(scimLog)
    .values({
      orgCode: given('orgCode'),
      number: given('number'),
      at: given('at'),
      operation: given('operation'),
      userName: given('userName'),
      status: given('status'),
      body: given('body'),
      detail: given('detail'),
    })
    .prepare(),
);

const forget = drizzleStatement((db) =>
  db
    .delete(scimLog)
    .where(and(eq(scimLog.orgCode, given('orgCode')), lte(scimLog.number, given('upTo'))))
    .prepare(),
);

/** Records one request and deletes the oldest beyond the newest thousand. */
export function insertScimLog(tx: Tx, entry: Omit<ScimLogRow, 'number'>): void {
  const number = (newest(tx).get({ orgCode: entry.orgCode })?.number ?? 0) + 1;
  insert(tx).run({ ...entry, number });
  if (number > KEPT) forget(tx).run({ orgCode: entry.orgCode, upTo: number - KEPT });
}

/** Newest first. @param before the number of the previous page's last entry. */
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
