import { desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { outbox } from '../schema/outbox.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** A mail or text message, written in the transaction of its cause; `TOPIC.outbox` has changed after it. */
export function insertOutboxMessage(tx: Tx, message: NewOutboxMessage): void {
  tx.insert(outbox).values(message).run();
}

export type NewOutboxMessage = Omit<typeof outbox.$inferInsert, 'deliveredAt' | 'attempts' | 'lastError'>;

/** `insertOutboxMessage` for many at once. */
export function insertOutboxMessages(tx: Tx, messages: readonly NewOutboxMessage[]): void {
  tx.run(sql`
    INSERT INTO outbox (id, orgCode, channel, "to", template, facts, code, createdAt, nextAttemptAt)
    SELECT value ->> 'id', value ->> 'orgCode', value ->> 'channel', value ->> 'to', value ->> 'template',
      value -> 'facts', value ->> 'code', value ->> 'createdAt', value ->> 'nextAttemptAt'
    FROM json_each(${JSON.stringify(messages)})`);
}

/** Messages of every organisation, newest first, at most `limit`; to one address where it is given. */
export function listOutbox(tx: Tx, { to, limit }: { to?: string; limit: number }): OutboxRow[] {
  return tx
    .select()
    .from(outbox)
    .where(to === undefined ? undefined : eq(outbox.to, to))
    .orderBy(desc(outbox.createdAt), sql`rowid DESC`)
    .limit(limit)
    .all();
}

/** Forgets at most `limit` messages from before `before`; returns how many. */
export function pruneOutbox(tx: Tx, before: number, limit: number): number {
  const old = tx.select({ id: outbox.id }).from(outbox).where(lt(outbox.createdAt, before)).limit(limit);
  return tx.delete(outbox).where(inArray(outbox.id, old)).run().changes;
}

export function emptyOutbox(tx: Tx): void {
  tx.delete(outbox).run();
}
