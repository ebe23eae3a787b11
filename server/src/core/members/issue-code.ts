import { activationCodeRepo, deviceRepo, type memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { type ActivationData, type AppType, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { codeObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import { appPermissionObstacle, appSwitchObstacle, requireNoObstacle } from '../device-keys/device-admission.ts';
import { activationDataOf } from './activation-data.ts';

export interface CodeRequest {
  /** Who requests the code. */
  actor: AuditActor;
  member: memberRepo.MemberRow;
  type: AppType;
  /** True if the member requests the code in their own session or invited themselves (decision 206). */
  isOwn: boolean;
}

type Code = activationCodeRepo.ActivationCodeRow;

/** A request for a code by email or on screen. Showing it on screen needs a permission (decision 062). */
export interface RequestedCode extends CodeRequest {
  sendEmail: boolean;
  isShown: boolean;
}

/**
 * Issues an activation code, which replaces the last code, and emails it if requested.
 * @throws Refusal as `requireCandidate`
 */
export function issueCode(deps: Deps, request: RequestedCode): ActivationData {
  const { db, clock, bus } = deps;
  const issued = db.transaction((tx) => {
    const code = writeNewCode(deps, tx, request);
    if (request.sendEmail) writeCodeMail(deps, tx, request, code);
    return code;
  });
  if (request.sendEmail) bus.changed(TOPIC.outbox);
  return activationDataOf(issued, clock.now(), request.isShown);
}

/**
 * Emails the current code if it is valid for long enough, otherwise a new code. Call it in a transaction, and signal
 * `TOPIC.outbox` after the commit.
 * @throws Refusal as `requireCandidate`
 */
export function emailCode(deps: Deps, tx: Tx, request: CodeRequest): { code: Code; isNew: boolean } {
  const { orgCode, suid } = request.member;
  const known = activationCodeRepo.findActivationCode(tx, orgCode, suid, request.type);
  requireCandidate(tx, request);
  const isNew = !isWorthMailing(known, deps.clock.now());
  const code = isNew ? writeNewCode(deps, tx, request) : known;
  if (request.isOwn && !code.isOwn) activationCodeRepo.markCodeAsOwn(tx, orgCode, suid, request.type);
  writeCodeMail(deps, tx, request, code);
  return { code, isNew };
}

/** Returns a desktop code for the member's own session, and marks the code as requested by the member. */
export function readOwnDesktopCode(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { orgCode, suid }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>,
): ActivationData {
  const row = activationCodeRepo.findActivationCode(db, orgCode, suid, 'desktop');
  if (row && !row.isOwn) activationCodeRepo.markCodeAsOwn(db, orgCode, suid, 'desktop');
  return activationDataOf(row, clock.now(), true);
}

/**
 * Returns true if a code is still valid for at least half of its lifetime, because members may read the email hours
 * later.
 */
export const isWorthMailing = (code: Code | undefined, now: number): code is Code =>
  code !== undefined &&
  code.usedAt === null &&
  code.expiresAt > now &&
  code.expiresAt - now >= now - code.issuedAt &&
  code.wrongTries < LIMITS.activationCodeTries;

function writeNewCode(deps: Deps, tx: Tx, request: CodeRequest): Code {
  const { clock, random } = deps;
  requireCandidate(tx, request);
  const { type, member, isOwn } = request;
  const { orgCode, suid } = member;
  const issuedAt = clock.now();
  const expiresAt = issuedAt + LIMITS.activationCodeLifetimeSeconds * SECOND;
  const issued = { orgCode, suid, type, code: random.digits(LIMITS.activationCodeLength), expiresAt, issuedAt, isOwn };
  activationCodeRepo.issueActivationCode(tx, issued);
  const after = { type, expiresAt: clock.iso(expiresAt) };
  record(deps, tx, request.actor, { action: 'activation-code.issued', object: codeObject(member, type), after });
  return { ...issued, ...activationCodeRepo.NEW_CODE_COUNTERS };
}

function writeCodeMail(deps: Deps, tx: Tx, { actor, member, type }: CodeRequest, { code, expiresAt }: Code): void {
  const { orgCode, suid, firstName, language, primaryEmail: to } = member;
  const after = { to };
  record(deps, tx, actor, { action: 'activation-code.mailed', object: codeObject(member, type), after });
  const facts = { firstName, type, code, expiresAt };
  writeMessage(deps, tx, { orgCode, to, language, template: 'activation-code', facts, secretFor: suid });
}

/**
 * Requires that a code can be issued to the member.
 * @throws Refusal ID_DOESNOT_EXIST if they are deleted; USER_INACTIVE if disabled; MOBILE_APP_NOT_ENABLED or
 * DESKTOP_APP_NOT_ENABLED if they aren't allowed to use this app; AUTHENTICATOR_DISALLOWED if the organisation has
 * switched the app off; USER_ALREADY_ACTIVE if they request a mobile code and have an active phone
 */
export function requireCandidate(tx: Tx, { member, type }: Pick<CodeRequest, 'member' | 'type'>): void {
  const hasMobile = deviceRepo.hasActiveDevice(tx, member.orgCode, member.suid, ['mobile']);
  const organisation = organisationRepo.requireOrganisation(tx, member.orgCode);
  requireNoObstacle(obstacleOf(member, type, hasMobile) ?? appSwitchObstacle(type, organisation));
}

function obstacleOf(member: memberRepo.MemberRow, type: AppType, hasMobile: boolean): ResultName | undefined {
  if (member.accountStatus === 'deleted') return 'ID_DOESNOT_EXIST';
  if (member.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (type === 'mobile' && hasMobile) return 'USER_ALREADY_ACTIVE';
  return appPermissionObstacle(type, member);
}
