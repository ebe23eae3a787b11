import { type schema, securityAlertRepo, type Tx } from '@orchestrate/db';
import { type AuditAction, HOUR } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/actors.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { type Happening, record } from './record.ts';

/** What the administrators are told: the event of the audit trail, and the facts of the mail about it. */
export interface SecurityAlert<Action extends AuditAction>
  extends Omit<schema.SecurityAlertFacts, 'firstName' | 'at'>,
    Happening<Action> {
  /** It goes on for as long as it is told: one event for each mail is enough. */
  isOngoing?: true;
}

/** Many more would be a mailing list, and none of them would feel meant. */
const RECIPIENTS_MAX = 50;

/**
 * Records something that points at an attack, and mails it to every active member who holds SESSION_MANAGEMENT, so also
 * to the Super Admins: at most once an hour for each action and organisation. In the transaction of its cause; after it
 * `TOPIC.outbox` has changed.
 * @param actor who did it: its organisation is the one that is told
 * @returns whether mails were written
 */
export function alertAdministrators<const Action extends AuditAction>(
  deps: Pick<Deps, 'random' | 'clock' | 'config'>,
  tx: Tx,
  actor: AuditActor,
  { isOngoing, subject, what, details, advice, ...happening }: SecurityAlert<Action>,
): boolean {
  const now = deps.clock.now();
  const { orgCode } = actor;
  const { action } = happening;
  const isDue = securityAlertRepo.claimSecurityAlert(tx, { orgCode, action, now, everyMs: HOUR });
  if (isDue || !isOngoing) record(deps, tx, actor, happening);
  if (!isDue) return false;
  for (const admin of securityAlertRepo.listHoldersOf(tx, orgCode, 'SESSION_MANAGEMENT', RECIPIENTS_MAX)) {
    const facts = { firstName: admin.firstName, subject, what, details, advice, at: now };
    writeMessage(deps, tx, { orgCode, to: admin.primaryEmail, template: 'security-alert', facts });
  }
  return true;
}
