import { organisationRepo, outboxRepo } from '@orchestrate/db';
import { contract, OUTBOX_MESSAGES_MAX, type OutboxMessage, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { implement } from '../platform/http/implement.ts';
import { isoOf } from '../platform/iso-of.ts';
import { TOPIC } from '../platform/live/bus.ts';
import { type RenderedMessage, renderMessage } from '../platform/mails/render-message.ts';
import { recordInLab } from './record-in-lab.ts';

/** What was mailed or texted, for tests and for people who try the portal out. */
export function outbox(app: FastifyInstance, deps: Deps): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  implement(app, deps, contract.readOutbox, async ({ query: { to, wait } }) => {
    const newest = () => outboxRepo.listOutbox(deps.db, { to, limit: 1 })[0]?.id;
    if (wait) await untilOther(deps, newest, wait * SECOND, closing.signal);
    return { messages: listMessages(deps, to) };
  });

  implement(app, deps, contract.emptyOutbox, ({ actor }) => {
    outboxRepo.emptyOutbox(deps.db);
    recordInLab(deps, actor, 'lab.outbox-emptied', {});
    return {};
  });
}

/**
 * Waits until `newest` returns something different, for `ms` at most. Measured by the machine's own time: the clock may
 * stand still, and the caller waits all the same.
 */
function untilOther({ bus }: Deps, newest: () => string | undefined, ms: number, closing: AbortSignal): Promise<void> {
  const before = newest();
  // A caller who asks while the server closes arrives after the abort.
  if (closing.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const stopListening = bus.listen([TOPIC.outbox], () => {
      if (newest() !== before) end();
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

function listMessages({ db }: Deps, to: string | undefined): OutboxMessage[] {
  return outboxRepo.listOutbox(db, { to, limit: OUTBOX_MESSAGES_MAX }).flatMap((row) => {
    const brand = organisationRepo.findOrganisation(db, row.orgCode);
    return brand ? [outboxMessageOf(row, renderMessage(brand, row))] : [];
  });
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
