import { and, desc, eq, gt } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { outbox } from '../schema/sessions.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** A mail or text message, written in the transaction of its cause. */
export function insertOutboxMessage(tx: Tx, message: Omit<typeof outbox.$inferInsert, 'deliveredAt'>): void {
  tx.insert(outbox).values(message).run();
}

/** Messages of every organisation, newest first, at most `limit`; to one address, and newer than `after`, where given. */
export function listOutbox(tx: Tx, { to, after, limit }: { to?: string; after?: number; limit: number }): OutboxRow[] {
  return tx
    .select()
    .from(outbox)
    .where(
      and(
        to === undefined ? undefined : eq(outbox.to, to),
        after === undefined ? undefined : gt(outbox.createdAt, after),
      ),
    )
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(limit)
    .all();
}

export function emptyOutbox(tx: Tx): void {
  tx.delete(outbox).run();
}
