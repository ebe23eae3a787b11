import { activationCodeRepo, emailChangeRepo, memberRepo, provisioningRepo, roleRepo, type Tx } from '@orchestrate/db';
import { fullNameOf, hiddenCharacter } from '@orchestrate/shared';
import { memberObject } from '#core/audit/audit-objects.ts';
import { type AuditFacts, record } from '#core/audit/record.ts';
import { hasEmailAddress, placeholderDomain } from '#core/members/addresses.ts';
import { allowedDomainsMessage, directoryVerifiedAt, isAllowedDomain } from '#core/members/allowed-domain.ts';
import { requireAnotherSuperAdmin } from '#core/members/authority.ts';
import { changeAccountStatus, type StatusChange } from '#core/members/change-account-status.ts';
import { isSameName } from '#core/members/role-names.ts';
import { badRequest, ScimError } from '../scim-error.ts';
import type { Scope } from '../scope.ts';
import { requireAssignableRole, requireChangeableMember } from './maximum-role.ts';
import { parseEmailAddress, type UserInput } from './read-user.ts';
import { parseStoredAttributes, serialiseStoredAttributes, storedFacts } from './stored-attributes.ts';
import { extensionFacts } from './stored-extensions.ts';
import { userNameOf } from './user-resource.ts';

/** Finds a role by its code or display name. */
function roleCalled(tx: Tx, orgCode: string, called: string): roleRepo.RoleRow | undefined {
  const known = roleRepo.findRole(tx, orgCode, called);
  return known ?? roleRepo.listRoles(tx, orgCode).find(({ name }) => isSameName(name, called));
}

type MemberRow = memberRepo.MemberRow;
type Provisioned = provisioningRepo.ProvisionedMember;

/** Creates an unregistered member. @throws ScimError uniqueness, invalidValue; 403 above the maximum role */
export function createMember(scope: Scope, tx: Tx, input: UserInput): Provisioned {
  const { orgCode, deps } = scope;
  const now = deps.clock.now();
  requireFreeName(tx, orgCode, input.userName, undefined);
  const primaryEmail = input.address ?? parseEmailAddress(input.userName) ?? placeholderOf(input.userName, orgCode);
  const isEnabled = input.active ?? true;
  const roleCode = roleFor(tx, orgCode, input.roles, 'USER');
  requireAssignableRole(scope, tx, roleCode);
  const member: Provisioned = {
    suid: deps.random.id(),
    orgCode,
    primaryEmail,
    emailVerifiedAt: proofFor(scope, primaryEmail),
    primaryAttr: input.employeeNumber ?? numberWithout(input, primaryEmail),
    firstName: input.firstName ?? '',
    lastName: input.lastName ?? '',
    mobileNumber: input.mobileNumber,
    roleCode,
    accountStatus: isEnabled ? 'unregistered' : 'inactive',
    statusBeforePause: isEnabled ? null : 'unregistered',
    managerSuid: managerFor(tx, orgCode, input.managerSuid, undefined),
    externalId: input.externalId,
    userName: input.userName.toLowerCase() === primaryEmail ? null : input.userName,
    createdAt: now,
    provisionedAt: now,
    scimAttributes: null,
  };
  member.scimAttributes = attributesToStore(input, member);
  requireReadable(member, undefined);
  refuseTaken(provisioningRepo.insertProvisionedMember(tx, member));
  promoteManager(tx, orgCode, member.managerSuid);
  const object = memberObject(member);
  record(deps, tx, scope.actor, { action: 'member.created', object, after: provisionedFacts(member) });
  return member;
}

/** Returns the primary attribute for a member without an employee number. */
const numberWithout = ({ userName }: UserInput, primaryEmail: string): string =>
  parseEmailAddress(userName) ? primaryEmail : userName;

/** A member's new state and the change in their account status, if any. */
export interface UserChange {
  /** The original member object if nothing changed. */
  changed: Provisioned;
  statusChange: StatusChange | undefined;
}

/**
 * Writes a directory's changes to a member. Required values that are omitted stay unchanged.
 * @throws ScimError uniqueness, invalidValue; 403 above the maximum role; Refusal for the last Super Admin
 */
