import { type FullWorld, type WorldDevice, type WorldPerson, world } from '@orchestrate/shared';
import { type CodeRow, demoActivationCodes } from './activation-codes.ts';
import { acmeApplications, acmeProvider, acmeProvisioning, globexApplications } from './applications.ts';
import { type DeviceRow, demoDevices } from './devices.ts';
import { drawnPeople } from './drawn-people.ts';
import { acmeFaq, globexFaq } from './faq.ts';
import { demoLoginHistory } from './login-history.ts';
import { namedPeople } from './named-people.ts';
import { demoOrganisations } from './organisations.ts';
import type { Person } from './person.ts';

/**
 * The demo as a world, which is imported like any other. Its people and their history are drawn, so they are made and
 * not read; their ids and keys are those that the importer makes where a world gives none.
 * @param base milliseconds: everything is relative to it
 */
export function demoWorld(base: number): FullWorld {
  const people = peopleOf(base);
  const [acme, globex] = demoOrganisations(base);
  const { organisations, ...settings } = world.parse({
    organisations: [
      {
        ...acme,
        provider: acmeProvider(),
        provisioning: acmeProvisioning(),
        applications: acmeApplications(),
        faq: acmeFaq(),
      },
      { ...globex, applications: globexApplications(), faq: globexFaq() },
    ],
  });
  // Made complete above, so that a start need not check thousands of sign-ins.
  return { ...settings, organisations: organisations.map((org) => ({ ...org, people: people.get(org.code) ?? [] })) };
}

const moment = (time: number): string => new Date(time).toISOString();

/** The people by organisation, each with devices, codes and sign-ins. */
function peopleOf(base: number): Map<string, WorldPerson[]> {
  const people = [...namedPeople(base), ...drawnPeople(base)];
  const devices = demoDevices(people, base);
  const bySuid = ({ suid }: { suid: string }) => suid;
  const owned = Map.groupBy(devices, bySuid);
  const codes = Map.groupBy(demoActivationCodes(people, base), bySuid);
  const written = people.map((person): [orgCode: string, WorldPerson] => {
    const own = owned.get(person.suid) ?? [];
    const { logins, last } = demoLoginHistory(person, own, base);
    return [
      person.orgCode,
      {
        ...settingsOf(person),
        lastSeenAt: last.get(person.suid),
        devices: own.map((device) => ({ ...deviceOf(device), lastLoginAt: last.get(device.zid) })),
        activationCodes: (codes.get(person.suid) ?? []).map(codeOf),
        logins,
        identities: [],
      },
    ];
  });
  return new Map(
    [...Map.groupBy(written, ([orgCode]) => orgCode)].map(([orgCode, list]) => [orgCode, list.map(([, one]) => one)]),
  );
}

const settingsOf = (person: Person) => ({
  email: person.primaryEmail,
  firstName: person.firstName,
  lastName: person.lastName,
  primaryAttr: person.primaryAttr,
  mobileNumber: person.mobileNumber ?? undefined,
  role: person.roleCode,
  status: person.accountStatus,
  isManager: person.isManager ?? false,
  manager: person.managerEmail,
  hasPermissionForMobileApp: person.hasPermissionForMobileApp ?? true,
  hasPermissionForWindowsApp: person.hasPermissionForWindowsApp ?? true,
  createdAt: moment(person.createdAt),
});

const deviceOf = ({ zid, name, nickName = '', type, platform, status, registeredAt }: DeviceRow): WorldDevice => ({
  id: zid,
  name,
  nickName,
  type,
  platform,
  status,
  registeredAt: moment(registeredAt),
});

const codeOf = ({ type, code, issuedAt, expiresAt, wrongTries = 0, wrongTriesInAll }: CodeRow) => ({
  type,
  code,
  issuedAt: moment(issuedAt),
  expiresAt: moment(expiresAt),
  wrongTries,
  wrongTriesInAll,
  wrongTriesByNetwork: {},
  mailed: true,
});
