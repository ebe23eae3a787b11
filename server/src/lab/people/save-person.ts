import {
  deviceRepo,
  drawName,
  memberCountRepo,
  memberRepo,
  organisationRepo,
  provisioningRepo,
  roleRepo,
  type Tx,
  virtualDeviceRepo,
} from '@orchestrate/db';
import type { AccountStatus, contract, VirtualDevice } from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf } from '@orchestrate/shared/authenticator';
import type { z } from 'zod';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { announceEndedUse, type EndedUse, endDeviceUse } from '#core/device-keys/end-use.ts';
import { changeAccountStatus, publishStatusChange } from '#core/members/change-account-status.ts';
import type { Deps } from '#deps.ts';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { isReachable, UNREACHABLE_ADDRESS_MESSAGE } from '../magic/find-magic.ts';
import { requireMemberWithEmail, requireOrgCode } from '../phones/find-phone.ts';
import { virtualDeviceOf } from '../phones/virtual-devices.ts';

type PersonOptions = z.output<typeof contract.makePerson.body>;
type Person = memberRepo.MemberRow;

/** Account statuses of people who haven't registered a device yet. */
const NEWCOMERS: readonly AccountStatus[] = ['unregistered', 'invited', 'unverified'];

/**
 * Creates a person and their devices, or changes an existing person's fields. The lab stores the devices' keys.
 * @throws Refusal ORG_CODE_NOT_FOUND; ORG_EMAIL_NOT_FOUND for an unknown manager, with the closest match;
 * INVALID_REQUEST for an unknown role, with the closest match, a magic address, or the last Super Admin; USER_EXISTS
 * for an existing person without a change
 */
export function savePerson(deps: Deps, actor: AuditActor, options: PersonOptions) {
  const { org, email, role, manager } = options;
  requireOrgCode(deps, 'org', org);
  if (role !== undefined) requireRole(deps, org, role);
  if (email !== undefined && !isReachable(email)) refuseField('email', UNREACHABLE_ADDRESS_MESSAGE);
  if (manager) requireMemberWithEmail(deps, 'manager', manager, org);
  const known = email === undefined ? undefined : memberRepo.findMemberByEmail(deps.db, org, email);
  const suid = known ? changePerson(deps, { ...actor, orgCode: org }, known, options) : makePerson(deps, options);
  const person = memberRepo.findMember(deps.db, org, suid);
  if (!person) throw new Refusal('ID_DOESNOT_EXIST');
  const managerEmail = memberRepo.findMember(deps.db, org, person.managerSuid ?? '')?.primaryEmail ?? null;
  return { ...person, manager: managerEmail, devices: devicesOf(deps, person), isNew: known === undefined };
}

function makePerson(deps: Deps, { org, role = 'USER', status = 'active', ...options }: PersonOptions): string {
  const suid = deps.random.id();
  const now = deps.clock.now();
  const name = drawName(suid);
  const { firstName, lastName } = name;
  const isNewcomer = NEWCOMERS.includes(status);
  const member = {
    suid,
    orgCode: org,
    firstName,
    lastName,
    primaryEmail: options.email ?? `${name.mail}.${suid.slice(0, 6).toLowerCase()}@${domainOf(deps, org)}`,
    primaryAttr: `L-${suid.slice(0, 8)}`,
    roleCode: role,
    accountStatus: status,
    createdAt: now,
    emailVerifiedAt: isNewcomer ? null : now,
  };
  const { devices = isNewcomer ? [] : [{ type: 'mobile' as const }], manager } = options;
  deps.db.transaction((tx) => {
    memberRepo.insertMember(tx, member);
    if (manager) setManager(tx, memberRepo.findMember(tx, org, suid), manager);
    for (const device of devices) addDevice(deps, tx, member, device);
  });
  return suid;
}

/** Changes the given fields as an administrator would, and ends sessions and requests that are no longer valid. */
function changePerson(deps: Deps, actor: AuditActor, { orgCode, suid }: Person, options: PersonOptions): string {
  const { role, status, manager, devices } = options;
  const publish = deps.db.transaction((tx) => {
    const member = memberRepo.findMember(tx, orgCode, suid);
    if (!member) throw new Refusal('ID_DOESNOT_EXIST');
    if ([role, status, manager, devices].every((change) => change === undefined)) {
      const message = `${member.primaryEmail} is already a member of ${orgCode}. To change them, set role, status, manager or devices.`;
      throw new Refusal('USER_EXISTS', { message, issues: [{ path: 'email', message }] });
    }
    const ended = devices ? replaceDevices(deps, tx, member, devices) : [];
    if (role !== undefined) setRole(deps, tx, member, role);
    if (manager !== undefined) setManager(tx, member, manager);
    const moved = memberRepo.findMember(tx, orgCode, suid) ?? member;
    const facts = ({ roleCode, managerSuid }: Person) => ({ roleCode, managerSuid });
    const object = memberObject(member);
    record(deps, tx, actor, { action: 'member.updated', object, before: facts(member), after: facts(moved) });
    const change = status === undefined ? undefined : setStatus(deps, tx, actor, moved, status);
    return () => {
      for (const use of ended) announceEndedUse(deps, use, suid);
      if (change) publishStatusChange(deps, change);
      deps.bus.changed(TOPIC.member(suid));
    };
  });
  publish();
  return suid;
}