export function changeUser(scope: Scope, tx: Tx, member: MemberRow, input: UserInput): UserChange {
  const { orgCode, deps } = scope;
  if (input.userName.toLowerCase() !== userNameOf(member).toLowerCase()) {
    requireFreeName(tx, orgCode, input.userName, member.suid);
  }
  const primaryEmail = addressFor(member, input);
  const next = provisioningRepo.pickProvisionedFields({
    ...member,
    primaryEmail,
    emailVerifiedAt: primaryEmail === member.primaryEmail ? member.emailVerifiedAt : proofFor(scope, primaryEmail),
    primaryAttr:
      input.employeeNumber ?? (input.isNumberRemoved ? numberWithout(input, primaryEmail) : member.primaryAttr),
    firstName: input.firstName ?? member.firstName,
    lastName: input.lastName ?? member.lastName,
    mobileNumber: input.mobileNumber,
    roleCode: roleFor(tx, orgCode, input.roles, member.roleCode),
    managerSuid: managerFor(tx, orgCode, input.managerSuid, member),
    externalId: input.externalId,
    userName: input.userName.toLowerCase() === primaryEmail ? null : input.userName,
  });
  next.scimAttributes = attributesToStore(input, next, member);
  requireReadable(next, member);
  const isActive = member.accountStatus !== 'inactive';
  const staysActive = input.active === null || input.active === isActive;
  const isRewritten = !provisioningRepo.hasSameProvisionedFields(member, next);
  if (isRewritten || !staysActive) requireChangeableMember(scope, tx, member);
  if (next.roleCode !== member.roleCode) requireAssignableRole(scope, tx, next.roleCode);
  if (!isRewritten && staysActive) return { changed: member, statusChange: undefined };
  const changed = isRewritten ? rewrite(scope, tx, member, next) : next;
  if (staysActive) return { changed, statusChange: undefined };
  const provisionedAt = deps.clock.now();
  if (changed.provisionedAt !== provisionedAt)
    provisioningRepo.updateProvisionedMember(tx, { ...changed, provisionedAt });
  const statusChange = changeAccountStatus(
    deps,
    tx,
    scope.actor,
    { ...member, ...changed },
    input.active ? 'unpause' : 'pause',
  );
  return { changed: { ...changed, accountStatus: statusChange.accountStatus, provisionedAt }, statusChange };
}

type Named = Pick<Provisioned, 'firstName' | 'lastName'>;

/**
 * Returns the attributes to store, dropping a display name that merely repeats the old or new name. The display name
 * then follows the name.
 */
function attributesToStore(
  { kept: attributes, displayName }: UserInput,
  next: Named,
  before: Named = next,
): string | null {
  const isOwn = displayName !== null && displayName !== fullNameOf(next) && displayName !== fullNameOf(before);
  if (!isOwn) return serialiseStoredAttributes(attributes);
  const hidden = hiddenCharacter(displayName);
  if (hidden) throw badRequest('invalidValue', `displayName: ${hidden}`);
  return serialiseStoredAttributes({ ...attributes, displayName });
}

/** Returns the member fields that directories write. */
function provisionedFacts(member: Provisioned): AuditFacts {
  const { firstName, lastName, primaryEmail, primaryAttr, mobileNumber, roleCode } = member;
  const { managerSuid, externalId, userName } = member;
  const emailVerified = member.emailVerifiedAt !== null;
  const { extensions, ...attributes } = parseStoredAttributes(member.scimAttributes);
  return {
    firstName,
    lastName,
    primaryEmail,
    emailVerified,
    primaryAttr,
    mobileNumber,
    roleCode,
    managerSuid,
    externalId,
    userName,
    ...storedFacts(attributes),
    ...extensionFacts(extensions),
  };
}

function rewrite({ orgCode, deps, actor }: Scope, tx: Tx, member: MemberRow, next: Provisioned): Provisioned {
  if (next.roleCode !== member.roleCode) requireAnotherSuperAdmin(tx, member);
  const changed = { ...next, provisionedAt: deps.clock.now() };
  refuseTaken(provisioningRepo.updateProvisionedMember(tx, changed));
  if (next.roleCode !== member.roleCode) {
    roleRepo.touchRoles(tx, orgCode, [member.roleCode, next.roleCode], changed.provisionedAt);
  }
  if (next.managerSuid !== member.managerSuid) promoteManager(tx, orgCode, next.managerSuid);
  if (next.primaryEmail !== member.primaryEmail) {
    // A code may have been sent to the old address, and any address change requested by the member no longer applies.
    activationCodeRepo.revokeActivationCodes(tx, orgCode, member.suid);
    emailChangeRepo.endEmailChange(tx, orgCode, member.suid);
  }
  const facts = { before: provisionedFacts(member), after: provisionedFacts(changed) };
  record(deps, tx, actor, { action: 'member.updated', object: memberObject(changed), ...facts });
  return changed;
}

