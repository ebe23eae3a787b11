import { hash } from 'node:crypto';
import { memberNumber, type memberRepo } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { baseDnOf, serviceDnOf } from '#core/applications.ts';
import type { LdapEntry } from './message.ts';
import { escaped } from './names.ts';
import { SCHEMA_DN } from './schema.ts';
import { writeTime } from './times.ts';

type Application = Parameters<typeof baseDnOf>[0];
type Person = Pick<
  memberRepo.MemberRow,
  'id' | 'suid' | 'firstName' | 'lastName' | 'primaryEmail' | 'primaryAttr' | 'mobileNumber' | 'roleCode' | 'createdAt'
>;

const peopleDnOf = (application: Application): string => `ou=people,${baseDnOf(application)}`;
const groupsDnOf = (application: Application): string => `ou=groups,${baseDnOf(application)}`;
export const personDnOf = (application: Application, { primaryEmail }: Pick<Person, 'primaryEmail'>): string =>
  `uid=${escaped(primaryEmail)},${peopleDnOf(application)}`;
const groupDnOf = (application: Application, name: string): string => `cn=${escaped(name)},${groupsDnOf(application)}`;

/**
 * Returns the operational attributes of an entry. Changes of members and memberships aren't timed, so the modification
 * time is the current one: clients that skip unmodified entries never miss a change.
 * @param id identifies the entry within its application for as long as it exists
 */
function operational(
  { orgCode, appId }: Application,
  id: string,
  { createdAt, now }: { createdAt: number; now: number },
) {
  const bytes = hash('sha256', JSON.stringify([orgCode, appId, id]), 'buffer').subarray(0, 16);
  // A UUID of version 8 (RFC 9562 §5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const uuid = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    entryUUID: [uuid],
    createTimestamp: [writeTime(createdAt)],
    modifyTimestamp: [writeTime(now)],
    subschemaSubentry: [SCHEMA_DN],
  };
}

const PERSON_CLASSES = ['top', 'person', 'organizationalPerson', 'inetOrgPerson', 'posixAccount'] as const;

/** Added to a member's number for uidNumber: above system accounts and the range systemd assigns to services. */
export const FIRST_UNIX_NUMBER = 100_000;

export interface PersonFacts {
  /** Names of the member's custom groups. */
  groups: readonly string[];
  /** gidNumber of the role's group. */
  gidNumber: string;
  now: number;
}

/**
 * Returns the entry of a member as a person (RFC 2798; RFC 4524 §2.24 for the id) and a Unix account (RFC 2307 §3),
 * with the role as the primary group.
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
      uidNumber: [String(FIRST_UNIX_NUMBER + memberNumber(id))],
      gidNumber: [gidNumber],
      homeDirectory: [`/home/${primaryEmail}`],
      ...operational(application, `person ${suid}`, { createdAt, now }),
    },
  };
}

/** A role or a custom group as a group of names (RFC 4519 §3.5) and a Unix group. */
export interface NamedGroup {
  /** Role code or group name, unique regardless of case. */
  cn: string;
  description: string;
  /** Unix group number, which stays when the name changes (decision 173). */
  gidNumber: string;
  createdAt: number;
}

/** First gidNumber: above the uidNumbers, and below 2³¹, which some systems read as negative. */
export const FIRST_GROUP_NUMBER = 2 ** 30;

/** @param members no more than a search returns */
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

/** Returns the entries that exist without members: the base, its two branches and the service account. */
export function frameEntries(application: Application & { name: string; createdAt: number }, now: number): LdapEntry[] {
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
    unit(peopleDnOf(application), 'people', 'The members'),
    unit(groupsDnOf(application), 'groups', 'The roles and groups'),
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
