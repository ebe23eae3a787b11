import { externalIdentityRepo, type memberRepo, sessionRepo } from '@orchestrate/db';
import type { ExternalIdentity } from '@orchestrate/shared';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { publishEndedSessions } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { linkFacts } from './return-external.ts';

export const listLinks = ({ db }: Deps, { orgCode, suid }: memberRepo.MemberRow): ExternalIdentity[] =>
  externalIdentityRepo.listExternalIdentities(db, orgCode, suid).map(({ id, issuer, email, linkedAt, lastUsedAt }) => ({
    id,
    issuer,
    email,
    linkedAt: isoOf(linkedAt),
    lastUsedAt: isoOf(lastUsedAt),
  }));

/**
 * Removes a link of the acting member, or of a member over whom they have authority. Ends the sessions that the link
 * created.
 * @throws Refusal ID_DOESNOT_EXIST; INVALID_PERMISSIONS
 */
export function removeLink(
  deps: Deps,
  { caller, actor, target }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  id: string,
): void {
  const { orgCode, suid } = target;
  const ended = deps.db.transaction((tx) => {
    requireAuthorityOver(tx, caller, target);
    const removed = externalIdentityRepo.removeExternalIdentity(tx, orgCode, { id, suid });
    if (!removed) throw new Refusal('ID_DOESNOT_EXIST');
    const object = { type: 'external-identity' as const, id, name: memberObject(target).name, suid };
    record(deps, tx, actor, { action: 'external-identity.unlinked', object, before: linkFacts(removed) });
    return sessionRepo.revokeSessions(tx, orgCode, { externalIdentityId: id }, deps.clock.now());
  });
  publishEndedSessions(deps, ended);
}
