import { and, asc, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { webhookDeliveries, webhooks } from '../../schema/webhooks.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

type SealedRow = typeof webhooks.$inferSelect;
/** A row with its URL and secrets unsealed. */
export type WebhookRow = Omit<SealedRow, 'url' | 'secret' | 'oldSecret'> & {
  url: string;
  secret: string;
  oldSecret: string | null;
};
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'orgCode' | 'webhookId' | 'type' | 'payload' | 'createdAt' | 'nextAttemptAt'
>;

const param = sql.placeholder;
const named = (orgCode: string, id: string) => and(eq(webhooks.id, id), eq(webhooks.orgCode, orgCode));

function unseal(tx: Tx, row: SealedRow): WebhookRow {
  const { id, url, secret, oldSecret } = row;
  return {
    ...row,
    url: openIn(tx, 'webhooks.url', id, url),
    secret: openIn(tx, 'webhooks.secret', id, secret),
    oldSecret: oldSecret && openIn(tx, 'webhooks.oldSecret', id, oldSecret),
  };
}

/** Lists webhooks, oldest first. */
export function listWebhooks(tx: Tx, orgCode: string): WebhookRow[] {
  const rows = tx.select().from(webhooks).where(eq(webhooks.orgCode, orgCode)).orderBy(asc(webhooks.createdAt)).all();
  return rows.map((row) => unseal(tx, row));
}

/** Finds a webhook, with its URL and secrets unsealed. */
export function findWebhook(tx: Tx, orgCode: string, id: string): WebhookRow | undefined {
  const row = tx.select().from(webhooks).where(named(orgCode, id)).get();
  return row && unseal(tx, row);
}

/** Seals URL and secret, and adds a webhook without failures. */
export function insertWebhook(
  tx: Tx,
  webhook: Omit<WebhookRow, 'oldSecret' | 'oldSecretUntil' | 'failingSince' | 'disabledAt'>,
): void {
  const url = sealIn(tx, 'webhooks.url', webhook.id, webhook.url);
  const secret = sealIn(tx, 'webhooks.secret', webhook.id, webhook.secret);
  tx.insert(webhooks)
    .values({ ...webhook, url, secret })
    .run();
}

/** Changes the given fields. */
export function changeWebhook(
  tx: Tx,
  orgCode: string,
  id: string,
  { url, secret, oldSecret, ...change }: Partial<Omit<WebhookRow, 'id' | 'orgCode' | 'createdAt'>>,
): void {
  const sealed = {
    ...(url !== undefined && { url: sealIn(tx, 'webhooks.url', id, url) }),
    ...(secret !== undefined && { secret: sealIn(tx, 'webhooks.secret', id, secret) }),
    ...(oldSecret !== undefined && {
      oldSecret: oldSecret === null ? null : sealIn(tx, 'webhooks.oldSecret', id, oldSecret),
    }),
  };
  tx.update(webhooks)
    .set({ ...change, ...sealed })
    .where(named(orgCode, id))
    .run();
}

/** Deletes a webhook and all its deliveries. */
export function deleteWebhook(tx: Tx, orgCode: string, id: string): void {
  tx.delete(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.orgCode, orgCode)))
    .run();
  tx.delete(webhooks).where(named(orgCode, id)).run();
}

const enabledOf = drizzleStatement((db) =>
  db
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.orgCode, param('orgCode')), eq(webhooks.enabled, true)))
    .prepare(),
);

/** Lists the ids of the enabled webhooks that subscribe to events of this type. */
export function listWebhooksFor(tx: Tx, orgCode: string, type: string): string[] {
  return enabledOf(tx)
    .all({ orgCode })
    .filter(({ events }) => events.length === 0 || events.some((event) => event === type))
    .map(({ id }) => id);
}

/**
 * Adds a delivery.
 * @returns the stored delivery, with its number
 */
export function insertDelivery(tx: Tx, delivery: NewDelivery): DeliveryRow {
  return tx.insert(webhookDeliveries).values(delivery).returning().get();
}

