import { outboxRepo, type schema, type Tx } from '@orchestrate/db';
import type { Deps } from '../deps.ts';

/** A message to write: to whom, and the facts of its template. */
export interface NewMessage<Template extends schema.MessageTemplate> {
  orgCode: string;
  /** A mail unless said otherwise. */
  channel?: 'mail' | 'text';
  /** E-mail address or mobile number. */
  to: string;
  template: Template;
  facts: schema.MessageFacts[Template];
}

/**
 * Writes a message into the outbox, in the transaction of its cause; after the commit `TOPIC.outbox` has changed. A mail
 * is due at once where there is a mail server.
 */
export function writeMessage<Template extends schema.MessageTemplate>(
  { random, clock, config }: Pick<Deps, 'random' | 'clock' | 'config'>,
  tx: Tx,
  { orgCode, channel = 'mail', to, template, facts }: NewMessage<Template>,
): void {
  const now = clock.now();
  outboxRepo.insertOutboxMessage(tx, {
    ...{ id: random.id(), orgCode, channel, to, template, facts },
    code: 'code' in facts ? facts.code : null,
    createdAt: now,
    nextAttemptAt: channel === 'mail' && config.smtpUrl !== null ? now : null,
  });
}
