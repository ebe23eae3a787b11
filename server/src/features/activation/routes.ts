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
import { emailVerifiedEntry } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireBoundDevice, requireDeviceToManage } from '#core/device-keys/require-bound-device.ts';
import { activationDataOf } from '#core/members/activation-data.ts';
import { hasAuthorityOver, requireAuthorityOver } from '#core/members/authority.ts';
import {
  emailCode,
  issueCode,
  isWorthMailing,
  type RequestedCode,
  readOwnDesktopCode,
  requireCandidate,
} from '#core/members/issue-code.ts';
import { countFailure, retryAfterSeconds } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { redirect, successWith } from '#platform/http/answers/answer.ts';
import { type AuditActor, identifyVisitor } from '#platform/http/callers/actors.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

/** The result of opening a link. `validFrom` is present if the link was opened too soon. */
type LinkOutcome =
  | { result: 'SUCCESS'; orgCode: string; email: string }
  | { result: Exclude<ResultName, 'SUCCESS'>; validFrom?: number };

/**
 * Opens an invitation link, which emails an activation code. A link can be opened repeatedly until it expires or a
 * device is registered, because email scanners open links, too. A code is emailed again only if the last code has
 * little lifetime left or a newer code was issued. Once the limit for repeated emails is reached, the link is
 * reported as opened too soon.
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
 * Emails a code unless the link has already emailed a code that can still be used.
 * @returns the seconds to wait if too many codes were emailed
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
    const seconds = retryAfterSeconds(deps, tx, budget);
    if (seconds > 0) return { seconds };
    countFailure(deps, tx, budget);
  }
  // A concurrent request opened the link first and emailed the code.
  if (!invitationRepo.claimInvitation(tx, hash, { usedAt, now })) return undefined;
  const visitor = identifyVisitor(actor, orgCode, email);
  // The link was sent only to this address, so opening it verifies the address.
  const address = { suid, email };
  if (emailChangeRepo.markEmailVerified(tx, orgCode, address, now))
    record(deps, tx, visitor, emailVerifiedEntry(address));
  emailCode(deps, tx, { actor: visitor, member, type, isOwn: invitedBy === suid });
  return undefined;
}

/** Returns the page that shows the result in a browser. */
function pageOf({ result, ...outcome }: LinkOutcome): `/static/${string}` {
  if (result === 'SUCCESS') return '/static/activation-sent';
  if (result === 'IP_NOT_VALID') return '/static/ip-blocked';
  const validFrom = 'validFrom' in outcome ? outcome.validFrom : undefined;
  if (validFrom === undefined) return '/static/link-invalid';
  return `/static/link-early?validFrom=${encodeURIComponent(isoOf(validFrom))}`;
}

/** Returns the result for clients that aren't browsers. @throws Refusal for every result but success */
function answerOf(outcome: LinkOutcome): { orgCode: string; email: string } {
  if (outcome.result === 'SUCCESS') return { orgCode: outcome.orgCode, email: outcome.email };
  const { result, validFrom } = outcome;
  if (validFrom === undefined) throw new Refusal(result);
  throw new Refusal(result, { message: `This link works from ${isoOf(validFrom)}. Try again then.` });
}

/**
 * Emails the current code if at least half of its lifetime is left, otherwise a new code. @throws Refusal as
 * `emailCode`
 */
function mailAgain(deps: Deps, request: Omit<RequestedCode, 'sendEmail'>): { data: ActivationData; isNew: boolean } {
  const { code, isNew } = deps.db.transaction((tx) => emailCode(deps, tx, request));
  deps.bus.changed(TOPIC.outbox);
  return { data: activationDataOf(code, deps.clock.now(), request.isShown), isNew };
}

/**
 * Requires that an email address in the request is the member's. Otherwise, a code would be sent to another person or
 * an outdated address.
 * @throws Refusal EMAIL_OR_CODE_MISMATCH
 */
function requireBelonging({ primaryEmail }: memberRepo.MemberRow, email: string): void {
  if (primaryEmail.toLowerCase() !== email) throw new Refusal('EMAIL_OR_CODE_MISMATCH');
}

/** Registers the endpoints for activation codes, which members use to register their first device. */
export function activation(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getActivationCode, ({ caller, query: { approvalId } }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return readOwnDesktopCode(deps, caller);
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
      // Anyone who sees a code can register a device as that member. Codes of members with more permissions are
      // therefore only emailed (decision 062).
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
    return isNew ? data : successWith('CODE_RESENT', data);
  });

  implement(app, deps, contract.openActivationLink, ({ query: { token }, actor, wantsPage, isPrefetch }) => {
    // After an error, browsers discard the prefetched page and request it again when the user opens the link.
    if (isPrefetch) throw new Refusal('BAD_REQUEST', { message: 'Open this link instead of prefetching it.' });
    const outcome = openLink(deps, { token, actor });
    return wantsPage ? redirect(pageOf(outcome)) : answerOf(outcome);
  });
}
