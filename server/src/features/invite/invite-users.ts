import { organisationRepo } from '@orchestrate/db';
import { type AppType, INVITE_EMAILS_MAX } from '@orchestrate/shared';
import { memberObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { appSwitchObstacle, requireNone } from '../../core/device-keys/device-admission.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type InviteBatch, inviteBatch } from './invite-batch.ts';
import { InviteTally } from './invite-tally.ts';

export interface InviteRequest {
  actor: AuditActor;
  orgEmails: readonly string[];
  type: AppType;
  sendEmail: boolean;
}

/**
 * Invites members by their addresses; everyone named is sent a new link, even if an earlier one still works.
 * @throws Refusal ORG_EMAIL_NOT_PROVIDED nobody is named; ORG_EMAIL_LIMIT_REACHED too many are;
 * AUTHENTICATOR_DISALLOWED the organisation has switched devices of this type off
 */
export function inviteUsers(deps: Deps, { actor, orgEmails, type, sendEmail }: InviteRequest) {
  const rows = orgEmails.flatMap((email, index) =>
    email ? [{ line: index + 1, email, firstName: '', lastName: '', primaryAttr: '' }] : [],
  );
  if (rows.length === 0) throw new Refusal('ORG_EMAIL_NOT_PROVIDED');
  if (rows.length > INVITE_EMAILS_MAX) throw new Refusal('ORG_EMAIL_LIMIT_REACHED');
  const organisation = requireOrganisationFor(deps, actor.orgCode, type);
  const tally = new InviteTally();
  const onWritten: InviteBatch['onWritten'] = (tx, written) => {
    for (const person of written) {
      const object = memberObject(person.isNew ? person : { ...person, firstName: person.email, lastName: '' });
      const after = { primaryEmail: person.email, type, mailed: sendEmail, isNew: person.isNew };
      record(deps, tx, actor, { action: 'member.invited', object, after });
    }
  };
  inviteBatch(deps, { organisation, wish: { type, sendEmail, again: true }, rows, onWritten }, tally);
  if (tally.invited === 0) actor.recorded.push('member.invited');
  return tally.reply();
}

/** @throws Refusal AUTHENTICATOR_DISALLOWED */
export function requireOrganisationFor({ db }: Deps, orgCode: string, type: AppType): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  requireNone(appSwitchObstacle(type, organisation));
  return organisation;
}
