import { mailTextRepo, organisationRepo, outboxRepo } from '@orchestrate/db';
import { DAY, HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { connectMailServer, type Mail, type MailFailure, type MailServer } from '../adapters/mail-server.ts';
import { TOPIC } from '../live/bus.ts';
import { deliverDue } from '../live/deliver-due.ts';
import { renderMessage } from './render-message.ts';

const FIRST_MS = 30 * SECOND;
const LONGEST_MS = HOUR;
/** RFC 5321 §4.5.4.1 asks for four to five days; the contents of our mails expire sooner. */
const GIVEN_UP_AFTER_MS = 3 * DAY;

/** How long to wait after this many failures in a row, in milliseconds: doubled each time, up to an hour. */
const backOff = (failures: number): number => Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);

/**
 * When a mail that was not accepted is tried again, in milliseconds since the epoch; null to give it up.
 * @param attempts how often it has been tried, this time included.
 */
export function nextMailAttempt(
  { attempts, createdAt }: { attempts: number; createdAt: number },
  now: number,
): number | null {
  const next = now + backOff(attempts);
  return next - createdAt > GIVEN_UP_AFTER_MS ? null : next;
}

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
  const { db, clock, config } = deps;
  const { smtpUrl } = config;
  if (smtpUrl === null) return;
  let server: Promise<MailServer> | undefined;
  /** How many times in a row the mail server could not be reached, and until when it is not tried again. */
  let outage = { failures: 0, until: 0 };

  deliverDue<outboxRepo.OutboxRow>(app, deps, {
    what: 'a mail',
    topic: TOPIC.outbox,
    atOnce() {
      if (clock.now() < outage.until) return 0;
      return outage.failures > 0 ? 1 : AT_ONCE;
    },
    claim: () => outboxRepo.claimDueMail(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime() {
      const next = outboxRepo.findNextMailTime(db);
      return next === null ? null : Math.max(next, outage.until);
    },
    idOf: ({ id }) => id,
    async send(row) {
      const mail = mailOf(deps, row);
      server ??= connectMailServer(smtpUrl);
      const failure = await (await server).send(mail);
      const failures = failure?.kind === 'outage' ? outage.failures + 1 : 0;
      outage = { failures, until: failures > 0 ? clock.now() + backOff(failures) : 0 };
      return () => settle(deps, row, failure);
    },
    // Mails on their way are due again after their back-off.
    abort: async () => (await server)?.close(),
  });
}

function settle({ db, clock, log, bus }: Deps, row: outboxRepo.OutboxRow, failure: MailFailure | undefined): void {
  const now = clock.now();
  if (failure) {
    const nextAttemptAt = failure.kind === 'refused' ? null : nextMailAttempt(row, now);
    log.warn({ kind: failure.kind, isGivenUp: nextAttemptAt === null }, 'a mail was not accepted');
    outboxRepo.settleMail(db, row, { deliveredAt: null, nextAttemptAt, lastError: failure.words });
  } else outboxRepo.settleMail(db, row, { deliveredAt: now, nextAttemptAt: null, lastError: null });
  bus.changed(TOPIC.outbox);
}

function mailOf({ db, config, publicUrl }: Deps, row: outboxRepo.OutboxRow): Mail {
  const organisation = organisationRepo.findOrganisation(db, row.orgCode);
  if (!organisation) throw new Error(`The organisation ${row.orgCode} of a mail is gone.`);
  const address = config.mailFrom ?? `no-reply@${URL.parse(publicUrl)?.hostname}`;
  const { id, to, createdAt: sentAt } = row;
  return {
    id,
    to,
    sentAt,
    from: { name: organisation.name, address },
    ...renderMessage(organisation, row, mailTextRepo.findMailText(db, row)),
  };
}
