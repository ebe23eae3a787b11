import { organisationRepo, type schema, securityAlertRepo, type Tx } from '@orchestrate/db';
import { type AuditAction, HOUR, type Language } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { type AuditEntry, record } from './record.ts';

/** What the administrators are told: the audit event, and what the mail about it says in each language. */
export interface SecurityAlert<Action extends AuditAction> extends AuditEntry<Action> {
  told: Readonly<Record<Language, schema.SecurityAlertText>>;
  /** The condition persists for as long as alerts are sent: one event per mail is enough. */
  isOngoing?: true;
}

/** With many more recipients this would be a mailing list, and nobody would feel responsible. */
const RECIPIENTS_MAX = 50;

/**
 * Records something that points at an attack, and mails it to every active member who holds SESSION_MANAGEMENT (so also
 * to the Super Admins), at most once an hour per action and organisation. Call it inside the transaction of the cause;
 * signal `TOPIC.outbox` after the commit.
 * @param actor who did it: its organisation is the one that is told
 * @returns whether mails were written
 */
export function alertAdministrators<const Action extends AuditAction>(
  deps: Pick<Deps, 'random' | 'clock' | 'config'>,
  tx: Tx,
  actor: AuditActor,
  { isOngoing, told, ...happening }: SecurityAlert<Action>,
): boolean {
  const now = deps.clock.now();
  const { orgCode } = actor;
  const { action } = happening;
  const isDue = securityAlertRepo.claimSecurityAlert(tx, { orgCode, action, now, everyMs: HOUR });
  if (isDue || !isOngoing) record(deps, tx, actor, happening);
  if (!isDue) return false;
  const { mailLanguage } = organisationRepo.requireOrganisation(tx, orgCode);
  for (const admin of securityAlertRepo.listMembersWithPermission(tx, orgCode, 'SESSION_MANAGEMENT', RECIPIENTS_MAX)) {
    const language = admin.language ?? mailLanguage;
    const facts = { firstName: admin.firstName, ...told[language], at: now };
    writeMessage(deps, tx, { orgCode, to: admin.primaryEmail, language, template: 'security-alert', facts });
  }
  return true;
}
