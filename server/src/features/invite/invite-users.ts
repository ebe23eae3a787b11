import { organisationRepo } from '@orchestrate/db';
import { type AppType, INVITE_EMAILS_MAX, type InviteeCheck } from '@orchestrate/shared';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { appSwitchObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { Refusal } from '#platform/refusal.ts';
import { type InviteBatch, inviteBatch, readInviteFacts, readRows } from './invite-batch.ts';
import type { InviteRow } from './invite-row.ts';
import { InviteTally } from './invite-tally.ts';
import { addressError, inviteeCheckOf } from './judge-invitee.ts';
import { judgeRows, noEarlierRows } from './plan-invites.ts';

export interface InviteRequest {
  actor: AuditActor;
  orgEmails: readonly string[];
  type: AppType;
  sendEmail: boolean;
  addNew: boolean;
}

/**
 * Invites people by email address. Every listed member receives a new link, even if an earlier link still works. With
 * `addNew`, unknown people become members.
 * @throws Refusal ORG_EMAIL_NOT_PROVIDED if there are no addresses; ORG_EMAIL_LIMIT_REACHED if there are too many;
 * AUTHENTICATOR_DISALLOWED if the organisation has disabled this device type
 */
export function inviteUsers(deps: Deps, { actor, orgEmails, type, sendEmail, addNew }: InviteRequest) {
  const rows = rowsOf(orgEmails);
  const organisation = requireOrganisationFor(deps, actor.orgCode, type);
  const tally = new InviteTally();
  const onWritten: InviteBatch['onWritten'] = (tx, written) => {
    for (const person of written) {
      const object = memberObject(person.isNew ? person : { ...person, firstName: person.email, lastName: '' });
      const after = { primaryEmail: person.email, type, mailed: sendEmail, isNew: person.isNew };
      record(deps, tx, actor, { action: 'member.invited', object, after });
    }
  };
  const options = { type, sendEmail, again: true, addNew };
  inviteBatch(deps, { organisation, options, rows, invitedBy: actor.suid, onWritten }, tally);
  if (tally.invited === 0) actor.recorded.push('member.invited');
  return { ...tally.reply(), created: tally.created };
}

/**
 * Returns one row per address, with its position from 1.
 * @throws Refusal ORG_EMAIL_NOT_PROVIDED if there are no addresses; ORG_EMAIL_LIMIT_REACHED if there are too many
 */
function rowsOf(orgEmails: readonly string[]): InviteRow[] {
  const rows = orgEmails.flatMap((email, index) =>
    email ? [{ line: index + 1, email, firstName: '', lastName: '', primaryAttr: '' }] : [],
  );
  if (rows.length === 0) throw new Refusal('ORG_EMAIL_NOT_PROVIDED');
  if (rows.length > INVITE_EMAILS_MAX) throw new Refusal('ORG_EMAIL_LIMIT_REACHED');
  return rows;
}

/**
 * Returns the result that each address would have if invited now, with unknown people as new members.
 * @throws as in `inviteUsers`
 */
export function checkInvitees(
  deps: Deps,
  orgCode: string,
  { orgEmails, type }: Pick<InviteRequest, 'orgEmails'> & { type?: AppType | undefined },
): { people: InviteeCheck[] } {
  const options = { type, sendEmail: true, again: true, addNew: true };
  const rows = readRows(rowsOf(orgEmails), options);
  const facts = readInviteFacts(deps, requireOrganisationFor(deps, orgCode, type), options, rows);
  return {
    people: judgeRows(rows, facts, options, noEarlierRows()).map(({ row, email = row.email, verdict }) => ({
      email,
      ...inviteeCheckOf(verdict, addressError(email)),
    })),
  };
}

/**
 * Returns the organisation, which must allow this device type.
 * @throws Refusal AUTHENTICATOR_DISALLOWED
 */
export function requireOrganisationFor(
  { db }: Deps,
  orgCode: string,
  type: AppType | undefined,
): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  if (type) requireNoObstacle(appSwitchObstacle(type, organisation));
  return organisation;
}
