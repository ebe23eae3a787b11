import { memberNumber, type memberRepo } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { baseDnOf, serviceDnOf } from '../../core/ldap-names.ts';
import type { LdapEntry } from './message.ts';
import { escaped } from './names.ts';

type Application = Parameters<typeof baseDnOf>[0];
type Person = Pick<
  memberRepo.MemberRow,
  'id' | 'suid' | 'firstName' | 'lastName' | 'primaryEmail' | 'primaryAttr' | 'mobileNumber' | 'roleCode'
>;

const peopleDnOf = (application: Application): string => `ou=people,${baseDnOf(application)}`;
const groupsDnOf = (application: Application): string => `ou=groups,${baseDnOf(application)}`;
export const personDnOf = (application: Application, { primaryEmail }: Pick<Person, 'primaryEmail'>): string =>
  `uid=${escaped(primaryEmail)},${peopleDnOf(application)}`;
const groupDnOf = (application: Application, name: string): string => `cn=${escaped(name)},${groupsDnOf(application)}`;

const PERSON_CLASSES = ['top', 'person', 'organizationalPerson', 'inetOrgPerson', 'posixAccount'] as const;

/** Before a person's own number: above the accounts of machines, and what systemd gives to its services. */
const FIRST_UNIX_NUMBER = 100_000;

/**
 * A member as LDAP has people (RFC 2798, RFC 4524 §2.24 for the id), and as Unix machines have accounts (RFC 2307 §3):
 * each with a group of its own of the same number. @param groups the names of those beside the role
 */
export function personEntry(application: Application, person: Person, groups: readonly string[]): LdapEntry {
  const { id, suid, firstName, lastName, primaryEmail, primaryAttr, mobileNumber, roleCode } = person;
  const full = fullNameOf({ firstName, lastName }) || primaryEmail;
  const unixNumber = String(FIRST_UNIX_NUMBER + memberNumber(id));
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
      uidNumber: [unixNumber],
      gidNumber: [unixNumber],
      homeDirectory: [`/home/${primaryEmail}`],
    },
  };
}

/** A role, or a group beside the roles, as a group of names (RFC 4519 §3.5), and as Unix machines have them. */
export interface NamedGroup {
  /** The code of a role, the name of a group: no two are the same, whatever the case. */
  cn: string;
  description: string;
  /** On Unix machines: it stays when the name changes (decision 187). */
  gidNumber: string;
}

/** Of groups: above the numbers of people, and below what a machine may take for a negative one. */
export const FIRST_GROUP_NUMBER = 2 ** 30;

/** @param members at most as many as a search answers */
export function groupEntry(
  application: Application,
  { cn, description, gidNumber }: NamedGroup,
  members: readonly Pick<Person, 'primaryEmail'>[],
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
    },
  };
}

/** What is there without anybody: the base, the two branches, the account that searches. */
export function frameEntries(application: Application & { name: string }): LdapEntry[] {
  const unit = (dn: string, ou: string, description: string): LdapEntry => ({
    dn,
    attributes: { objectClass: ['top', 'organizationalUnit'], ou: [ou], description: [description] },
  });
  return [
    unit(baseDnOf(application), application.appId, application.name),
    unit(peopleDnOf(application), 'people', 'The members'),
    unit(groupsDnOf(application), 'groups', 'The roles and groups'),
    {
      dn: serviceDnOf(application),
      attributes: { objectClass: ['top', 'applicationProcess'], cn: ['service'] },
    },
  ];
}