function setRole(deps: Deps, tx: Tx, member: Person, roleCode: string): void {
  if (roleCode === member.roleCode) return;
  requireOtherAdmin(tx, member, 'role');
  memberRepo.editMember(tx, member.orgCode, member.suid, { ...member, roleCode });
  roleRepo.touchRoles(tx, member.orgCode, [member.roleCode, roleCode], deps.clock.now());
}

/** Sets a person's manager. @param email address of another member of the organisation, or null for none */
function setManager(tx: Tx, member: Person | undefined, email: string | null): void {
  if (!member) return;
  const manager = email === null ? undefined : memberRepo.findMemberByEmail(tx, member.orgCode, email);
  if (manager?.suid === member.suid) refuseField('manager', `${email} cannot be their own manager.`);
  memberRepo.editDetails(tx, member.orgCode, member.suid, { ...member, managerSuid: manager?.suid ?? null });
  if (manager) provisioningRepo.markAsManager(tx, member.orgCode, manager.suid);
}

/** Changes the account status. Ends the person's sessions and requests if they can no longer sign in. */
function setStatus(deps: Deps, tx: Tx, actor: AuditActor, member: Person, accountStatus: AccountStatus) {
  const { orgCode, suid } = member;
  if (accountStatus === member.accountStatus) return undefined;
  const isNewcomer = NEWCOMERS.includes(accountStatus);
  if (isNewcomer && deviceRepo.listRegisteredDevices(tx, orgCode, suid).length > 0) {
    refuseField(
      'status',
      `${member.primaryEmail} has devices, so the status can't be ${accountStatus}. Set devices to [] too.`,
    );
  }
  if (member.accountStatus === 'active') requireOtherAdmin(tx, member, 'status');
  const isDisabled = member.accountStatus === 'inactive';
  const ended =
    isDisabled || accountStatus === 'active' ? undefined : changeAccountStatus(deps, tx, actor, member, 'pause');
  const enabled = isDisabled ? changeAccountStatus(deps, tx, actor, member, 'unpause') : undefined;
  if (accountStatus === 'inactive') return ended;
  memberRepo.setAccountStatus(tx, orgCode, suid, { accountStatus, statusBeforePause: null });
  const emailVerifiedAt = isNewcomer ? null : (member.emailVerifiedAt ?? deps.clock.now());
  memberRepo.editMember(tx, orgCode, suid, { ...member, emailVerifiedAt });
  return { suid, sessions: [], challenges: [], ...ended, ...enabled, accountStatus };
}

function requireOtherAdmin(tx: Tx, { orgCode, roleCode, accountStatus, primaryEmail }: Person, path: string): void {
  if (roleCode !== 'SUPER_ADMIN' || accountStatus !== 'active') return;
  if (memberCountRepo.countActiveMembers(tx, orgCode, roleCode) > 1) return;
  refuseField(path, `${primaryEmail} is the last active Super Admin of ${orgCode}. Create another one first.`);
}

/** Replaces a person's devices. Returns the ended sessions and challenges of the previous devices. */
function replaceDevices(deps: Deps, tx: Tx, member: Person, devices: readonly DeviceOptions[]): EndedUse[] {
  const { orgCode, suid } = member;
  const before = deviceRepo.listRegisteredDevices(tx, orgCode, suid);
  deviceRepo.removeDevices(tx, orgCode, suid, deps.clock.now());
  for (const device of devices) addDevice(deps, tx, member, device);
  return before.map(({ zid }) => endDeviceUse(deps, tx, orgCode, zid));
}

type DeviceOptions = NonNullable<PersonOptions['devices']>[number];

function addDevice(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, firstName }: { orgCode: string; suid: string; firstName: string },
  { type, name }: DeviceOptions,
): void {
  const privateKey = createDeviceKey();
  const publicKey = publicKeyOf(privateKey);
  const zid = deps.random.id();
  const kind = type === 'mobile' ? 'phone' : 'computer';
  deviceRepo.insertDevice(tx, {
    zid,
    orgCode,
    suid,
    type,
    name: name ?? `${firstName}\u2019s ${kind}`,
    platform: 'Simulated',
    publicKey,
    thumbprint: thumbprintOf(publicKey),
    registeredAt: deps.clock.now(),
  });
  virtualDeviceRepo.insertVirtualDevice(tx, zid, privateKey);
}

const devicesOf = (
  { db }: Deps,
  { orgCode, primaryEmail: email }: { orgCode: string; primaryEmail: string },
): VirtualDevice[] => virtualDeviceRepo.listVirtualDevices(db, { orgCode, email }).map(virtualDeviceOf);

function requireRole({ db }: Deps, orgCode: string, role: string): void {
  if (roleRepo.findRole(db, orgCode, role)) return;
  const known = roleRepo.listRoles(db, orgCode).map(({ roleCode }) => roleCode);
  const meant = nearest(role, known);
  const advice = meant ? `Did you mean ${meant}?` : `The roles are ${known.join(', ')}.`;
  refuseField('role', `There is no role ${role} in ${orgCode}. ${advice}`);
}

/** Returns an email domain that the organisation allows. */
const domainOf = ({ db }: Deps, orgCode: string): string =>
  organisationRepo.findOrganisation(db, orgCode)?.allowedEmailDomains[0] ?? `${orgCode}.test`;
