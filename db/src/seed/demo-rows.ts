import {
  DAY,
  HOUR,
  type LoginMode,
  MINUTE,
  SECOND,
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
import { generatedPeople } from './drawn-people.ts';
import type { KeySource } from './key-source.ts';
import { namedPeople } from './named-people.ts';
import { ACME, demoOrganisations, GLOBEX } from './organisations.ts';
import type { Person } from './person.ts';
import { Prng } from './prng.ts';
import { HISTORY_DAYS, isWorkday, startOfDay } from './seed-time.ts';
import { tableRows } from './table-rows.ts';
import { worldRows } from './world/world-rows.ts';

type LoginRow = typeof loginHistory.$inferInsert;

interface LoginHistory {
  /** Oldest first. */
  logins: LoginRow[];
  /** Time of the last sign-in, by member (`suid`) and by device (`zid`), in milliseconds. */
  last: ReadonlyMap<string, number>;
}

const APPS = ['Portal', 'Portal', 'Portal', 'Payroll', 'Wiki', 'Wiki', 'Source Control'] as const;
/** IDs of the apps that exist as demo applications. The other apps have since been deleted. */
const APP_IDS: Readonly<Record<string, string>> = {
  Payroll: 'payroll',
  Wiki: 'team-wiki',
  'Source Control': 'source-control',
};
const REASONS = ['cancel', 'not-me', 'wrong-number'] as const;

const MODES: Record<DeviceRow['type'], readonly [LoginMode, ...LoginMode[]]> = {
  mobile: ['QID', 'QID', 'PUSH', 'DID'],
  desktop: ['PUSH', 'PUSH', 'QID'],
  webauthn: ['WEBAUTHN'],
};

/** How many days ago inactive devices were last used. */
const GIVEN_UP_DAYS = 30;

interface Day {
  /** Midnight UTC, in milliseconds. */
  start: number;
  daysAgo: number;
  isWorkday: boolean;
}

/** Returns the days of the history, oldest first. */
function historyDays(base: number): Day[] {
  return Array.from({ length: HISTORY_DAYS }, (_, nth) => {
    const daysAgo = HISTORY_DAYS - 1 - nth;
    const start = startOfDay(base) - daysAgo * DAY;
    return { start, daysAgo, isWorkday: isWorkday(start) };
  });
}

/** Returns a person's sign-ins on these days. There are none before the person's first device was registered. */
function demoLoginHistory(
  person: Person,
  devices: readonly DeviceRow[],
  days: readonly Day[],
  base: number,
): LoginHistory {
  const prng = new Prng(`logins ${person.suid}`);
  const logins: LoginRow[] = [];
  const last = new Map<string, number>();
  const address = { office: `203.0.113.${1 + prng.below(40)}`, home: `198.51.100.${1 + prng.below(254)}` };
  const diligence = person.diligence ?? 0.3 + prng.below(12) / 100;
  const lastDay = person.accountStatus === 'active' ? 0 : GIVEN_UP_DAYS;

  const record = (timestamp: number, isSuccess: boolean) => {
    const device = deviceAt(devices, timestamp, base, prng);
    if (!device || timestamp >= base) return;
    const id = prng.id();
    const appName = prng.pick(APPS);
    if (isSuccess) last.set(person.suid, timestamp).set(device.zid, timestamp);
    logins.push({
      id,
      orgCode: person.orgCode,
      suid: person.suid,
      zid: device.zid,
      deviceName: device.name,
      deviceType: device.type,
      appName,
      appId: APP_IDS[appName] ?? '',
      mode: prng.pick(MODES[device.type]),
      ip: prng.chance(0.8) ? address.office : address.home,
      loginStatus: isSuccess ? 'Success' : 'Failed',
      reason: isSuccess ? null : prng.pick(REASONS),
      timestamp,
    });
  };

  days.forEach((day) => {
    if (day.daysAgo < lastDay || !prng.chance(day.isWorkday ? diligence : 0.02)) return;
    const morning = day.start + 7 * HOUR + prng.below(150 * MINUTE);
    if (prng.chance(0.07)) record(morning - 20 * SECOND - prng.below(4 * MINUTE), false);
    record(morning, true);
    if (prng.chance(0.2)) record(morning + 3 * HOUR + prng.below(5 * HOUR), prng.chance(0.95));
  });
  return { logins, last };
}

/** Returns a device the person was using at the time, usually the first device, which is the newest phone. */
function deviceAt(devices: readonly DeviceRow[], time: number, base: number, prng: Prng): DeviceRow | undefined {
  const isUsed = (device: DeviceRow) =>
    device.registeredAt <= time && (device.status === 'active' || time < base - GIVEN_UP_DAYS * DAY);
  // Most people have a single device, which needs no random choice.
  if (devices.length === 1) return devices.find(isUsed);
  const used = devices.filter(isUsed);
  // Avoids destructuring, which takes twice as long when a process creates its first portal.
  return used.length > 1 && prng.chance(0.35) ? used[1 + prng.below(used.length - 1)] : used[0];
}

/** Questions and answers, by category and subcategory. */
type Content = Record<string, Record<string, Record<string, string>>>;

const REL = 'target="_blank" rel="noopener noreferrer nofollow"';

const ACME_CONTENT: Content = {
  'Signing in': {
    'The basics': {
      'How do I sign in without a password?':
        '<p>Your device is the key. On the sign-in page choose <strong>Sign in</strong>, then</p><ol><li><p>scan the QR code with the authenticator on your phone, or type the short code below it, and</p></li><li><p>approve the request with your fingerprint, face or PIN.</p></li></ol><p>The page then signs you in automatically. There is no password to remember or to steal.</p>',
      'The QR code has expired. What now?':
        '<p>A code is valid for <strong>two minutes</strong>. Choose <em>Get a new code</em> below it to get another one.</p><p>If codes keep expiring while you scan them, check that your phone sets its time automatically.</p>',
      'Why does my phone ask for a number?':
        '<p>If you sign in by push, the sign-in page shows a number and your phone offers three. Choose the one that you <em>see on the page</em>.</p><blockquote><p>No one from Acme will ever call you to tell you a number. If you get a request that you didn’t start, deny it and choose <strong>It wasn’t me</strong>.</p></blockquote>',
      'I cannot scan the code. Is there another way?':
        '<p>Yes. Open the authenticator, choose <strong>Type code</strong> and enter the eight characters from below the QR code. Case, spaces and hyphens don’t matter.</p>',
    },
    Troubleshooting: {
      'It says “Access not allowed from this IP Address”':
        '<p>Acme lets people sign in from known networks only. Connect to the office network or to the VPN and try again. The addresses are explained in the <a href="https://intranet.acme.test/network" ' +
        `${REL}>network guide</a>.</p>`,
      'My sign-in was rejected':
        '<p>Either the request was denied on the device, or the wrong number was chosen. Try again; nothing is locked.</p><p>If you didn’t deny it yourself, tell the help desk: someone else may have your device.</p>',
    },
  },
  Devices: {
    'Adding and changing devices': {
      'How do I add a second device?':
        '<p>Sign in, open the dashboard and choose <strong>Add device</strong>. Scan the code with the new device and compare the two characters that both screens show.</p><p>You can have up to <strong>five</strong> devices. We recommend two: then you are never locked out.</p>',
      'I have a new phone. How do I move?':
        '<ol><li><p>Keep the old phone until you are done.</p></li><li><p>Add the new phone as a second device.</p></li><li><p>Sign in with the new phone once.</p></li><li><p>Then delete the old one from the dashboard.</p></li></ol>',
      'Can I give my devices names?':
        '<p>Yes: choose the pencil next to a device. Nicknames have at least three characters and are visible only to you and administrators.</p>',
    },
    'Lost devices': {
      'My phone was lost or stolen':
        '<p><strong>Report it immediately.</strong> Sign in with another device and choose <em>Report lost</em>: this ends all sessions that were started with the lost phone.</p><p>If you have no other device, call the help desk at <code>+1 555 0100</code>. They will ask you to identify yourself, then email you a new activation code.</p>',
      'I found my device again':
        '<p>A device that was reported lost never works again. Delete the account from its authenticator and add it like a new one.</p>',
    },
  },
  'Working with the help desk': {
    'Calls and codes': {
      'How does the help desk verify that it’s me?':
        '<p>The agent starts a request and reads you a short code. Type it into your authenticator and approve: the agent then sees your name and doesn’t need to ask security questions.</p>',
      'What is an activation code?':
        '<p>Six digits for setting up your first device. It works <strong>once</strong>, within <strong>24 hours</strong>, and is locked after five wrong attempts. The help desk can send you a new one.</p>',
    },
  },
};

const GLOBEX_CONTENT: Content = {
  'Getting started': {
    'Your first day': {
      'How do I set up my phone?':
        '<p>Open the invitation on your phone, follow the link and enter the activation code. Then test it: sign in on your computer and choose <strong>Test device</strong>.</p>',
      'Who can I ask?':
        '<p>The Globex service desk is on the ground floor, and at <a href="https://help.globex.test/" ' +
        `${REL}>help.globex.test</a>.</p>`,
    },
  },
};

/** Returns a demo organisation's FAQ. Answers are sanitised HTML, as stored by the server. */
const faqOf = (content: Content): WorldOrganisation['faq'] =>
  Object.entries(content).map(([name, subcategories]) => ({
    name,
    subcategories: Object.entries(subcategories).map(([name, records]) => ({
      name,
      records: Object.entries(records).map(([question, answer]) => ({ question, answer })),
    })),
  }));

const acmeFaq = () => faqOf(ACME_CONTENT);
const globexFaq = () => faqOf(GLOBEX_CONTENT);

/**
 * Returns the demo as rows. The demo is an ordinary world, imported with the importer's default IDs and keys, but its
 * thousands of sign-ins are generated directly as rows.
 * @param base reference for all times, in milliseconds
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
 * Returns the demo's organisations without their people. Every setting is explicit because filling in defaults would
 * force a process's first portal to build the world schemas.
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

/** Returns each organisation's people with their devices, codes and sign-ins. */
function drawPeople(base: number, source: KeySource): Drawn {
  const all = [...namedPeople(base), ...generatedPeople(base)];
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

/** Returns the invitation of a person who opened the invitation link and received this code. */
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
