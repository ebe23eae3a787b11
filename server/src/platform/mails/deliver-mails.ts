import { mailTextRepo, organisationRepo, outboxRepo } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, type OutboxFault, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { connectMailServer, type Mail, type MailFailure, type MailServer } from '../adapters/mail-server.ts';
import { TOPIC } from '../live/bus.ts';
import { deliverDue } from '../live/deliver-due.ts';
import { renderMessage } from './render-message.ts';
import { fitsRecipient } from './write-message.ts';

const FIRST_MS = 30 * SECOND;
const LONGEST_MS = HOUR;
/** RFC 5321 §4.5.4.1 recommends four to five days, but the codes and links in the emails expire sooner. */
const GIVEN_UP_AFTER_MS = 3 * DAY;

/** Returns the delay after consecutive failures, in milliseconds. Doubles with each failure, up to an hour. */
const backOff = (failures: number): number => Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);

/**
 * Returns the time of the next attempt after a failure, in milliseconds since the epoch, or null to give up.
 * @param attempts number of attempts, including this one
 */
export function nextMailAttempt(
  { attempts, createdAt }: { attempts: number; createdAt: number },
  now: number,
): number | null {
  const next = now + backOff(attempts);
  return next - createdAt > GIVEN_UP_AFTER_MS ? null : next;
}

/** How long an email stays claimed if the server is killed while sending it. Longer than any delivery takes. */
const LEASE_MS = 5 * MINUTE;
/** Maximum number of concurrent deliveries. During an email server outage, the maximum is one. */
const CONCURRENCY = 3;

/** Replies of the mail server that the lab simulates, as a mail server words them (RFC 5321 §4.2.3). */
const REFUSALS: Record<OutboxFault['smtp'], MailFailure> = {
  421: { kind: 'later', words: '421 4.3.2 Service not available (simulated by the lab)' },
  451: { kind: 'later', words: '451 4.3.0 Temporary failure (simulated by the lab)' },
  550: { kind: 'refused', words: '550 5.1.1 Mailbox unavailable (simulated by the lab)' },
};

/**
 * Delivers due outbox emails, with retries, if an email server is configured. Each email is claimed in the database
 * first: a restart neither loses an email nor repeats an accepted one. Without an email server, emails are due only if
 * the lab had a fault for them, and the simulated server accepts them once the fault has ended.
 */
export function deliverMails(app: FastifyInstance, deps: Deps): void {
  const { db, clock, config } = deps;
  const { smtpUrl } = config;
  if (smtpUrl === null && !config.lab) return;
  let server: Promise<MailServer> | undefined;
  /** Consecutive failures to reach the email server, and the time of the next attempt. */
  let outage = { failures: 0, until: 0 };

  deliverDue<outboxRepo.OutboxRow>(app, deps, {
    what: 'an email',
    kind: 'email',
    topic: TOPIC.outbox,
    atOnce() {
      if (clock.now() < outage.until) return 0;
      return outage.failures > 0 ? 1 : CONCURRENCY;
    },
    claim: () => outboxRepo.claimDueMail(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime() {
      const next = outboxRepo.findNextMailTime(db);
      return next === null ? null : Math.max(next, outage.until);
    },
    idOf: ({ id }) => id,
    async send(row) {
      const fault = deps.outboxFaults.take(fitsRecipient(row.to), { messageId: row.id });
      if (fault) {
        const refusal = REFUSALS[fault.smtp];
        deps.journal.record({ kind: 'fault', path: '/api/lab/outbox', what: `email to ${row.to}: ${refusal.words}` });
        return () => settle(deps, row, refusal);
      }
      if (smtpUrl === null) return () => settle(deps, row, undefined);
      const mail = mailOf(deps, row);
      server ??= connectMailServer(smtpUrl);
      const failure = await (await server).send(mail);
      const failures = failure?.kind === 'outage' ? outage.failures + 1 : 0;
      outage = { failures, until: failures > 0 ? clock.now() + backOff(failures) : 0 };
      return () => settle(deps, row, failure);
    },
    // Aborted emails are due again after their back-off.
    abort: async () => (await server)?.close(),
  });
}

function settle({ db, clock, log, bus }: Deps, row: outboxRepo.OutboxRow, failure: MailFailure | undefined): void {
  const now = clock.now();
  if (failure) {
    const nextAttemptAt = failure.kind === 'refused' ? null : nextMailAttempt(row, now);
    log.warn({ kind: failure.kind, isGivenUp: nextAttemptAt === null }, 'an email was not accepted');
    outboxRepo.settleMail(db, row, { deliveredAt: null, nextAttemptAt, lastError: failure.words });
  } else outboxRepo.settleMail(db, row, { deliveredAt: now, nextAttemptAt: null, lastError: null });
  bus.changed(TOPIC.outbox);
}

function mailOf({ db, config, publicUrl }: Deps, row: outboxRepo.OutboxRow): Mail {
  const organisation = organisationRepo.findOrganisation(db, row.orgCode);
  if (!organisation) throw new Error(`Organisation ${row.orgCode} of an outbox email no longer exists.`);
  const address = config.mailFrom ?? `no-reply@${URL.parse(publicUrl)?.hostname}`;
  const { id, to, createdAt: sentAt } = row;
  return {
    id,
    to,
    sentAt,
    from: { name: organisation.name, address },
    ...renderMessage({ ...organisation, publicUrl }, row, mailTextRepo.findMailText(db, row)),
  };
}
