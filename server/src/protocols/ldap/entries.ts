import { hash } from 'node:crypto';
import { memberNumber, type memberRepo } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { baseDnOf, serviceDnOf } from '#core/applications.ts';
import type { LdapEntry } from './message.ts';
import { escapeDnValue } from './names.ts';
import { SCHEMA_DN } from './schema.ts';
import { formatGeneralizedTime } from './times.ts';

type Application = Parameters<typeof baseDnOf>[0];
type Person = Pick<
  memberRepo.MemberRow,
  'id' | 'suid' | 'firstName' | 'lastName' | 'primaryEmail' | 'primaryAttr' | 'mobileNumber' | 'roleCode' | 'createdAt'
>;

const peopleDnOf = (application: Application): string => `ou=people,${baseDnOf(application)}`;
const groupsDnOf = (application: Application): string => `ou=groups,${baseDnOf(application)}`;
export const personDnOf = (application: Application, { primaryEmail }: Pick<Person, 'primaryEmail'>): string =>
  `uid=${escapeDnValue(primaryEmail)},${peopleDnOf(application)}`;
const groupDnOf = (application: Application, name: string): string =>
  `cn=${escapeDnValue(name)},${groupsDnOf(application)}`;

/**
 * Returns an entry's operational attributes. The portal doesn't record when members and memberships change. It always
 * reports the current time as the modification time, so clients that skip unmodified entries never miss a change.
 * @param id identifies the entry within its application for as long as the entry exists
 */
function operational(
  { orgCode, appId }: Application,
  id: string,
  { createdAt, now }: { createdAt: number; now: number },
) {
  const bytes = hash('sha256', JSON.stringify([orgCode, appId, id]), 'buffer').subarray(0, 16);
  // Version 8 UUID (RFC 9562 §5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const uuid = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    entryUUID: [uuid],
    createTimestamp: [formatGeneralizedTime(createdAt)],
    modifyTimestamp: [formatGeneralizedTime(now)],
    subschemaSubentry: [SCHEMA_DN],
  };
}

const PERSON_CLASSES = ['top', 'person', 'organizationalPerson', 'inetOrgPerson', 'posixAccount'] as const;

/**
 * Added to a member's number to get the uidNumber. Higher than the numbers of system accounts and the range that
 * systemd assigns to services.
 */
export const FIRST_UID_NUMBER = 100_000;

export interface PersonFacts {
  /** Names of the custom groups that the member is in. */
  groups: readonly string[];
  /** gidNumber of the group for the member's role. */
  gidNumber: string;
  now: number;
}

/**
 * Returns a member's entry, as a person (RFC 2798; RFC 4524 §2.24 for the ID) and a Unix account (RFC 2307 §3) with
 * the role as its primary group.
 */
export function personEntry(
  application: Application,
  person: Person,
  { groups, gidNumber, now }: PersonFacts,
): LdapEntry {
  const { id, suid, firstName, lastName, primaryEmail, primaryAttr, mobileNumber, roleCode, createdAt } = person;
  const full = fullNameOf({ firstName, lastName }) || primaryEmail;
  return {
    dn: personDnOf(application, person),
    attributes: {
      objectClass: PERSON_CLASSES,
      uid: [primaryEmail],
      cn: [full],
      sn: [lastName || full],
      ...(firstName && { givenName: [firstName] }),
      displayName: [full],
      mail: [primaryEmail],
      ...(primaryAttr && { employeeNumber: [primaryAttr] }),
      ...(mobileNumber && { mobile: [mobileNumber] }),
      memberOf: [roleCode, ...groups].map((name) => groupDnOf(application, name)),
      uniqueIdentifier: [suid],
      uidNumber: [String(FIRST_UID_NUMBER + memberNumber(id))],
      gidNumber: [gidNumber],
      homeDirectory: [`/home/${primaryEmail}`],
      ...operational(application, `person ${suid}`, { createdAt, now }),
    },
  };
}

/** A role or custom group, as a group of names (RFC 4519 §3.5) and a Unix group. */
export interface NamedGroup {
  /** Role code or group name, unique regardless of case. */
  cn: string;
  description: string;
  /** Unix group number, which stays the same when the group is renamed (decision 173). */
  gidNumber: string;
  createdAt: number;
}

/**
 * First gidNumber. All gidNumbers are above all uidNumbers and below 2³¹, because some systems read larger numbers as
 * negative.
 */
export const FIRST_GID_NUMBER = 2 ** 30;

/** Returns a group's entry. @param members at most as many as a search returns */
export function groupEntry(
  application: Application,
  { cn, description, gidNumber, createdAt }: NamedGroup,
  { members, now }: { members: readonly Pick<Person, 'primaryEmail'>[]; now: number },
): LdapEntry {
  return {
    dn: groupDnOf(application, cn),
    attributes: {
      objectClass: ['top', 'groupOfNames', 'posixGroup'],
      cn: [cn],
      description: [description],
      gidNumber: [gidNumber],
      member: members.map((member) => personDnOf(application, member)),
      memberUid: members.map(({ primaryEmail }) => primaryEmail),
      ...operational(application, `group ${gidNumber}`, { createdAt, now }),
    },
  };
}

/** Returns the entries that exist even without members: the base, its two branches and the service account. */
export function baseEntries(application: Application & { name: string; createdAt: number }, now: number): LdapEntry[] {
  const times = { createdAt: application.createdAt, now };
  const unit = (dn: string, ou: string, description: string): LdapEntry => ({
    dn,
    attributes: {
      objectClass: ['top', 'organizationalUnit'],
      ou: [ou],
      description: [description],
      ...operational(application, dn, times),
    },
  });
  return [
    unit(baseDnOf(application), application.appId, application.name),
    unit(peopleDnOf(application), 'people', 'Members'),
    unit(groupsDnOf(application), 'groups', 'Roles and groups'),
    {
      dn: serviceDnOf(application),
      attributes: {
        objectClass: ['top', 'applicationProcess'],
        cn: ['service'],
        ...operational(application, 'service', times),
      },
    },
  ];
}
