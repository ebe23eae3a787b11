import { organisationRepo, outboxRepo, type schema, type Tx } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

type Writing = Pick<Deps, 'random' | 'clock' | 'config'>;

/** A message to write: the recipient, and the facts of its template. */
export interface NewMessage<Template extends schema.MessageTemplate> {
  orgCode: string;
  /** A mail by default. */
  channel?: 'mail' | 'text';
  /** Email address or mobile number. */
  to: string;
  /** That the recipient has chosen; null for that of the organisation's mails. */
  language: Language | null;
  template: Template;
  facts: schema.MessageFacts[Template];
}

/**
 * The person that the code or link of a message is for: once it is used, replaced or revoked, the message forgets it.
 */
type SecretFor<Template> = Template extends schema.SecretTemplate ? { secretFor: string } : { secretFor?: undefined };

/**
 * Writes a message into the outbox. Call it inside the transaction of its cause; signal `TOPIC.outbox` after the
 * commit. A mail is due immediately if there is a mail server.
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

/** The row of a message, for callers that write many at once. */
export function messageRow<Template extends schema.MessageTemplate>(
  { random, clock, config }: Writing,
  message: NewMessage<Template> & SecretFor<Template> & { language: Language },
): outboxRepo.NewOutboxMessage {
  const { orgCode, channel = 'mail', to, language, template, facts, secretFor } = message;
  const now = clock.now();
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
    nextAttemptAt: channel === 'mail' && config.smtpUrl !== null ? now : null,
  };
}
