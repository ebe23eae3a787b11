import { and, asc, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { webhookDeliveries, webhooks } from '../../schema/webhooks.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';

type SealedRow = typeof webhooks.$inferSelect;
/** A row with its address and secrets opened. */
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

const given = sql.placeholder;
const named = (orgCode: string, id: string) => and(eq(webhooks.id, id), eq(webhooks.orgCode, orgCode));

function opened(tx: Tx, row: SealedRow): WebhookRow {
  const { id, url, secret, oldSecret } = row;
  return {
    ...row,
    url: openIn(tx, 'webhooks.url', id, url),
    secret: openIn(tx, 'webhooks.secret', id, secret),
    oldSecret: oldSecret && openIn(tx, 'webhooks.oldSecret', id, oldSecret),
  };
}

/** The oldest first. */
export function listWebhooks(tx: Tx, orgCode: string): WebhookRow[] {
  const rows = tx.select().from(webhooks).where(eq(webhooks.orgCode, orgCode)).orderBy(asc(webhooks.createdAt)).all();
  return rows.map((row) => opened(tx, row));
}

/** @returns the webhook with its address and secrets opened. */
export function findWebhook(tx: Tx, orgCode: string, id: string): WebhookRow | undefined {
  const row = tx.select().from(webhooks).where(named(orgCode, id)).get();
  return row && opened(tx, row);
}

/** Seals address and secret, and writes a new, working webhook. */
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
    .where(and(eq(webhooks.orgCode, given('orgCode')), eq(webhooks.enabled, true)))
    .prepare(),
);

/** Ids of the enabled webhooks that want events of this type. */
export function listWebhooksFor(tx: Tx, orgCode: string, type: string): string[] {
  return enabledOf(tx)
    .all({ orgCode })
    .filter(({ events }) => events.length === 0 || events.some((event) => event === type))
    .map(({ id }) => id);
}

/** @returns the stored delivery, with its number. */
export function insertDelivery(tx: Tx, delivery: NewDelivery): DeliveryRow {
  return tx.insert(webhookDeliveries).values(delivery).returning().get();
}

/** A delivery of this webhook, in any state. */
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

/** The newest first: at most `count`, older than the one with the number `before`. */
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

/** Clears the results of the previous attempt. */
const begun = (now: number, leaseMs: number) => ({
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
    .set(begun(now, leaseMs))
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
    .set(begun(now, leaseMs))
    .where(eq(webhookDeliveries.number, number))
    .returning()
    .get();
}

/** Records the result of an attempt, unless another one has begun since. */
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

/** Cancels what is still waiting to be sent to a webhook. */
export function giveUpDeliveries(tx: Tx, orgCode: string, webhookId: string, error: string): void {
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

/** When the next one is due; null where none is. */
export function findNextDeliveryTime(tx: Tx): number | null {
  return nextDeliveryTime(tx).get()?.at ?? null;
}

/** Deletes at most `count` finished deliveries written before `before`, of every organisation. @returns how many */
export function pruneDeliveries(tx: Tx, before: number, count: number): number {
  const old = tx
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(and(lt(webhookDeliveries.createdAt, before), isNull(webhookDeliveries.nextAttemptAt)))
    .limit(count);
  return tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.number, old)).run().changes;
}
