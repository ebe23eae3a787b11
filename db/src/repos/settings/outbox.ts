import type { AppType } from '@orchestrate/shared';
import { and, count, desc, eq, gt, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import { bulkSqlStatement } from '../../bulk-sql-statement.ts';
import type { Tx } from '../../database.ts';
import {
  type MessageFacts,
  type MessageTemplate,
  outbox,
  SECRETS_OF_MESSAGES,
  type SecretTemplate,
} from '../../schema/outbox.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { lastRowOffset, ROW_OFFSET } from '../../sql.ts';
import { drizzleStatement, sqlStatement } from '../../sql-statement.ts';

type SealedRow = typeof outbox.$inferSelect;

/** A row with its secret among the facts; '' once the secret is deleted. */
export type OutboxRow = Omit<SealedRow, 'facts' | 'code' | 'secretFor' | 'secretUntil'> & {
  facts: MessageFacts[MessageTemplate];
  /** The secret if it is a code that people type. */
  code: string | null;
};

/** A new message, with its secret among the facts, and the member who gets the secret. */
export type NewOutboxMessage = Pick<
  SealedRow,
  'id' | 'orgCode' | 'channel' | 'to' | 'template' | 'language' | 'createdAt'
> &
  Partial<Pick<SealedRow, 'secretFor' | 'nextAttemptAt'>> & { facts: MessageFacts[MessageTemplate] };

const COLUMN = 'outbox.code';

const secretOf = (template: MessageTemplate) =>
  isSecretTemplate(template) ? SECRETS_OF_MESSAGES[template] : undefined;

const isSecretTemplate = (template: MessageTemplate): template is SecretTemplate => template in SECRETS_OF_MESSAGES;

/** Returns the row of a message, with its secret split off and sealed. */
function sealMessage(tx: Tx, { facts, ...message }: NewOutboxMessage): typeof outbox.$inferInsert {
  const { template, id, secretFor = null, nextAttemptAt = null } = message;
  const publicFacts: Record<string, unknown> = { ...facts };
  const secretInfo = secretOf(template);
  if (!secretInfo)
    return { ...message, nextAttemptAt, facts: publicFacts, code: null, secretFor: null, secretUntil: null };
  const secret = String(publicFacts[secretInfo.fact]);
  delete publicFacts[secretInfo.fact];
  return {
    ...message,
    nextAttemptAt,
    facts: publicFacts,
    secretFor,
    code: sealIn(tx, COLUMN, id, secret),
    secretUntil: Number(publicFacts.expiresAt),
  };
}

function openMessage(tx: Tx, { secretFor: _for, secretUntil: _until, ...row }: SealedRow): OutboxRow {
  const secretInfo = secretOf(row.template);
  const secret = row.code === null ? null : openIn(tx, COLUMN, row.id, row.code);
  const facts = { ...row.facts, ...(secretInfo && { [secretInfo.fact]: secret ?? '' }) };
  return { ...row, facts: asFacts(facts), code: secretInfo?.fact === 'code' ? secret : null };
}

/** `sealMessage` split these facts. */
const asFacts = (facts: object) => facts as MessageFacts[MessageTemplate];

/** Adds an email or text message, in the transaction of its cause. The caller then publishes `TOPIC.outbox`. */
export function insertOutboxMessage(tx: Tx, message: NewOutboxMessage): void {
  tx.insert(outbox).values(sealMessage(tx, message)).run();
}

const insertion = bulkSqlStatement<typeof outbox.$inferInsert>(`
  INSERT INTO outbox (
    id, orgCode, channel, "to", template, language, facts, code, secretFor, secretUntil, createdAt, nextAttemptAt
  )
  SELECT value ->> 'id', value ->> 'orgCode', value ->> 'channel', value ->> 'to', value ->> 'template',
    value ->> 'language', value -> 'facts', value ->> 'code', value ->> 'secretFor', value ->> 'secretUntil', value ->> 'createdAt',
    value ->> 'nextAttemptAt'
  FROM json_each(@rows)`);

/** `insertOutboxMessage` for many messages. */
export function insertOutboxMessages(tx: Tx, messages: readonly NewOutboxMessage[]): void {
  insertion(
    tx,
    messages.map((message) => sealMessage(tx, message)),
  );
}

type Opens = (typeof SECRETS_OF_MESSAGES)[SecretTemplate]['opens'];

/** Deletes a secret. A message that still waits to be sent with it is cancelled, because it would be useless. */
const FORGOTTEN = `
  code = NULL, secretFor = NULL, secretUntil = NULL,
  lastError = CASE WHEN nextAttemptAt IS NULL THEN lastError ELSE 'Not sent: its code or link is no longer valid.' END,
  nextAttemptAt = NULL`;

const forgetting = sqlStatement<{ suids: string; templates: string; type: AppType | null }>(`
  UPDATE outbox SET ${FORGOTTEN}
  WHERE secretFor IN (SELECT value FROM json_each(@suids)) AND secretFor IS NOT NULL
    AND template IN (SELECT value FROM json_each(@templates)) AND (@type IS NULL OR facts ->> 'type' = @type)`);

/** Deletes the secrets sent to these members, because they were used, replaced or revoked. */
export function forgetSecrets(tx: Tx, suids: readonly string[], opens: Opens, type: AppType | null = null): void {
  const templates = Object.keys(SECRETS_OF_MESSAGES).filter(
    (template) => secretOf(template as SecretTemplate)?.opens === opens,
  );
  forgetting(tx).run({ suids: JSON.stringify(suids), templates: JSON.stringify(templates), type });
}

const forgettingOver = sqlStatement<{ now: number; limit: number }>(`
  UPDATE outbox SET ${FORGOTTEN}
  WHERE id IN (SELECT id FROM outbox WHERE secretUntil <= @now LIMIT @limit)`);

/**
 * Deletes at most `limit` expired secrets.
 * @returns how many were deleted
 */
export function forgetSecretsOver(tx: Tx, now: number, limit: number): number {
  return forgettingOver(tx).run({ now, limit }).changes;
}

/**
 * Claims the email that is due first, counts the attempt, and hides the email for `leaseMs`.
 *
 */
export function claimDueMail(tx: Tx, { now, leaseMs }: { now: number; leaseMs: number }): OutboxRow | undefined {
  const due = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.nextAttemptAt, now))
    .orderBy(outbox.nextAttemptAt)
    .limit(1);
  const claimed = tx
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: now + leaseMs })
    .where(inArray(outbox.id, due))
    .returning()
    .get();
  return claimed && openMessage(tx, claimed);
}

