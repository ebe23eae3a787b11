import { and, desc, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { portions } from '../portions.ts';
import { outbox } from '../schema/outbox.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** A mail or text message, written in the transaction of its cause; `TOPIC.outbox` has changed after it. */
export function insertOutboxMessage(tx: Tx, message: NewOutboxMessage): void {
  tx.insert(outbox).values(message).run();
}

export type NewOutboxMessage = Omit<typeof outbox.$inferInsert, 'deliveredAt' | 'attempts' | 'lastError'>;

/** `insertOutboxMessage` for many at once. */
export function insertOutboxMessages(tx: Tx, messages: readonly NewOutboxMessage[]): void {
  for (const portion of portions(messages)) {
    tx.run(sql`
      INSERT INTO outbox (id, orgCode, channel, "to", template, facts, code, createdAt, nextAttemptAt)
      SELECT value ->> 'id', value ->> 'orgCode', value ->> 'channel', value ->> 'to', value ->> 'template',
        value -> 'facts', value ->> 'code', value ->> 'createdAt', value ->> 'nextAttemptAt'
      FROM json_each(${JSON.stringify(portion)})`);
  }
}

/**
 * Takes the mail that is due first, and counts the attempt: nobody else takes it until `leaseMs` are over. Undefined where
 * none is due.
 */
export function claimDueMail(tx: Tx, { now, leaseMs }: { now: number; leaseMs: number }): OutboxRow | undefined {
  const due = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.nextAttemptAt, now))
    .orderBy(outbox.nextAttemptAt)
    .limit(1);
  return tx
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: now + leaseMs })
    .where(inArray(outbox.id, due))
    .returning()
    .get();
}

/** Writes what came of an attempt, unless there has been another since. */
export function settleMail(
  tx: Tx,
  { id, attempts }: Pick<OutboxRow, 'id' | 'attempts'>,
  outcome: Pick<OutboxRow, 'deliveredAt' | 'nextAttemptAt' | 'lastError'>,
): void {
  tx.update(outbox)
    .set(outcome)
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts)))
    .run();
}

/** When the next mail is due, in milliseconds since the epoch; null where none is. */
export function findNextMailTime(tx: Tx): number | null {
  const next = tx
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(isNotNull(outbox.nextAttemptAt))
    .orderBy(outbox.nextAttemptAt)
    .limit(1)
    .get();
  return next?.at ?? null;
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
