import {
  deviceRepo,
  drawName,
  memberRepo,
  organisationRepo,
  roleRepo,
  type Tx,
  virtualDeviceRepo,
} from '@orchestrate/db';
import type { AccountStatus, AppType, VirtualDevice } from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf } from '@orchestrate/shared/authenticator';
import type { Deps } from '#deps.ts';
import { thumbprintOf } from '#platform/adapters/secrets.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import { isReachable, UNREACHABLE_ADDRESS_MESSAGE } from '../magic/find-magic.ts';
import { requireOrgCode } from '../phones/find-phone.ts';
import { virtualDeviceOf } from '../phones/virtual-devices.ts';

export interface PersonOptions {
  org: string;
  email?: string | undefined;
  role?: string | undefined;
  status: AccountStatus;
  devices?: readonly { type: AppType; name?: string | undefined }[] | undefined;
}

/** Account statuses of people who haven't registered a device yet. */
const NEWCOMERS: readonly AccountStatus[] = ['unregistered', 'invited', 'unverified'];

/**
 * Creates a person and their devices. The lab stores the devices' keys.
 * @throws Refusal ORG_CODE_NOT_FOUND; INVALID_REQUEST for an unknown role, with the closest match, or for a magic
 * address; USER_EXISTS
 */
export function makePerson(deps: Deps, { org, role = 'USER', ...options }: PersonOptions) {
  requireOrgCode(deps, 'org', org);
  requireRole(deps, org, role);
  if (options.email !== undefined && !isReachable(options.email)) {
    throw new Refusal('INVALID_REQUEST', {
      message: UNREACHABLE_ADDRESS_MESSAGE,
      issues: [{ path: 'email', message: UNREACHABLE_ADDRESS_MESSAGE }],
    });
  }
  const suid = deps.random.id();
  const now = deps.clock.now();
  const name = drawName(suid);
  const { firstName, lastName } = name;
  const member = {
    suid,
    orgCode: org,
    firstName,
    lastName,
    primaryEmail: options.email ?? `${name.mail}.${suid.slice(0, 6).toLowerCase()}@${domainOf(deps, org)}`,
    primaryAttr: `L-${suid.slice(0, 8)}`,
    roleCode: role,
    accountStatus: options.status,
    createdAt: now,
    emailVerifiedAt: NEWCOMERS.includes(options.status) ? null : now,
  };
  const { devices = NEWCOMERS.includes(options.status) ? [] : [{ type: 'mobile' as const }] } = options;
  deps.db.transaction((tx) => {
    if (memberRepo.findMemberByEmail(tx, org, member.primaryEmail)) {
      const message = `${member.primaryEmail} is already a member of ${org}.`;
      throw new Refusal('USER_EXISTS', { message, issues: [{ path: 'email', message }] });
    }
    memberRepo.insertMember(tx, member);
    for (const device of devices) addDevice(deps, tx, member, device);
  });
  return { ...member, devices: devicesOf(deps, member) };
}

function addDevice(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, firstName }: { orgCode: string; suid: string; firstName: string },
  { type, name }: { type: AppType; name?: string | undefined },
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
  const message = `There is no role ${role} in ${orgCode}. ${meant ? `Did you mean ${meant}?` : `The roles are ${known.join(', ')}.`}`;
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path: 'role', message }] });
}

/** Returns an email domain that the organisation allows. */
const domainOf = ({ db }: Deps, orgCode: string): string =>
  organisationRepo.findOrganisation(db, orgCode)?.allowedEmailDomains[0] ?? `${orgCode}.test`;
