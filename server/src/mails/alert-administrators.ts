import { type schema, securityAlertRepo, type Tx } from '@orchestrate/db';
import { HOUR } from '@orchestrate/shared';
import type { Deps } from '../deps.ts';
import { writeMessage } from './write-message.ts';

/** What the administrators are told: the facts of the mail, and which kind of event it is about. */
export interface SecurityAlert extends Omit<schema.SecurityAlertFacts, 'firstName' | 'at'> {
  /** As the audit trail names it, e.g. `fraud.reported`: at most one mail of each an hour. */
  action: `${string}.${string}`;
}

/** Many more would be a mailing list, and none of them would feel meant. */
const RECIPIENTS_MAX = 50;

/**
 * Mails every active member who holds SESSION_MANAGEMENT, so also the Super Admins, about something that points at an
 * attack; at most once an hour for each kind and organisation. In the transaction of its cause; after it `TOPIC.outbox`
 * has changed.
 * @returns whether a mail was written
 */
export function alertAdministrators(
  deps: Pick<Deps, 'random' | 'clock' | 'config'>,
  tx: Tx,
  orgCode: string,
  { action, subject, what, details, advice }: SecurityAlert,
): boolean {
  const now = deps.clock.now();
  if (!securityAlertRepo.claimSecurityAlert(tx, { orgCode, action, now, everyMs: HOUR })) return false;
  for (const admin of securityAlertRepo.listHoldersOf(tx, orgCode, 'SESSION_MANAGEMENT', RECIPIENTS_MAX)) {
    const facts = { firstName: admin.firstName, subject, what, details, advice, at: now };
    writeMessage(deps, tx, { orgCode, to: admin.primaryEmail, template: 'security-alert', facts });
  }
  return true;
}
