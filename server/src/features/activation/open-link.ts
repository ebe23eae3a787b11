import { emailChangeRepo, invitationRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import type { ResultName } from '@orchestrate/shared';
import { emailVerified } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { mailCode } from '../../core/members/issue-code.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { type AuditActor, visitorOf } from '../../platform/http/callers/actors.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';

/** The result of following a link; `validFrom` for one followed too soon. */
export type LinkOutcome =
  | { result: 'SUCCESS'; orgCode: string; email: string }
  | { result: Exclude<ResultName, 'SUCCESS'>; validFrom?: number };

/**
 * Follows the link of an invitation: mails the code that can still be used, else a new one, and uses up the link. A
 * link that leads to nothing stays as it is.
 */
export function openLink(deps: Deps, { token, actor }: { token: string; actor: AuditActor }): LinkOutcome {
  const { db, clock, bus } = deps;
  const invitation = invitationRepo.findInvitation(db, hashSecret(token));
  const organisation = invitation && organisationRepo.findOrganisation(db, invitation.orgCode);
  const member = invitation && memberRepo.findMember(db, invitation.orgCode, invitation.suid);
  if (!organisation || !member || member.accountStatus === 'deleted') return { result: 'HEX_STRING_MISMATCH' };
  if (!isAllowedIp(actor.ip, organisation.allowedIps)) return { result: 'IP_NOT_VALID' };
  const { hash, type, email, validFrom, usedAt, expiresAt, orgCode } = invitation;
  const now = clock.now();
  if (usedAt !== null || expiresAt <= now) return { result: 'EXPIRED' };
  if (validFrom > now) return { result: 'ACTIVATION_LINK_CLICKED_TOO_SOON', validFrom };
  if (member.primaryEmail !== email) return { result: 'EMAIL_OR_CODE_MISMATCH' };
  try {
    db.transaction((tx) => {
      if (!invitationRepo.useInvitation(tx, hash, now)) throw new Refusal('EXPIRED');
      // The link was mailed only there, so the address is the person's.
      const visitor = visitorOf(actor, orgCode, email);
      const address = { suid: member.suid, email };
      if (emailChangeRepo.proveEmail(tx, orgCode, address, now)) record(deps, tx, visitor, emailVerified(address));
      const { code } = mailCode(deps, tx, { actor: visitor, member, type });
      invitationRepo.endWithCode(tx, hash, code.expiresAt);
    });
  } catch (reason) {
    if (reason instanceof Refusal && reason.result !== 'SUCCESS') return { result: reason.result };
    throw reason;
  }
  bus.changed(TOPIC.outbox);
  return { result: 'SUCCESS', orgCode, email };
}

/** The page that tells a person the result. */
export function pageOf({ result, ...outcome }: LinkOutcome): `/static/${string}` {
  if (result === 'SUCCESS') return '/static/activation-sent';
  if (result === 'IP_NOT_VALID') return '/static/ip-blocked';
  const validFrom = 'validFrom' in outcome ? outcome.validFrom : undefined;
  if (validFrom === undefined) return '/static/link-invalid';
  return `/static/link-early?validFrom=${encodeURIComponent(isoOf(validFrom))}`;
}

/** The same result for a program. @throws Refusal for every result but success */
export function answerOf(outcome: LinkOutcome): { orgCode: string; email: string } {
  if (outcome.result === 'SUCCESS') return { orgCode: outcome.orgCode, email: outcome.email };
  const { result, validFrom } = outcome;
  if (validFrom === undefined) throw new Refusal(result);
  throw new Refusal(result, { message: `This link is valid only after ${isoOf(validFrom)}.` });
}
