import type { AppType } from '@orchestrate/shared';
import { and, count, desc, eq, gt, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import { bulkSqlStatement } from '../../bulk-sql-statement.ts';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import {
  type MessageFacts,
  type MessageTemplate,
  outbox,
  SECRETS_OF_MESSAGES,
  type SecretTemplate,
} from '../../schema/outbox.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { lastPlaceOf, PLACE } from '../../sql.ts';
import { sqlStatement } from '../../sql-statement.ts';

type SealedRow = typeof outbox.$inferSelect;

/** A row with its secret among the facts, '' once it has been forgotten. */
export type OutboxRow = Omit<SealedRow, 'facts' | 'code' | 'secretFor' | 'secretUntil'> & {
  facts: MessageFacts[MessageTemplate];
  /** The secret, where it is a code that people type. */
  code: string | null;
};

/** A message to write, with its secret among the facts, and the member whom the secret is for. */
export type NewOutboxMessage = Pick<
  SealedRow,
  'id' | 'orgCode' | 'channel' | 'to' | 'template' | 'language' | 'createdAt'
> &
  Partial<Pick<SealedRow, 'secretFor' | 'nextAttemptAt'>> & { facts: MessageFacts[MessageTemplate] };

const COLUMN = 'outbox.code';

const secretOf = (template: MessageTemplate) =>
  isSecretTemplate(template) ? SECRETS_OF_MESSAGES[template] : undefined;

const isSecretTemplate = (template: MessageTemplate): template is SecretTemplate => template in SECRETS_OF_MESSAGES;

/** The row of a message, with its secret split off and sealed. */
function sealMessage(tx: Tx, { facts, ...message }: NewOutboxMessage): typeof outbox.$inferInsert {
  const { template, id, secretFor = null, nextAttemptAt = null } = message;
  const kept: Record<string, unknown> = { ...facts };
  const known = secretOf(template);
  if (!known) return { ...message, nextAttemptAt, facts: kept, code: null, secretFor: null, secretUntil: null };
  const secret = String(kept[known.fact]);
  delete kept[known.fact];
  return {
    ...message,
    nextAttemptAt,
    facts: kept,
    secretFor,
    code: sealIn(tx, COLUMN, id, secret),
    secretUntil: Number(kept.expiresAt),
  };
}

function openMessage(tx: Tx, { secretFor: _for, secretUntil: _until, ...row }: SealedRow): OutboxRow {
  const known = secretOf(row.template);
  const secret = row.code === null ? null : openIn(tx, COLUMN, row.id, row.code);
  const facts = { ...row.facts, ...(known && { [known.fact]: secret ?? '' }) };
  return { ...row, facts: asFacts(facts), code: known?.fact === 'code' ? secret : null };
}

/** `sealMessage` split them. */
const asFacts = (facts: object) => facts as MessageFacts[MessageTemplate];

/** Writes a mail or text message in the transaction of its cause. The caller then publishes `TOPIC.outbox`. */
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

/** `insertOutboxMessage` for many at once. */
export function insertOutboxMessages(tx: Tx, messages: readonly NewOutboxMessage[]): void {
  insertion(
    tx,
    messages.map((message) => sealMessage(tx, message)),
  );
}

type Opens = (typeof SECRETS_OF_MESSAGES)[SecretTemplate]['opens'];

/**
 * Replaces a forgotten secret. A message that is still waiting to be sent with it is cancelled, since it would be
 * useless.
 */
const FORGOTTEN = `
  code = NULL, secretFor = NULL, secretUntil = NULL,
  lastError = CASE WHEN nextAttemptAt IS NULL THEN lastError ELSE 'Not sent: its code or link is no longer valid.' END,
  nextAttemptAt = NULL`;

const forgetting = sqlStatement<{ suids: string; templates: string; type: AppType | null }>(`
  UPDATE outbox SET ${FORGOTTEN}
  WHERE secretFor IN (SELECT value FROM json_each(@suids)) AND secretFor IS NOT NULL
    AND template IN (SELECT value FROM json_each(@templates)) AND (@type IS NULL OR facts ->> 'type' = @type)`);

/** Forgets the secrets sent to these members, because they were used, replaced or revoked. */
export function forgetSecrets(tx: Tx, suids: readonly string[], opens: Opens, type: AppType | null = null): void {
  const templates = Object.keys(SECRETS_OF_MESSAGES).filter(
    (template) => secretOf(template as SecretTemplate)?.opens === opens,
  );
  forgetting(tx).run({ suids: JSON.stringify(suids), templates: JSON.stringify(templates), type });
}

/** Forgets at most `limit` expired secrets; returns how many. */
export function forgetSecretsOver(tx: Tx, now: number, limit: number): number {
  const over = tx.select({ id: outbox.id }).from(outbox).where(lte(outbox.secretUntil, now)).limit(limit);
  return tx.run(sql`UPDATE outbox SET ${sql.raw(FORGOTTEN)} WHERE id IN ${over}`).changes;
}

/**
 * Claims the mail that is due first and counts the attempt; nobody else gets it for `leaseMs`.
 * @returns undefined where none is due.
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

/** Records the result of an attempt, unless another one has begun since. */
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

/** When the next mail is due, in milliseconds since the epoch; null where none is. */
export function findNextMailTime(tx: Tx): number | null {
  return nextMailTime(tx).get()?.at ?? null;
}

/**
 * Messages of every organisation, what was written last first, at most `limit`; to one address where it is given, and
 * only what was written after `after`, the id of a message. Their times say nothing: the clock may have been set back.
 */
export function listOutbox(tx: Tx, { limit, ...wanted }: Wanted & { limit: number }): OutboxRow[] {
  const rows = tx.select().from(outbox).where(matching(wanted)).orderBy(desc(PLACE)).limit(limit).all();
  return rows.map((row) => openMessage(tx, row));
}

/** How many messages there are. */
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

/** How many mails with words that are being tried an address has been sent since `since`. */
export function countTried(tx: Tx, { orgCode, to, since }: { orgCode: string; to: string; since: number }): number {
  const counted = tx
    .select({ mails: sql<number>`count(*)` })
    .from(outbox)
    .where(
      and(eq(outbox.to, to), gt(outbox.createdAt, since), eq(outbox.orgCode, orgCode), eq(outbox.template, 'tried')),
    )
    .get();
  return counted?.mails ?? 0;
}

/** Whether there is a message with this id. */
export const hasMessage = (tx: Tx, id: string): boolean =>
  tx.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id)).get() !== undefined;

/** Who was sent something, each once and the latest first, at most `limit`. */
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

/** Where the newest message stands in the order of writing. */
export const lastPlace = (tx: Tx): number => lastPlaceOf(tx, outbox);

/** Those that were written after a place, oldest first, each with its own place; without what they say. */
export function listWrittenAfter(tx: Tx, after: number) {
  const { channel, to, template, orgCode } = outbox;
  return tx
    .select({ place: PLACE, channel, to, template, orgCode })
    .from(outbox)
    .where(gt(PLACE, after))
    .orderBy(PLACE)
    .all();
}

/** Deletes at most `limit` messages from before `before`; returns how many. */
export function pruneOutbox(tx: Tx, before: number, limit: number): number {
  const old = tx.select({ id: outbox.id }).from(outbox).where(lt(outbox.createdAt, before)).limit(limit);
  return tx.delete(outbox).where(inArray(outbox.id, old)).run().changes;
}

/** Deletes every message, of every organisation. */
export function emptyOutbox(tx: Tx): void {
  tx.delete(outbox).run();
}
