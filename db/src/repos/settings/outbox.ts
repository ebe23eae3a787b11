import type { AppType } from '@orchestrate/shared';
import { and, count, desc, eq, gt, inArray, isNotNull, lt, lte, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import {
  MESSAGE_SECRETS,
  type MessageFacts,
  type MessageTemplate,
  outbox,
  type SecretTemplate,
} from '../../schema/outbox.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { lastRowOffset, ROW_OFFSET } from '../../sql.ts';
import { bulkSqlStatement, drizzleStatement, sqlStatement } from '../../sql-statement.ts';

type SealedRow = typeof outbox.$inferSelect;

/** A message row whose facts include the secret, or '' once the secret has been deleted. */
export type OutboxRow = Omit<SealedRow, 'facts' | 'code' | 'secretFor' | 'secretUntil'> & {
  facts: MessageFacts[MessageTemplate];
  /** The secret, if it is a code for people to type. */
  code: string | null;
};

/** A new message whose facts include the secret, and the member for whom the secret is meant. */
export type NewOutboxMessage = Pick<
  SealedRow,
  'id' | 'orgCode' | 'channel' | 'to' | 'template' | 'language' | 'createdAt'
> &
  Partial<Pick<SealedRow, 'secretFor' | 'nextAttemptAt'>> & { facts: MessageFacts[MessageTemplate] };

const COLUMN = 'outbox.code';

const secretOf = (template: MessageTemplate) => (isSecretTemplate(template) ? MESSAGE_SECRETS[template] : undefined);

const isSecretTemplate = (template: MessageTemplate): template is SecretTemplate => template in MESSAGE_SECRETS;

/** Splits the secret off a message and seals it. Returns the row to insert. */
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
    code: sealValue(tx, COLUMN, id, secret),
    secretUntil: Number(publicFacts.expiresAt),
  };
}

function openMessage(tx: Tx, { secretFor: _for, secretUntil: _until, ...row }: SealedRow): OutboxRow {
  const secretInfo = secretOf(row.template);
  const secret = row.code === null ? null : unsealValue(tx, COLUMN, row.id, row.code);
  const facts = { ...row.facts, ...(secretInfo && { [secretInfo.fact]: secret ?? '' }) };
  return { ...row, facts: asFacts(facts), code: secretInfo?.fact === 'code' ? secret : null };
}

/** This cast is safe because `sealMessage` split these facts. */
const asFacts = (facts: object) => facts as MessageFacts[MessageTemplate];

/** Adds an email or text message. Call it in the transaction that causes the message, then publish `TOPIC.outbox`. */
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

/** Adds many messages (see `insertOutboxMessage`). */
export function insertOutboxMessages(tx: Tx, messages: readonly NewOutboxMessage[]): void {
  insertion(
    tx,
    messages.map((message) => sealMessage(tx, message)),
  );
}

type Opens = (typeof MESSAGE_SECRETS)[SecretTemplate]['opens'];

/**
 * Deletes a secret. Also cancels the message if it hasn't been sent yet, because it would be useless without its
 * secret.
 */
const FORGOTTEN = `
  code = NULL, secretFor = NULL, secretUntil = NULL,
  lastError = CASE WHEN nextAttemptAt IS NULL THEN lastError ELSE 'Not sent: its code or link is no longer valid.' END,
  nextAttemptAt = NULL`;

const forgetting = sqlStatement<{ suids: string; templates: string; type: AppType | null }>(`
  UPDATE outbox SET ${FORGOTTEN}
  WHERE secretFor IN (SELECT value FROM json_each(@suids)) AND secretFor IS NOT NULL
    AND template IN (SELECT value FROM json_each(@templates)) AND (@type IS NULL OR facts ->> 'type' = @type)`);

/** Deletes the secrets sent to these members because they have been used, replaced or revoked. */
export function forgetSecrets(tx: Tx, suids: readonly string[], opens: Opens, type: AppType | null = null): void {
  const templates = Object.keys(MESSAGE_SECRETS).filter(
    (template) => secretOf(template as SecretTemplate)?.opens === opens,
  );
  forgetting(tx).run({ suids: JSON.stringify(suids), templates: JSON.stringify(templates), type });
}

const forgettingOver = sqlStatement<{ now: number; limit: number }>(`
  UPDATE outbox SET ${FORGOTTEN}
  WHERE id IN (SELECT id FROM outbox WHERE secretUntil <= @now LIMIT @limit)`);

/**
 * Deletes at most `limit` expired secrets.
 * @returns how many secrets were deleted
 */
export function forgetExpiredSecrets(tx: Tx, now: number, limit: number): number {
  return forgettingOver(tx).run({ now, limit }).changes;
}

/** Claims the next due email and counts the attempt. No other attempt can claim the email for `leaseMs`. */
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

/** Records the result of an attempt, unless a newer attempt has started. */
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

/** Returns when the next email is due, in milliseconds since the epoch, or null if none is due. */
export function findNextMailTime(tx: Tx): number | null {
  return nextMailTime(tx).get()?.at ?? null;
}

/**
 * Lists at most `limit` messages of all organisations, newest first. Optionally lists only messages to one address,
 * or messages written after the message `after`. Ordered by row instead of time, because the clock may have been set
 * back.
 */
export function listOutbox(tx: Tx, { limit, ...wanted }: Wanted & { limit: number }): OutboxRow[] {
  const rows = tx.select().from(outbox).where(matching(wanted)).orderBy(desc(ROW_OFFSET)).limit(limit).all();
  return rows.map((row) => openMessage(tx, row));
}

export function countOutbox(tx: Tx, wanted: Wanted): number {
  const counted = tx.select({ messages: count() }).from(outbox).where(matching(wanted)).get();
  return counted?.messages ?? 0;
}

interface Wanted {
  to?: string | undefined;
  /** ID of a message; only later messages match. */
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

export const hasMessage = (tx: Tx, id: string): boolean =>
  tx.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id)).get() !== undefined;

/** Lists at most `limit` distinct message recipients, latest first. */
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

/** Returns the newest message's offset. */
export const lastOffset = (tx: Tx): number => lastRowOffset(tx, outbox);

/** Lists messages written after an offset, oldest first. Each message has its offset, but not its contents. */
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
 * @returns how many messages were deleted
 */
export function pruneOutbox(tx: Tx, before: number, limit: number): number {
  const old = tx.select({ id: outbox.id }).from(outbox).where(lt(outbox.createdAt, before)).limit(limit);
  return tx.delete(outbox).where(inArray(outbox.id, old)).run().changes;
}

/** Deletes all messages in all organisations, or only those to a recipient. @returns how many were deleted */
export function emptyOutbox(tx: Tx, to?: string): number {
  return tx
    .delete(outbox)
    .where(to === undefined ? undefined : eq(outbox.to, to))
    .run().changes;
}
