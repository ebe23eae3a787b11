import {
  HOUR,
  type WorldDevice,
  type WorldInvitation,
  type WorldOrganisation,
  type WorldPerson,
} from '@orchestrate/shared';
import type { TableRows } from '../database.ts';
import { loginHistory } from '../schema/index.ts';
import { type CodeRow, demoActivationCodes } from './activation-codes.ts';
import { acmeApplications, acmeProvider, acmeProvisioning, globexApplications } from './applications.ts';
import { type DeviceRow, demoDevices } from './devices.ts';
import { drawnPeople } from './drawn-people.ts';
import { acmeFaq, globexFaq } from './faq.ts';
import type { KeySource } from './key-source.ts';
import { demoLoginHistory, historyDays, type LoginHistory } from './login-history.ts';
import { namedPeople } from './named-people.ts';
import { ACME, demoOrganisations, GLOBEX } from './organisations.ts';
import type { Person } from './person.ts';
import { tableRows } from './table-rows.ts';
import { worldRows } from './world/world-rows.ts';

/**
 * The demo as rows. It is a world, imported like any other, with the ids and keys that the importer makes if a world
 * gives none. Its thousands of sign-ins are made as rows from the start.
 * @param base milliseconds: everything is relative to it
 */
export function demoRows(base: number, source: KeySource): TableRows[] {
  const { people, logins } = drawPeople(base, source);
  const organisations = demoSettings(base, source).map((org) => ({ ...org, people: people.get(org.code) ?? [] }));
  return [
    ...worldRows({ randomSeed: '', organisations }, base, source),
    tableRows(
      loginHistory,
      organisations.flatMap(({ code }) => logins.get(code) ?? []),
    ),
  ];
}

/**
 * The organisations of the demo, without their people. Every setting is written out: filling in defaults would make a
 * process' first portal build the schemas of a world.
 */
function demoSettings(base: number, source: KeySource): Omit<WorldOrganisation, 'people'>[] {
  const [acme, globex] = demoOrganisations(base);
  return [
    {
      ...acme,
      provider: acmeProvider(source),
      provisioning: acmeProvisioning(source),
      applications: acmeApplications(source),
      faq: acmeFaq(),
    },
    { ...globex, applications: globexApplications(source), faq: globexFaq() },
  ];
}

const moment = (time: number): string => new Date(time).toISOString();
const momentOf = (time: number | undefined) => (time === undefined ? undefined : moment(time));

interface Drawn {
  people: ReadonlyMap<string, WorldPerson[]>;
  logins: ReadonlyMap<string, LoginHistory['logins']>;
}

/** The people by organisation with their devices and codes, and their sign-ins. */
function drawPeople(base: number, source: KeySource): Drawn {
  const all = [...namedPeople(base), ...drawnPeople(base)];
  const bySuid = ({ suid }: { suid: string }) => suid;
  const owned = Map.groupBy(demoDevices(all, base), bySuid);
  const codes = Map.groupBy(demoActivationCodes(all, base, source), bySuid);
  const people = new Map<string, WorldPerson[]>([ACME, GLOBEX].map((code) => [code, []]));
  const logins = new Map<string, LoginHistory['logins']>([ACME, GLOBEX].map((code) => [code, []]));
  const days = historyDays(base);
  for (const person of all) {
    const own = owned.get(person.suid) ?? [];
    const history = demoLoginHistory(person, own, days, base);
    logins.get(person.orgCode)?.push(...history.logins);
    people.get(person.orgCode)?.push({
      ...settingsOf(person),
      lastSeenAt: momentOf(history.last.get(person.suid)),
      devices: own.map((device) => ({ ...deviceOf(device), lastLoginAt: momentOf(history.last.get(device.zid)) })),
      activationCodes: (codes.get(person.suid) ?? []).map(codeOf),
      invitations: person.accountStatus === 'invited' ? [invitationOf(person, codes.get(person.suid) ?? [])] : [],
      logins: [],
      identities: [],
    });
  }
  return { people, logins };
}

const settingsOf = (person: Person) => ({
  id: person.suid,
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

/** The invitation of somebody who was invited; they followed its link to the code that they have. */
function invitationOf({ orgCode, createdAt }: Person, [code]: readonly CodeRow[]): WorldInvitation {
  const invitedAt = code === undefined ? createdAt : code.issuedAt - HOUR;
  return {
    type: 'mobile',
    invitedAt: moment(invitedAt),
    usedAt: momentOf(code?.issuedAt),
    expiresAt: momentOf(code?.expiresAt),
    invitedBy: orgCode === ACME ? 'helpdesk.admin@acme.test' : 'admin@globex.test',
  };
}

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
