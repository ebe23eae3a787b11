import {
  activationCodeRepo,
  deviceRepo,
  emailChangeRepo,
  invitationRepo,
  memberRepo,
  organisationRepo,
  type Tx,
} from '@orchestrate/db';
import { type ActivationData, contract, type ResultName, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { emailVerified } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireBoundDevice, requireDeviceToManage } from '#core/device-keys/require-bound-device.ts';
import { activationDataOf } from '#core/members/activation-data.ts';
import { hasAuthorityOver, requireAuthorityOver } from '#core/members/authority.ts';
import {
  type AskedCode,
  issueCode,
  isWorthMailing,
  mailCode,
  ownDesktopCode,
  requireCandidate,
} from '#core/members/issue-code.ts';
import { countFailure, secondsUntilRoom } from '#core/sign-in/budgets.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { news, redirect } from '#platform/http/answers/answer.ts';
import { type AuditActor, visitorOf } from '#platform/http/callers/actors.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

/** The result of opening a link; `validFrom` for one opened too soon. */
type LinkOutcome =
  | { result: 'SUCCESS'; orgCode: string; email: string }
  | { result: Exclude<ResultName, 'SUCCESS'>; validFrom?: number };

/**
 * Opens the link of an invitation, which mails an activation code. A link can be opened as often as its reader likes
 * until it expires or a device is registered: mail scanners open links too. A code is mailed again only where the last
 * one is no longer worth mailing, or where another has been issued since; beyond the budget for that, the link is too
 * early.
 */
function openLink(deps: Deps, { token, actor }: { token: string; actor: AuditActor }): LinkOutcome {
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
  if (emailChangeRepo.markEmailVerified(tx, orgCode, address, now)) record(deps, tx, visitor, emailVerified(address));
  mailCode(deps, tx, { actor: visitor, member, type, isOwn: invitedBy === suid });
  return undefined;
}

/** The page that tells a person the result. */
function pageOf({ result, ...outcome }: LinkOutcome): `/static/${string}` {
  if (result === 'SUCCESS') return '/static/activation-sent';
  if (result === 'IP_NOT_VALID') return '/static/ip-blocked';
  const validFrom = 'validFrom' in outcome ? outcome.validFrom : undefined;
  if (validFrom === undefined) return '/static/link-invalid';
  return `/static/link-early?validFrom=${encodeURIComponent(isoOf(validFrom))}`;
}

/** The same result for a program. @throws Refusal for every result but success */
function answerOf(outcome: LinkOutcome): { orgCode: string; email: string } {
  if (outcome.result === 'SUCCESS') return { orgCode: outcome.orgCode, email: outcome.email };
  const { result, validFrom } = outcome;
  if (validFrom === undefined) throw new Refusal(result);
  throw new Refusal(result, { message: `This link is valid only after ${isoOf(validFrom)}.` });
}

/** Mails the current code if at least half of its life is left, else a new one. @throws Refusal as `mailCode` */
function mailAgain(deps: Deps, request: Omit<AskedCode, 'sendEmail'>): { data: ActivationData; isNew: boolean } {
  const { code, isNew } = deps.db.transaction((tx) => mailCode(deps, tx, request));
  deps.bus.changed(TOPIC.outbox);
  return { data: activationDataOf(code, deps.clock.now(), request.isShown), isNew };
}

/**
 * Requires that the email address a caller names beside a member is the member's: otherwise a code meant for one
 * person would go to another, or to an address that is out of date.
 * @throws Refusal EMAIL_OR_CODE_MISMATCH
 */
function requireBelonging({ primaryEmail }: memberRepo.MemberRow, email: string): void {
  if (primaryEmail.toLowerCase() !== email) throw new Refusal('EMAIL_OR_CODE_MISMATCH');
}

/** Activation codes, with which a person registers a first device. */
export function activation(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getActivationCode, ({ caller, query: { approvalId } }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return ownDesktopCode(deps, caller);
  });

  implement(
    app,
    deps,
    contract.regenerateActivationCode,
    ({ caller, actor, target, body: { type, sendEmail, email, approvalId } }) => {
      const isOwn = target.suid === caller.suid;
      if (isOwn) requireBoundDevice(deps, deps.db, caller, approvalId);
      else requireDeviceToManage(deps, deps.db, caller, target);
      if (sendEmail) requirePermission(caller, 'SEND_ACT_CODE_EMAIL');
      // Anyone who sees a code can register as that person, so the code of somebody more powerful is only mailed
      // (decision 062).
      else requireAuthorityOver(deps.db, caller, target);
      requireBelonging(target, email);
      const isShown = hasAuthorityOver(deps.db, caller, target);
      return issueCode(deps, { actor, member: target, type, sendEmail, isShown, isOwn });
    },
  );

  implement(app, deps, contract.emailActivationCode, ({ caller, actor, target, body: { type, email, approvalId } }) => {
    const isOwn = target.suid === caller.suid;
    if (isOwn) requireBoundDevice(deps, deps.db, caller, approvalId);
    else requireDeviceToManage(deps, deps.db, caller, target);
    requireBelonging(target, email);
    const isShown = hasAuthorityOver(deps.db, caller, target);
    const { isNew, data } = mailAgain(deps, { actor, member: target, type, isShown, isOwn });
    return isNew ? data : news('CODE_RESENT', data);
  });

  implement(app, deps, contract.openActivationLink, ({ query: { token }, actor, wantsPage, isPrefetch }) => {
    // With an error, browsers discard what they prefetched and ask again when the link is opened.
    if (isPrefetch) throw new Refusal('BAD_REQUEST', { message: 'Open this link instead of prefetching it.' });
    const outcome = openLink(deps, { token, actor });
    return wantsPage ? redirect(pageOf(outcome)) : answerOf(outcome);
  });
}
