import { organisationRepo, outboxRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { connectMailServer, type Mail, type MailFailure, type MailServer } from '../adapters/mail-server.ts';
import { TOPIC } from '../live/bus.ts';
import { backOff, nextMailAttempt } from './next-mail-attempt.ts';
import { renderMessage } from './render-message.ts';

/** A mail that is being sent when the server is killed is due again after this. Longer than any sending takes. */
const LEASE_MS = 5 * MINUTE;
/** Mails on their way at the same time; only one during an outage of the mail server. */
const AT_ONCE = 3;

/**
 * Delivers the mails of the outbox if there is a mail server: those that are due, with retries for those that were not
 * accepted. Each is claimed in the database first, so a restart neither forgets a mail nor repeats one that was
 * accepted.
 */
export function deliverMails(app: FastifyInstance, deps: Deps): void {
  const { smtpUrl } = deps.config;
  if (smtpUrl === null) return;
  const delivery = new Delivery(deps, smtpUrl);
  const stopListening = deps.bus.listen([TOPIC.outbox, TOPIC.reset], () => delivery.wake());
  const cancelStart = deps.clock.at(deps.clock.now(), () => delivery.wake());
  app.addHook('onClose', async () => {
    stopListening();
    cancelStart();
    await delivery.end();
  });
}

class Delivery {
  readonly #deps: Deps;
  readonly #smtpUrl: string;
  #server: Promise<MailServer> | undefined;
  readonly #underway = new Map<string, Promise<void>>();
  #cancelWake: (() => void) | undefined;
  #hasEnded = false;
  /** How many times in a row the mail server could not be reached, and until when it is not tried again. */
  #outage = { failures: 0, until: 0 };

  constructor(deps: Deps, smtpUrl: string) {
    this.#deps = deps;
    this.#smtpUrl = smtpUrl;
  }

  /** Sends what is due, and arranges to be woken for what is due next. */
  wake(): void {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const atOnce = this.#outage.failures > 0 ? 1 : AT_ONCE;
    while (!this.#hasEnded && now >= this.#outage.until && this.#underway.size < atOnce) {
      const mail = outboxRepo.claimDueMail(db, { now, leaseMs: LEASE_MS });
      if (!mail) break;
      // The clock was set forward during sending: the mail is still on its way.
      if (this.#underway.has(mail.id)) continue;
      this.#underway.set(mail.id, this.#deliver(mail));
    }
    this.#wakeForNext();
  }

  #wakeForNext(): void {
    this.#cancelWake?.();
    const { db, clock } = this.#deps;
    // A mail that is underway wakes this when it is done.
    const next = this.#hasEnded || this.#underway.size > 0 ? null : outboxRepo.findNextMailTime(db);
    this.#cancelWake = next === null ? undefined : clock.at(Math.max(next, this.#outage.until), () => this.wake());
  }

  async #deliver(row: outboxRepo.OutboxRow): Promise<void> {
    try {
      this.#server ??= connectMailServer(this.#smtpUrl);
      const failure = await (await this.#server).send(this.#mailOf(row));
      this.#settle(row, failure);
    } catch (reason) {
      // A defect: the mail is due again when its lease expires.
      this.#deps.log.error({ err: reason }, 'a mail could not be delivered');
    }
    this.#underway.delete(row.id);
    this.wake();
  }

  #settle(row: outboxRepo.OutboxRow, failure: MailFailure | undefined): void {
    const { db, clock, log, bus } = this.#deps;
    const now = clock.now();
    if (failure?.kind === 'outage') {
      const failures = this.#outage.failures + 1;
      this.#outage = { failures, until: now + backOff(failures) };
    } else this.#outage = { failures: 0, until: 0 };
    if (failure) {
      const nextAttemptAt = failure.kind === 'refused' ? null : nextMailAttempt(row, now);
      log.warn({ kind: failure.kind, isGivenUp: nextAttemptAt === null }, 'a mail was not accepted');
      outboxRepo.settleMail(db, row, { deliveredAt: null, nextAttemptAt, lastError: failure.words });
    } else outboxRepo.settleMail(db, row, { deliveredAt: now, nextAttemptAt: null, lastError: null });
    bus.changed(TOPIC.outbox);
  }

  #mailOf(row: outboxRepo.OutboxRow): Mail {
    const { db, config, publicUrl } = this.#deps;
    const organisation = organisationRepo.findOrganisation(db, row.orgCode);
    if (!organisation) throw new Error(`The organisation ${row.orgCode} of a mail is gone.`);
    const address = config.mailFrom ?? `no-reply@${URL.parse(publicUrl)?.hostname}`;
    const { id, to, createdAt: sentAt } = row;
    return { id, to, sentAt, from: { name: organisation.name, address }, ...renderMessage(organisation, row) };
  }

  /** Mails on their way are aborted, and due again after their back-off. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#cancelWake?.();
    (await this.#server)?.close();
    await Promise.all(this.#underway.values());
  }
}
