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
 * What every entry has. When a member or who is in a group last changed is not recorded, so the modification time is
 * that of the search: a client that skips unmodified entries then never misses a change.
 * @param id names the entry within its application, for as long as it exists
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

/** Before a person's own number: above the accounts of machines, and what systemd gives to its services. */
export const FIRST_UNIX_NUMBER = 100_000;

export interface PersonFacts {
  /** The names of the groups besides the role. */
  groups: readonly string[];
  /** The number of the role's group. */
  gidNumber: string;
  now: number;
}

/**
 * A member as LDAP has people (RFC 2798, RFC 4524 §2.24 for the id), and as Unix machines have accounts (RFC 2307 §3),
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

/** A role, or a group beside the roles, as a group of names (RFC 4519 §3.5), and as Unix machines have them. */
export interface NamedGroup {
  /** The code of a role, the name of a group: no two are the same, whatever the case. */
  cn: string;
  description: string;
  /** On Unix machines: it stays when the name changes (decision 173). */
  gidNumber: string;
  createdAt: number;
}

/** Of groups: above the numbers of people, and below what a machine may take for a negative one. */
export const FIRST_GROUP_NUMBER = 2 ** 30;

/** @param members at most as many as a search answers */
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

/** What is there without any member: the base, the two branches, the account that searches. */
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
