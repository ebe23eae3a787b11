import { organisationRepo, outboxRepo, type schema, type Tx } from '@orchestrate/db';
import type { Language, OutboxFault } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

type Writing = Pick<Deps, 'random' | 'clock' | 'config' | 'outboxFaults'>;

/** A message to write, with its recipient and its template's facts. */
export interface NewMessage<Template extends schema.MessageTemplate> {
  orgCode: string;
  /** Default: `mail`. */
  channel?: 'mail' | 'text';
  /** Email address or mobile number. */
  to: string;
  /** The recipient's language, or null for the organisation's default. */
  language: Language | null;
  template: Template;
  facts: schema.MessageFacts[Template];
}

/** The member whose code or link the message contains. The secret is deleted once it is used, replaced or revoked. */
type SecretFor<Template> = Template extends schema.SecretTemplate ? { secretFor: string } : { secretFor?: undefined };

/**
 * Adds a message to the outbox. Call it in the transaction that causes the message, and signal `TOPIC.outbox` after
 * the commit. An email is due immediately if an email server is configured, or if the lab has a fault for it.
 */
export function writeMessage<Template extends schema.MessageTemplate>(
  deps: Writing,
  tx: Tx,
  message: NewMessage<Template> & SecretFor<Template>,
): void {
  const { orgCode } = message;
  const language = message.language ?? organisationRepo.requireOrganisation(tx, orgCode).mailLanguage;
  outboxRepo.insertOutboxMessage(tx, messageRow(deps, { ...message, language }));
}

/** Returns a function that checks whether a fault affects emails to an address. */
export const fitsRecipient =
  (address: string) =>
  ({ to }: OutboxFault): boolean =>
    to === undefined || to === address.toLowerCase();

/** Returns a message's outbox row, for bulk inserts. */
export function messageRow<Template extends schema.MessageTemplate>(
  { random, clock, config, outboxFaults }: Writing,
  message: NewMessage<Template> & SecretFor<Template> & { language: Language },
): outboxRepo.NewOutboxMessage {
  const { orgCode, channel = 'mail', to, language, template, facts, secretFor } = message;
  const now = clock.now();
  const isSent = config.smtpUrl !== null || outboxFaults.hasFor(fitsRecipient(to));
  return {
    id: random.idAt(now),
    orgCode,
    channel,
    to,
    template,
    language,
    facts,
    secretFor: secretFor ?? null,
    createdAt: now,
    nextAttemptAt: channel === 'mail' && isSent ? now : null,
  };
}
