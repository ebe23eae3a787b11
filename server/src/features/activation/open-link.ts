import {
  activationCodeRepo,
  deviceRepo,
  emailChangeRepo,
  invitationRepo,
  memberRepo,
  organisationRepo,
  type Tx,
} from '@orchestrate/db';
import { type ResultName, SECOND } from '@orchestrate/shared';
import { emailVerified } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { isWorthMailing, mailCode, requireCandidate } from '../../core/members/issue-code.ts';
import { countFailure, secondsUntilRoom } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { type AuditActor, visitorOf } from '../../platform/http/callers/actors.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';

/** The result of opening a link; `validFrom` for one opened too soon. */
export type LinkOutcome =
  | { result: 'SUCCESS'; orgCode: string; email: string }
  | { result: Exclude<ResultName, 'SUCCESS'>; validFrom?: number };

/**
 * Opens the link of an invitation, which mails an activation code. A link can be opened as often as its reader likes
 * until it expires or a device is registered: mail scanners open links too. A code is mailed again only where the last
 * one is no longer worth mailing, or where another has been issued since; beyond the budget for that, the link is too
 * early.
 */
export function openLink(deps: Deps, { token, actor }: { token: string; actor: AuditActor }): LinkOutcome {
  const { db, clock, bus } = deps;
  const invitation = invitationRepo.findInvitation(db, hashSecret(token));
  const organisation = invitation && organisationRepo.findOrganisation(db, invitation.orgCode);
  const member = invitation && memberRepo.findMember(db, invitation.orgCode, invitation.suid);
  if (!organisation || !member || member.accountStatus === 'deleted') return { result: 'HEX_STRING_MISMATCH' };
  if (!isAllowedIp(actor.ip, organisation.allowedIps)) return { result: 'IP_NOT_VALID' };
  const { type, email, validFrom, expiresAt, orgCode, suid } = invitation;
  const now = clock.now();
  if (expiresAt <= now) {
    const isRegistered = deviceRepo.hasActiveDevice(db, orgCode, suid, [type]);
    return { result: isRegistered ? 'USER_ALREADY_ACTIVE' : 'EXPIRED' };
  }
  if (validFrom > now) return { result: 'ACTIVATION_LINK_CLICKED_TOO_SOON', validFrom };
  if (member.primaryEmail !== email) return { result: 'EMAIL_OR_CODE_MISMATCH' };
  try {
    const tooEarly = db.transaction((tx) => mailThroughLink(deps, tx, { invitation, member, actor }));
    if (tooEarly) return { result: 'ACTIVATION_LINK_CLICKED_TOO_SOON', validFrom: now + tooEarly.seconds * SECOND };
  } catch (reason) {
    if (reason instanceof Refusal && reason.result !== 'SUCCESS') return { result: reason.result };
    throw reason;
  }
  bus.changed(TOPIC.outbox);
  return { result: 'SUCCESS', orgCode, email };
}

/**
 * Mails a code if the link has not mailed one that still serves.
 * @returns how long to wait, if too many have been mailed
 * @throws Refusal as `requireCandidate`
 */
function mailThroughLink(
  deps: Deps,
  tx: Tx,
  {
    invitation: { hash, orgCode, suid, type, email, usedAt, invitedBy },
    member,
    actor,
  }: { invitation: invitationRepo.InvitationRow; member: memberRepo.MemberRow; actor: AuditActor },
): { seconds: number } | undefined {
  const now = deps.clock.now();
  requireCandidate(tx, { member, type });
  const code = activationCodeRepo.findActivationCode(tx, orgCode, suid, type);
  if (usedAt !== null) {
    if (isWorthMailing(code, now) && code.issuedAt <= usedAt) return undefined;
    const budget = { kind: 'invitation-link', orgCode, subject: `${suid} ${type}` } as const;
    const seconds = secondsUntilRoom(deps, tx, budget);
    if (seconds > 0) return { seconds };
    countFailure(deps, tx, budget);
  }
  // Another request that opened the link meanwhile has mailed the code.
  if (!invitationRepo.claimInvitation(tx, hash, { usedAt, now })) return undefined;
  const visitor = visitorOf(actor, orgCode, email);
  // The link was mailed only there, so the address is the person's.
  const address = { suid, email };
  if (emailChangeRepo.proveEmail(tx, orgCode, address, now)) record(deps, tx, visitor, emailVerified(address));
  mailCode(deps, tx, { actor: visitor, member, type, isOwn: invitedBy === suid });
  return undefined;
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