/** Finds a delivery of this webhook, in any state. */
export function findDelivery(tx: Tx, orgCode: string, webhookId: string, id: string): DeliveryRow | undefined {
  return tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.orgCode, orgCode),
        eq(webhookDeliveries.webhookId, webhookId),
      ),
    )
    .get();
}

/** Lists deliveries, newest first: at most `count`, older than the one with number `before`. */
export function listDeliveries(
  tx: Tx,
  orgCode: string,
  webhookId: string,
  { count, before, status }: { count: number; before?: number | undefined; status?: DeliveryRow['status'] | undefined },
): DeliveryRow[] {
  return tx
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.orgCode, orgCode),
        before === undefined ? undefined : lt(webhookDeliveries.number, before),
        status && eq(webhookDeliveries.status, status),
      ),
    )
    .orderBy(desc(webhookDeliveries.number))
    .limit(count)
    .all();
}

/** Starts an attempt and clears the results of the previous one. */
const startAttempt = (now: number, leaseMs: number) => ({
  attempts: sql`${webhookDeliveries.attempts} + 1`,
  nextAttemptAt: now + leaseMs,
  lastAttemptAt: now,
  responseStatus: null,
  responseBody: '',
  durationMs: null,
  error: '',
});

/** Claims a due delivery and hides it for the lease: if the process dies, it is due again after that. */
export function claimDueDelivery(tx: Tx, { now, leaseMs }: { now: number; leaseMs: number }): DeliveryRow | undefined {
  const due = tx
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(lte(webhookDeliveries.nextAttemptAt, now))
    .orderBy(webhookDeliveries.nextAttemptAt)
    .limit(1);
  return tx
    .update(webhookDeliveries)
    .set(startAttempt(now, leaseMs))
    .where(inArray(webhookDeliveries.number, due))
    .returning()
    .get();
}

/** Claims this delivery, in any state. */
export function claimDelivery(
  tx: Tx,
  { number }: DeliveryRow,
  { now, leaseMs }: { now: number; leaseMs: number },
): DeliveryRow | undefined {
  return tx
    .update(webhookDeliveries)
    .set(startAttempt(now, leaseMs))
    .where(eq(webhookDeliveries.number, number))
    .returning()
    .get();
}

/** Records the result of an attempt, unless another one has started since. */
export function settleDelivery(
  tx: Tx,
  { number, attempts }: Pick<DeliveryRow, 'number' | 'attempts'>,
  outcome: Pick<DeliveryRow, 'status' | 'nextAttemptAt' | 'responseStatus' | 'responseBody' | 'durationMs' | 'error'>,
): void {
  tx.update(webhookDeliveries)
    .set(outcome)
    .where(and(eq(webhookDeliveries.number, number), eq(webhookDeliveries.attempts, attempts)))
    .run();
}

/** Cancels deliveries that are waiting to be sent to a webhook. */
export function cancelDeliveries(tx: Tx, orgCode: string, webhookId: string, error: string): void {
  tx.update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, error })
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.orgCode, orgCode),
        eq(webhookDeliveries.status, 'waiting'),
      ),
    )
    .run();
}

const nextDeliveryTime = drizzleStatement((db) =>
  db
    .select({ at: webhookDeliveries.nextAttemptAt })
    .from(webhookDeliveries)
    .where(sql`${webhookDeliveries.nextAttemptAt} IS NOT NULL`)
    .orderBy(webhookDeliveries.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** Returns when the next delivery is due, or null. */
export function findNextDeliveryTime(tx: Tx): number | null {
  return nextDeliveryTime(tx).get()?.at ?? null;
}

/**
 * Deletes at most `count` finished deliveries of all organisations that are older than `before`.
 * @returns how many were deleted
 */
export function pruneDeliveries(tx: Tx, before: number, count: number): number {
  const old = tx
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(and(lt(webhookDeliveries.createdAt, before), isNull(webhookDeliveries.nextAttemptAt)))
    .limit(count);
  return tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.number, old)).run().changes;
}
