import { memberRepo, organisationRepo, signUpRepo, type Tx } from '@orchestrate/db';
import type { SignupForm } from '@orchestrate/shared';
import { memberObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { appSwitchObstacle, firstAppOf, requireNone } from '../../core/device-keys/device-admission.ts';
import { requireAllowedDomain } from '../../core/members/allowed-domain.ts';
import { readMobileNumber } from '../../core/members/mobile-number.ts';
import { issueOneTimeCode } from '../../core/members/one-time-code.ts';
import type { Deps } from '../../deps.ts';
import { type AuditActor, visitorOf } from '../../platform/http/callers/actors.ts';
import { requireAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { Refusal } from '../../platform/refusal.ts';
import { signUpAsDecoy } from './decoy.ts';

export interface SignUpRequest extends SignupForm {
  orgCode: string;
  /** Who asks, and from which address. */
  actor: AuditActor;
}

/**
 * Signs somebody up: they become an unverified member and are sent a one-time code, to the mobile number if they have
 * given one. Signing up again before verification replaces what was entered and sends another code. If the organisation
 * discloses nothing, an address already in use is answered like a new one (decision 145).
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; AUTHENTICATOR_DISALLOWED the organisation has switched off every
 * app; INVALID_MOBILE_NUMBER no mobile number; INVALID_DOMAIN domain; ORG_EMAIL_LIMIT_REACHED too many codes for this
 * address or number; where the organisation discloses it USER_EXISTS a registered person, EMAIL_EXISTS somebody it
 * knows already, PHONE_ALREADY_EXISTS another's number
 */
export function signUp(deps: Deps, { actor, orgCode, ...form }: SignUpRequest): { suid: string } {
  const organisation = requireOrganisation(deps.db, orgCode, actor.ip);
  requireNone(appSwitchObstacle(firstAppOf(organisation), organisation));
  const mobileNumber = readMobileNumber(form.mobileNumber);
  if (mobileNumber === undefined) throw new Refusal('INVALID_MOBILE_NUMBER');
  requireAllowedDomain(form.email, organisation, 'email');
  const person = { ...form, mobileNumber };
  const signing = { ...person, actor: visitorOf(actor, orgCode, form.email) };
  const suid = deps.db.transaction((tx) => write(deps, tx, organisation, signing));
  deps.bus.changed(TOPIC.outbox);
  return { suid };
}

/** @throws Refusal ORG_CODE_NOT_FOUND unknown organisation; IP_NOT_VALID it lets nobody in from there */
export function requireOrganisation(tx: Tx, orgCode: string, ip: string): organisationRepo.OrganisationRow {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  requireAllowedIp(ip, organisation);
  return organisation;
}

interface Person {
  email: string;
  firstName: string;
  lastName: string;
  mobileNumber: string | null;
}

function write(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { actor, ...person }: Person & { actor: AuditActor },
): string {
  const { email, mobileNumber, ...name } = person;
  const known = memberRepo.findMemberByEmail(tx, orgCode, email);
  const suid = known?.suid ?? deps.random.id();
  if (discloseUnknownUsers) {
    requireNewcomer(known);
    requireFreeNumber(tx, orgCode, { mobileNumber, suid });
  } else if (known ? known.accountStatus !== 'unverified' : signUpRepo.isNameTaken(tx, orgCode, email)) {
    return signUpAsDecoy(deps, tx, orgCode, { ...person, ip: actor.ip, owner: known });
  }
  const member = { suid, orgCode, primaryEmail: email, mobileNumber, ...name };
  if (known) signUpRepo.changeSignUp(tx, orgCode, suid, member);
  else if (!signUpRepo.insertSignUp(tx, { ...member, primaryAttr: email, createdAt: deps.clock.now() })) {
    throw new Refusal('USER_EXISTS');
  }
  const after = { ...name, primaryEmail: email, mobileNumber };
  record(deps, tx, actor, { action: 'member.signed-up', object: memberObject({ suid, ...name }), after });
  sendCode(deps, tx, orgCode, { suid, ...person });
  return suid;
}

/** If this must not be disclosed yet, the one-time code is sent anyway, and only the person who has it is told. */
function requireFreeNumber(
  tx: Tx,
  orgCode: string,
  { mobileNumber, suid }: { mobileNumber: string | null; suid: string },
): void {
  const isTaken = mobileNumber !== null && signUpRepo.isMobileNumberInUse(tx, orgCode, mobileNumber, suid);
  if (isTaken) throw new Refusal('PHONE_ALREADY_EXISTS');
}

/** A known person who waits for an activation code needs that code; a registered person needs neither. */
function requireNewcomer(known: memberRepo.MemberRow | undefined): void {
  if (!known || known.accountStatus === 'unverified') return;
  const isWaiting = known.accountStatus === 'unregistered' || known.accountStatus === 'invited';
  throw new Refusal(isWaiting ? 'EMAIL_EXISTS' : 'USER_EXISTS');
}

function sendCode(
  deps: Deps,
  tx: Tx,
  orgCode: string,
  { suid, email, firstName, mobileNumber }: Person & { suid: string },
): void {
  const to = mobileNumber ?? email;
  const { code, expiresAt } = issueOneTimeCode(deps, tx, { orgCode, suid, to });
  const channel = mobileNumber === null ? 'mail' : 'text';
  const facts = { firstName, code, expiresAt };
  const message = { orgCode, channel, to, language: null, template: 'one-time-code', facts } as const;
  writeMessage(deps, tx, { ...message, secretFor: suid });
}
