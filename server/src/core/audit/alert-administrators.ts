import { organisationRepo, type schema, securityAlertRepo, type Tx } from '@orchestrate/db';
import { type AuditAction, HOUR, type Language } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { type AuditEntry, record } from './record.ts';

/** An alert to the administrators: the audit event, and the email's copy in each language. */
export interface SecurityAlert<Action extends AuditAction> extends AuditEntry<Action> {
  texts: Readonly<Record<Language, schema.SecurityAlertText>>;
  /**
   * True if the condition persists after the first alert. In that case, only alerts that send an email record an
   * audit event.
   */
  isOngoing?: true;
}

/** Maximum number of recipients. With many more, no one would feel responsible. */
const RECIPIENTS_MAX = 50;

/**
 * Records a possible attack and emails all active members with SESSION_MANAGEMENT (which includes Super Admins), at
 * most once an hour per action and organisation. Call this in the transaction of the write that caused the alert, and
 * signal `TOPIC.outbox` after the commit.
 * @param actor the source of the event, whose organisation's administrators are notified
 * @returns true if emails were written
 */
export function alertAdministrators<const Action extends AuditAction>(
  deps: Pick<Deps, 'random' | 'clock' | 'config' | 'outboxFaults'>,
  tx: Tx,
  actor: AuditActor,
  { isOngoing, texts, ...entry }: SecurityAlert<Action>,
): boolean {
  const now = deps.clock.now();
  const { orgCode } = actor;
  const { action } = entry;
  const isDue = securityAlertRepo.claimSecurityAlert(tx, { orgCode, action, now, everyMs: HOUR });
  if (isDue || !isOngoing) record(deps, tx, actor, entry);
  if (!isDue) return false;
  const { mailLanguage } = organisationRepo.requireOrganisation(tx, orgCode);
  for (const admin of securityAlertRepo.listMembersWithPermission(tx, orgCode, 'SESSION_MANAGEMENT', RECIPIENTS_MAX)) {
    const language = admin.language ?? mailLanguage;
    const facts = { firstName: admin.firstName, ...texts[language], at: now };
    writeMessage(deps, tx, { orgCode, to: admin.primaryEmail, language, template: 'security-alert', facts });
  }
  return true;
}
