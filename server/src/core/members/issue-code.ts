import { activationCodeRepo, deviceRepo, type memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { type ActivationData, type AppType, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { codeObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import { appPermissionObstacle, appSwitchObstacle, requireNone } from '../device-keys/device-admission.ts';
import { activationDataOf } from './activation-data.ts';

export interface CodeRequest {
  /** Who asks for it. */
  actor: AuditActor;
  member: memberRepo.MemberRow;
  type: AppType;
  /** Whether the member asks for it in a session of their own, or has invited themselves (decision 206). */
  isOwn: boolean;
}

type Code = activationCodeRepo.ActivationCodeRow;

/** A code that somebody requests: by mail, or to see it, which not everybody may (decision 062). */
export interface AskedCode extends CodeRequest {
  sendEmail: boolean;
  isShown: boolean;
}

/**
 * Issues an activation code in place of the last one, and mails it if requested.
 * @throws Refusal as `requireCandidate`
 */
export function issueCode(deps: Deps, request: AskedCode): ActivationData {
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
 * Mails the current code if it is worth mailing, else a new one. Call it inside a transaction; signal `TOPIC.outbox`
 * after the commit.
 * @throws Refusal as `requireCandidate`
 */
export function mailCode(deps: Deps, tx: Tx, request: CodeRequest): { code: Code; isNew: boolean } {
  const { orgCode, suid } = request.member;
  const known = activationCodeRepo.findActivationCode(tx, orgCode, suid, request.type);
  requireCandidate(tx, request);
  const isNew = !isWorthMailing(known, deps.clock.now());
  const code = isNew ? writeNewCode(deps, tx, request) : known;
  if (request.isOwn && !code.isOwn) activationCodeRepo.markAsOwn(tx, orgCode, suid, request.type);
  writeCodeMail(deps, tx, request, code);
  return { code, isNew };
}

/** The desktop code of a member, for a session of theirs: from now on it is their own. */
export function ownDesktopCode(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { orgCode, suid }: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>,
): ActivationData {
  const row = activationCodeRepo.findActivationCode(db, orgCode, suid, 'desktop');
  if (row && !row.isOwn) activationCodeRepo.markAsOwn(db, orgCode, suid, 'desktop');
  return activationDataOf(row, clock.now(), true);
}

/** Whether a code can be used and has at least half of its life left: an email may be read hours later. */
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
 * Checks that the person may be given a code.
 * @throws Refusal ID_DOESNOT_EXIST deleted; USER_INACTIVE disabled; MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED the
 * person may not use this app; AUTHENTICATOR_DISALLOWED nobody in the organisation may; USER_ALREADY_ACTIVE a mobile
 * code for somebody whose mobile device is active
 */
export function requireCandidate(tx: Tx, { member, type }: Pick<CodeRequest, 'member' | 'type'>): void {
  const hasMobile = deviceRepo.hasActiveDevice(tx, member.orgCode, member.suid, ['mobile']);
  const organisation = organisationRepo.requireOrganisation(tx, member.orgCode);
  requireNone(obstacleOf(member, type, hasMobile) ?? appSwitchObstacle(type, organisation));
}

function obstacleOf(member: memberRepo.MemberRow, type: AppType, hasMobile: boolean): ResultName | undefined {
  if (member.accountStatus === 'deleted') return 'ID_DOESNOT_EXIST';
  if (member.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (type === 'mobile' && hasMobile) return 'USER_ALREADY_ACTIVE';
  return appPermissionObstacle(type, member);
}