/**
 * Returns the verification time of a new address.
 * @throws ScimError invalidValue if the organisation doesn't allow the address's domain
 */
function proofFor({ orgCode, deps, organisation }: Scope, email: string): number | null {
  if (!hasEmailAddress({ orgCode, primaryEmail: email })) return null;
  if (!isAllowedDomain(email, organisation))
    throw badRequest('invalidValue', `${allowedDomainsMessage(organisation)}.`);
  return directoryVerifiedAt(email, organisation, deps.clock.now());
}

/** Fields people use to recognise each other, with their SCIM names. */
const READ = [
  ['firstName', 'name.givenName'],
  ['lastName', 'name.familyName'],
  ['userName', 'userName'],
  ['primaryAttr', 'employeeNumber'],
] as const;

/**
 * Validates changed names. Unchanged names aren't validated, because an invalid stored name must not prevent
 * disabling a member.
 * @throws ScimError invalidValue
 */
function requireReadable(next: Provisioned, before: MemberRow | undefined): void {
  for (const [field, attribute] of READ) {
    const value = next[field];
    const hidden = value && value !== before?.[field] ? hiddenCharacter(value) : undefined;
    if (hidden) throw badRequest('invalidValue', `${attribute}: ${hidden}`);
  }
}

/**
 * Returns the new email address. A new user name that is an email address becomes the address if the old user name
 * was the address or absent.
 */
function addressFor(member: MemberRow, { address, userName }: UserInput): string {
  if (address !== null) return address;
  const named = parseEmailAddress(userName);
  const followed = !hasEmailAddress(member) || userNameOf(member).toLowerCase() === member.primaryEmail;
  return named !== undefined && followed ? named : member.primaryEmail;
}

function placeholderOf(userName: string, orgCode: string): string {
  const plain = userName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 60);
  return `${plain}${placeholderDomain(orgCode)}`;
}

function requireFreeName(tx: Tx, orgCode: string, userName: string, suid: string | undefined): void {
  const known = provisioningRepo.findMemberByUserName(tx, orgCode, userName);
  if (known && known.suid !== suid) refuseTaken('userName');
}

const TAKEN: Record<provisioningRepo.TakenField, string> = {
  userName: 'userName',
  primaryEmail: 'emails.value',
  primaryAttr: 'employeeNumber',
};

function refuseTaken(field: provisioningRepo.TakenField | undefined): void {
  if (field) throw new ScimError(409, `Another user has this ${TAKEN[field]}.`, 'uniqueness');
}

/**
 * Returns the member's single role, Org User by default.
 * @throws ScimError invalidValue for an unknown role or several roles
 */
function roleFor(tx: Tx, orgCode: string, roles: readonly string[] | null, current: string): string {
  if (roles === null) return current;
  const codes = roles.map((role) => {
    const found = roleCalled(tx, orgCode, role);
    if (!found) throw badRequest('invalidValue', `Role ${role} does not exist.`);
    return found.roleCode;
  });
  const [code = 'USER', another] = new Set(codes.filter((one) => one !== 'USER'));
  if (another !== undefined) {
    throw badRequest('invalidValue', `roles: users can only have one role: either ${code} or ${another}.`);
  }
  return code;
}

/**
 * Returns the manager, or null for an unknown ID. Directories send users in any order, and IDs are assigned here, so
 * an unknown ID never becomes valid later (decision 120).
 */
function managerFor(tx: Tx, orgCode: string, managerSuid: string | null, member: MemberRow | undefined): string | null {
  if (managerSuid === null || managerSuid === member?.managerSuid) return managerSuid;
  const manager = memberRepo.findMember(tx, orgCode, managerSuid);
  const mayManage = manager && manager.accountStatus !== 'deleted' && manager.suid !== member?.suid;
  return mayManage ? managerSuid : null;
}

/** Marks a member who has direct reports as a manager. */
function promoteManager(tx: Tx, orgCode: string, suid: string | null): void {
  if (suid !== null) provisioningRepo.markAsManager(tx, orgCode, suid);
}
