import {
  DAY,
  type Language,
  LIMITS,
  SECOND,
  type WorldDevice,
  type WorldOrganisation,
  type WorldPerson,
} from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import { foldCase } from '../../fold-case.ts';
import { memberIdRange } from '../../member-ids.ts';
import {
  activationCodes,
  devices,
  externalIdentities,
  invitations,
  loginHistory,
  members,
  outbox,
  passkeys,
  virtualDevices,
} from '../../schema/index.ts';
import { thumbprintOf } from '../device-keys.ts';
import { drawName } from '../names.ts';
import { tableRows, type Unsealed } from '../table-rows.ts';
import { type FindPerson, suidOfPerson } from './find-person.ts';
import type { ValueGenerator } from './value-generator.ts';

/** Statuses of people who have never had a device. */
const NEWCOMERS: ReadonlySet<string> = new Set(['unregistered', 'invited', 'unverified']);

type Rows<Table extends { $inferInsert: object }> = Unsealed<Table['$inferInsert']>[];

interface Subject {
  orgCode: string;
  suid: string;
  firstName: string;
  email: string;
  /** Language of the organisation's emails. */
  language: Language;
  person: WorldPerson;
  generator: ValueGenerator;
}

/** Returns people with their devices, codes, invitations and history, across all organisations. */
export function peopleRows(
  orgs: readonly WorldOrganisation[],
  find: FindPerson,
  generator: ValueGenerator,
): TableRows[] {
  const { base, time } = generator;
  const rows = {
    members: [] as Rows<typeof members>,
    devices: [] as Rows<typeof devices>,
    virtualDevices: [] as Rows<typeof virtualDevices>,
    passkeys: [] as Rows<typeof passkeys>,
    logins: [] as Rows<typeof loginHistory>,
    codes: [] as Rows<typeof activationCodes>,
    invitations: [] as Rows<typeof invitations>,
    mails: [] as Rows<typeof outbox>,
    identities: [] as Rows<typeof externalIdentities>,
  };
  for (const [number, { code: orgCode, mailLanguage, people }] of orgs.entries()) {
    const { after } = memberIdRange(number + 1);
    for (const [at, person] of people.entries()) {
      const suid = suidOfPerson(orgCode, person, generator);
      const isNewcomer = NEWCOMERS.has(person.status);
      const drawn = person.firstName === undefined || person.lastName === undefined ? drawName(suid) : undefined;
      const firstName = person.firstName ?? drawn?.firstName ?? '';
      const createdAt = time(person.createdAt, base);
      rows.members.push({
        id: after + at + 1,
        suid,
        orgCode,
        primaryAttr: person.primaryAttr ?? `P-${suid.slice(0, 8)}`,
        firstName,
        lastName: person.lastName ?? drawn?.lastName ?? '',
        primaryEmail: person.email,
        mobileNumber: person.mobileNumber ?? null,
        roleCode: person.role,
        accountStatus: person.status,
        statusBeforePause: person.statusBeforePause ?? null,
        isManager: person.isManager,
        managerSuid: find(orgCode, person.manager),
        hasPermissionForMobileApp: person.hasPermissionForMobileApp,
        hasPermissionForWindowsApp: person.hasPermissionForWindowsApp,
        language: person.language ?? null,
        lastSeenAt: time(person.lastSeenAt, null),
        createdAt,
        externalId: person.externalId ?? null,
        userName: person.userName ?? null,
        userNameKey: person.userName === undefined ? null : foldCase(person.userName),
        provisionedAt: time(person.provisionedAt, null),
        scimAttributes: person.directoryAttributes === undefined ? null : JSON.stringify(person.directoryAttributes),
        emailVerifiedAt:
          person.emailVerifiedAt === null ? null : time(person.emailVerifiedAt, isNewcomer ? null : createdAt),
      });
      const language = person.language ?? mailLanguage;
      const subject = { orgCode, suid, firstName, email: person.email, language, person, generator };
      const { devices: owned = isNewcomer || person.status === 'deleted' ? [] : [PHONE] } = person;
      for (const [nth, device] of owned.entries()) addDevice(rows, subject, device, nth);
      addCodes(rows, subject);
      addInvitations(rows.invitations, subject, find);
      addHistory(rows, subject);
    }
  }
  return [
    tableRows(members, rows.members),
    tableRows(devices, rows.devices),
    tableRows(virtualDevices, rows.virtualDevices),
    tableRows(passkeys, rows.passkeys),
    tableRows(loginHistory, rows.logins),
    tableRows(activationCodes, rows.codes),
    tableRows(invitations, rows.invitations),
    // Insert emails in the order in which they were sent.
    tableRows(
      outbox,
      rows.mails.toSorted((one, other) => one.createdAt - other.createdAt),
    ),
    tableRows(externalIdentities, rows.identities),
  ];
}

const PHONE: WorldDevice = { type: 'mobile', nickName: '', platform: 'Simulated', status: 'active' };

/**
 * Returns the ID of a device in a world.
 * @param nth position among the person's devices
 */
const zidOfDevice = (suid: string, { id }: WorldDevice, nth: number, generator: ValueGenerator): string =>
  id ?? generator.id(`device ${suid} ${nth}`);

