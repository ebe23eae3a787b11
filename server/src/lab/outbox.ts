import { mailTextRepo, organisationRepo, outboxRepo } from '@orchestrate/db';
import { contract, OUTBOX_MESSAGES_MAX, type OutboxMessage, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { implement } from '../platform/http/implement.ts';
import { isoOf } from '../platform/iso-of.ts';
import { TOPIC } from '../platform/live/bus.ts';
import { type RenderedMessage, renderMessage } from '../platform/mails/render-message.ts';
import { Refusal } from '../platform/refusal.ts';
import { recordInLab } from './record-in-lab.ts';

/** What was mailed or texted, for tests and for people who try the portal out. */
export function outbox(app: FastifyInstance, deps: Deps): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  implement(app, deps, contract.readOutbox, async ({ query: { to, after, wait } }) => {
    requireMessage(deps, after);
    const asked = { to, after };
    if (wait === undefined) return listMessages(deps, asked);
    const isGone = () => after !== undefined && !outboxRepo.hasMessage(deps.db, after);
    const isThere = () => isGone() || outboxRepo.listOutbox(deps.db, { ...asked, limit: 1 }).length > 0;
    await untilSome(deps, isThere, { ms: wait * SECOND, closing: closing.signal });
    requireMessage(deps, after);
    const found = listMessages(deps, asked);
    const until = closing.signal.aborted ? 'before the portal closed' : `within ${wait} s`;
    if (found.messages.length === 0) throw nothingCame(deps, { ...asked, until });
    return found;
  });

  implement(app, deps, contract.emptyOutbox, ({ actor }) => {
    outboxRepo.emptyOutbox(deps.db);
    deps.bus.changed(TOPIC.outbox);
    recordInLab(deps, actor, 'lab.outbox-emptied', {});
    return {};
  });
}

/** @throws Refusal INVALID_REQUEST where it is asked what came after a message that is not there */
function requireMessage({ db }: Deps, after: string | undefined): void {
  if (after === undefined || outboxRepo.hasMessage(db, after)) return;
  const message = `The outbox has no message ${after}. It may have been emptied.`;
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path: 'after', message }] });
}

/** How many other recipients are named if no message has arrived. */
const RECIPIENTS_MAX = 20;

function nothingCame(
  { db }: Deps,
  { to, after, until }: { to?: string | undefined; after?: string | undefined; until: string },
) {
  const all = outboxRepo.listRecipients(db, { after, limit: RECIPIENTS_MAX + 1 });
  const recipients = all.slice(0, RECIPIENTS_MAX);
  const names = [...recipients, ...(all.length > RECIPIENTS_MAX ? ['…'] : [])].join(', ');
  const others = recipients.length > 0 ? `Messages went to ${names}.` : 'Nobody was sent anything.';
  const message = `No message${to ? ` to ${to}` : ''} came ${until}. ${others}`;
  return new Refusal('ID_DOESNOT_EXIST', { message, fields: { recipients } });
}

/** Waits until `isThere`, for `ms` at most. In the machine's own time, because the portal's clock may be frozen. */
function untilSome(
  { bus }: Deps,
  isThere: () => boolean,
  { ms, closing }: { ms: number; closing: AbortSignal },
): Promise<void> {
  // While the server closes, the signal has already been aborted.
  if (closing.aborted || isThere()) return Promise.resolve();
  return new Promise((resolve) => {
    const stopListening = bus.listen([TOPIC.outbox, TOPIC.reset], () => {
      if (isThere()) end();
    });
    const timer = setTimeout(end, ms);
    closing.addEventListener('abort', end);

    function end(): void {
      stopListening();
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      resolve();
    }
  });
}

function listMessages({ db }: Deps, asked: { to?: string | undefined; after?: string | undefined }) {
  const rows = outboxRepo.listOutbox(db, { ...asked, limit: OUTBOX_MESSAGES_MAX });
  const skipped = asked.after === undefined ? 0 : outboxRepo.countOutbox(db, asked) - rows.length;
  const messages = rows.flatMap((row): OutboxMessage[] => {
    const brand = organisationRepo.findOrganisation(db, row.orgCode);
    const own = mailTextRepo.findMailText(db, row);
    return brand ? [outboxMessageOf(row, renderMessage(brand, row, own))] : [];
  });
  return { messages, skipped };
}

function outboxMessageOf(row: outboxRepo.OutboxRow, { subject, text, html }: RenderedMessage): OutboxMessage {
  return {
    id: row.id,
    channel: row.channel,
    to: row.to,
    subject,
    text,
    html,
    ...(row.code !== null && { code: row.code }),
    links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])],
    sentAt: isoOf(row.createdAt),
    deliveredAt: isoOf(row.deliveredAt),
    attempts: row.attempts,
    lastError: row.lastError,
  };
}