/** Records the result of an attempt, unless another one has started since. */
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

const nextMailTime = drizzleStatement((db) =>
  db
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(isNotNull(outbox.nextAttemptAt))
    .orderBy(outbox.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** Returns when the next email is due, in milliseconds since the epoch, or null. */
export function findNextMailTime(tx: Tx): number | null {
  return nextMailTime(tx).get()?.at ?? null;
}

/**
 * Lists messages of all organisations, newest first, at most `limit`; optionally to one address, and only those written
 * after the message `after`. Ordered by row, not by time: the clock may have been set back.
 */
export function listOutbox(tx: Tx, { limit, ...wanted }: Wanted & { limit: number }): OutboxRow[] {
  const rows = tx.select().from(outbox).where(matching(wanted)).orderBy(desc(ROW_OFFSET)).limit(limit).all();
  return rows.map((row) => openMessage(tx, row));
}

/** Counts messages. */
export function countOutbox(tx: Tx, wanted: Wanted): number {
  const counted = tx.select({ messages: count() }).from(outbox).where(matching(wanted)).get();
  return counted?.messages ?? 0;
}

interface Wanted {
  to?: string | undefined;
  /** Id of the message after which they were written. */
  after?: string | undefined;
}

const matching = ({ to, after }: Wanted) =>
  and(
    to === undefined ? undefined : eq(outbox.to, to),
    after === undefined ? undefined : sql`rowid > (SELECT rowid FROM outbox WHERE id = ${after})`,
  );

/** Counts the test emails sent to an address since `since`. */
export function countTestEmails(
  tx: Tx,
  { orgCode, to, since }: { orgCode: string; to: string; since: number },
): number {
  const counted = tx
    .select({ mails: sql<number>`count(*)` })
    .from(outbox)
    .where(
      and(eq(outbox.to, to), gt(outbox.createdAt, since), eq(outbox.orgCode, orgCode), eq(outbox.template, 'tried')),
    )
    .get();
  return counted?.mails ?? 0;
}

/** Returns whether there is a message with this id. */
export const hasMessage = (tx: Tx, id: string): boolean =>
  tx.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id)).get() !== undefined;

/** Lists the recipients of messages, without duplicates, latest first, at most `limit`. */
export function listRecipients(tx: Tx, { after, limit }: { after?: string | undefined; limit: number }): string[] {
  const rows = tx
    .select({ to: outbox.to })
    .from(outbox)
    .where(after === undefined ? undefined : sql`rowid > (SELECT rowid FROM outbox WHERE id = ${after})`)
    .groupBy(outbox.to)
    .orderBy(sql`max(rowid) DESC`)
    .limit(limit)
    .all();
  return rows.map(({ to }) => to);
}

/** Returns the offset of the newest message. */
export const lastOffset = (tx: Tx): number => lastRowOffset(tx, outbox);

/** Lists messages written after an offset, oldest first, each with its offset, without their contents. */
export function listMessagesAfter(tx: Tx, after: number) {
  const { channel, to, template, orgCode } = outbox;
  return tx
    .select({ offset: ROW_OFFSET, channel, to, template, orgCode })
    .from(outbox)
    .where(gt(ROW_OFFSET, after))
    .orderBy(ROW_OFFSET)
    .all();
}

/**
 * Deletes at most `limit` messages older than `before`.
 * @returns how many were deleted
 */
export function pruneOutbox(tx: Tx, before: number, limit: number): number {
  const old = tx.select({ id: outbox.id }).from(outbox).where(lt(outbox.createdAt, before)).limit(limit);
  return tx.delete(outbox).where(inArray(outbox.id, old)).run().changes;
}

/** Deletes all messages of all organisations. */
export function emptyOutbox(tx: Tx): void {
  tx.delete(outbox).run();
}