interface DeviceLists {
  devices: Rows<typeof devices>;
  virtualDevices: Rows<typeof virtualDevices>;
  passkeys: Rows<typeof passkeys>;
}

function addDevice(
  rows: DeviceLists,
  { orgCode, suid, firstName, generator }: Subject,
  device: WorldDevice,
  nth: number,
): void {
  const { base, time } = generator;
  const { type, nickName, platform, status, key, passkey } = device;
  const zid = zidOfDevice(suid, device, nth, generator);
  const signs = type !== 'webauthn';
  const drawn = key === undefined && signs ? generator.keys(zid) : undefined;
  const { d = undefined, ...publicKey } = key ?? drawn?.privateKey ?? {};
  const isKnown = 'x' in publicKey;
  rows.devices.push({
    zid,
    orgCode,
    suid,
    name: device.name ?? `${firstName}\u2019s ${type === 'mobile' ? 'phone' : type === 'desktop' ? 'computer' : 'key'}`,
    nickName,
    type,
    platform,
    status,
    publicKey: isKnown ? publicKey : null,
    thumbprint: drawn?.thumbprint ?? (isKnown ? thumbprintOf(publicKey) : null),
    registeredAt: time(device.registeredAt, base),
    lastLoginAt: time(device.lastLoginAt, null),
    approvesFrom: time(device.approvesFrom, 0),
  });
  if (isKnown && d !== undefined) rows.virtualDevices.push({ zid, privateKey: JSON.stringify({ ...publicKey, d }) });
  if (passkey) rows.passkeys.push({ zid, orgCode, ...passkey, publicKey: Buffer.from(passkey.publicKey, 'base64') });
}

/** Returns the ID of the email that delivers an activation code in a world. */
export const activationEmailId = (suid: string, type: string, { prng }: ValueGenerator): string =>
  prng(`${type} mail ${suid}`).id();

interface CodeLists {
  codes: Rows<typeof activationCodes>;
  mails: Rows<typeof outbox>;
}

function addCodes(rows: CodeLists, { orgCode, suid, firstName, email, language, person, generator }: Subject): void {
  const { base, time } = generator;
  for (const { type, mailed, ...code } of person.activationCodes) {
    const digits = code.code ?? generator.code(`${type} code ${suid}`, LIMITS.activationCodeLength);
    const issuedAt = time(code.issuedAt, base);
    const expiresAt = time(code.expiresAt, issuedAt + LIMITS.activationCodeLifetimeSeconds * SECOND);
    rows.codes.push({
      suid,
      type,
      orgCode,
      code: digits,
      issuedAt,
      expiresAt,
      usedAt: time(code.usedAt, null),
      wrongTries: code.wrongTries,
      wrongTriesInAll: code.wrongTriesInAll ?? code.wrongTries,
      wrongTriesByNetwork: code.wrongTriesByNetwork,
    });
    if (!mailed) continue;
    rows.mails.push({
      id: activationEmailId(suid, type, generator),
      orgCode,
      channel: 'mail',
      to: email,
      template: 'activation-code',
      language,
      facts: { firstName, type, expiresAt },
      code: digits,
      secretFor: suid,
      secretUntil: expiresAt,
      createdAt: issuedAt,
      deliveredAt: issuedAt,
    });
  }
}

function addInvitations(
  rows: Rows<typeof invitations>,
  { orgCode, suid, email, person, generator }: Subject,
  find: FindPerson,
): void {
  const { base, time } = generator;
  for (const [nth, invitation] of person.invitations.entries()) {
    const invitedAt = time(invitation.invitedAt, base);
    const validFrom = time(invitation.validFrom, invitedAt);
    rows.push({
      hash: invitation.id ?? generator.id(`invitation ${suid} ${nth}`, generator.secret),
      orgCode,
      suid,
      type: invitation.type,
      email: invitation.email ?? email,
      validFrom,
      expiresAt: time(invitation.expiresAt, validFrom + LIMITS.invitationLifetimeDays * DAY),
      usedAt: time(invitation.usedAt, null),
      invitedAt,
      invitedBy: find(orgCode, invitation.invitedBy),
      closedAt: time(invitation.closedAt, null),
    });
  }
}

interface HistoryLists {
  logins: Rows<typeof loginHistory>;
  identities: Rows<typeof externalIdentities>;
}

function addHistory(rows: HistoryLists, { orgCode, suid, email, person, generator }: Subject): void {
  const { base, time } = generator;
  for (const [nth, { id, at, device, status, disownedAt, ...login }] of person.logins.entries()) {
    rows.logins.push({
      ...login,
      id: id ?? generator.id(`login ${suid} ${nth}`),
      orgCode,
      suid,
      zid: device ?? null,
      loginStatus: status,
      timestamp: time(at, base),
      disownedAt: time(disownedAt, null),
    });
  }
  for (const [nth, { id, issuer, subject, ...identity }] of person.identities.entries()) {
    const linkedAt = time(identity.linkedAt, base);
    rows.identities.push({
      id: id ?? generator.id(`identity ${suid} ${nth}`),
      orgCode,
      suid,
      issuer,
      subject,
      email: identity.email || email,
      linkedAt,
      approvedAt: time(identity.approvedAt, null),
      lastUsedAt: time(identity.lastUsedAt, linkedAt),
    });
  }
}
