import { and, asc, desc, eq, inArray, isNull, lt, lte, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { webhookDeliveries, webhooks } from '../../schema/webhooks.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';

type SealedRow = typeof webhooks.$inferSelect;
/** A webhook row with the URL and secrets unsealed. */
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
    url: unsealValue(tx, 'webhooks.url', id, url),
    secret: unsealValue(tx, 'webhooks.secret', id, secret),
    oldSecret: oldSecret && unsealValue(tx, 'webhooks.oldSecret', id, oldSecret),
  };
}

/** Lists an organisation's webhooks, oldest first. */
export function listWebhooks(tx: Tx, orgCode: string): WebhookRow[] {
  const rows = tx.select().from(webhooks).where(eq(webhooks.orgCode, orgCode)).orderBy(asc(webhooks.createdAt)).all();
  return rows.map((row) => unseal(tx, row));
}

/** Finds a webhook and unseals its URL and secrets. */
export function findWebhook(tx: Tx, orgCode: string, id: string): WebhookRow | undefined {
  const row = tx.select().from(webhooks).where(named(orgCode, id)).get();
  return row && unseal(tx, row);
}

/** Seals the URL and secret, and adds a webhook with no failures. */
export function insertWebhook(
  tx: Tx,
  webhook: Omit<WebhookRow, 'oldSecret' | 'oldSecretUntil' | 'failingSince' | 'disabledAt'>,
): void {
  const url = sealValue(tx, 'webhooks.url', webhook.id, webhook.url);
  const secret = sealValue(tx, 'webhooks.secret', webhook.id, webhook.secret);
  tx.insert(webhooks)
    .values({ ...webhook, url, secret })
    .run();
}

export function changeWebhook(
  tx: Tx,
  orgCode: string,
  id: string,
  { url, secret, oldSecret, ...change }: Partial<Omit<WebhookRow, 'id' | 'orgCode' | 'createdAt'>>,
): void {
  const sealed = {
    ...(url !== undefined && { url: sealValue(tx, 'webhooks.url', id, url) }),
    ...(secret !== undefined && { secret: sealValue(tx, 'webhooks.secret', id, secret) }),
    ...(oldSecret !== undefined && {
      oldSecret: oldSecret === null ? null : sealValue(tx, 'webhooks.oldSecret', id, oldSecret),
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

/**
 * Lists the IDs of the enabled webhooks that subscribe to events of this type. Without a list of events, a webhook
 * receives all except the lab's, which aren't about the organisation.
 */
export function listSubscribedWebhookIds(tx: Tx, orgCode: string, type: string): string[] {
  return enabledOf(tx)
    .all({ orgCode })
    .filter(({ events }) => (events.length === 0 ? !type.startsWith('lab.') : events.some((event) => event === type)))
    .map(({ id }) => id);
}

/**
 * Adds a delivery.
 * @returns the stored delivery, including its number
 */
export function insertDelivery(tx: Tx, delivery: NewDelivery): DeliveryRow {
  return tx.insert(webhookDeliveries).values(delivery).returning().get();
}

/** Finds a webhook's delivery, in any state. */
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

/** Lists at most `count` deliveries older than delivery number `before`, newest first. */
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

/** Starts an attempt and clears the previous attempt's results. */
const startAttempt = (now: number, leaseMs: number) => ({
  attempts: sql`${webhookDeliveries.attempts} + 1`,
  nextAttemptAt: now + leaseMs,
  lastAttemptAt: now,
  responseStatus: null,
  responseBody: '',
  durationMs: null,
  error: '',
});

/** Claims a due delivery until the lease ends. If the process dies, the delivery becomes due again at that time. */
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

/** Claims this delivery, even if it isn't due. */
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

/** Releases a claimed delivery and makes it due at `at`. */
export function postponeDelivery(
  tx: Tx,
  { number, attempts }: Pick<DeliveryRow, 'number' | 'attempts'>,
  at: number,
): void {
  tx.update(webhookDeliveries)
    .set({ attempts: attempts - 1, nextAttemptAt: at, lastAttemptAt: null })
    .where(and(eq(webhookDeliveries.number, number), eq(webhookDeliveries.attempts, attempts)))
    .run();
}

/** Makes a postponed delivery due now, unless it has already been attempted. */
export function hastenDelivery(tx: Tx, { number }: Pick<DeliveryRow, 'number'>, now: number): void {
  tx.update(webhookDeliveries)
    .set({ nextAttemptAt: now })
    .where(and(eq(webhookDeliveries.number, number), eq(webhookDeliveries.attempts, 0)))
    .run();
}

/** Records the result of an attempt, unless a newer attempt has started. */
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

/** Cancels a webhook's pending deliveries. */
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

/** Returns when the next delivery is due, or null if none is due. */
export function findNextDeliveryTime(tx: Tx): number | null {
  return nextDeliveryTime(tx).get()?.at ?? null;
}

/**
 * Deletes at most `count` finished deliveries older than `before`, across all organisations.
 * @returns how many deliveries were deleted
 */
export function pruneDeliveries(tx: Tx, before: number, count: number): number {
  const old = tx
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(and(lt(webhookDeliveries.createdAt, before), isNull(webhookDeliveries.nextAttemptAt)))
    .limit(count);
  return tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.number, old)).run().changes;
}
