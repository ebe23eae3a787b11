import type { World } from '@orchestrate/shared';
import { asc, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
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
import { unsealValue } from '../../sealed-columns.ts';
import { NAMES_KEY_SOURCE } from '../key-source.ts';
import type { PersonReference } from './export-organisation.ts';
import { groupRowsBy, isoTime, omitDefault, omitEmpty, omitMissing } from './omit-defaults.ts';
import { activationEmailId } from './people-rows.ts';
import { createValueGenerator } from './value-generator.ts';

type WrittenPerson = NonNullable<NonNullable<World['organisations']>[number]['people']>[number];

interface ExportedPeople {
  people: Map<string, WrittenPerson[]>;
  nameOf: PersonReference;
}

const bySuid = ({ suid }: { suid: string }) => suid;

/**
 * Exports people with their devices, codes, invitations and history, across all organisations. Also returns a
 * function that looks up how the world refers to a person.
 */
export function exportPeople(tx: Tx, randomSeed: string): ExportedPeople {
  const rows = tx.select().from(members).orderBy(asc(members.id)).all();
  const present = new Map(
    rows
      .filter(({ accountStatus }) => accountStatus !== 'deleted')
      .map(({ orgCode, primaryEmail, suid }) => [`${orgCode} ${primaryEmail}`, suid]),
  );
  const emails = new Map(rows.map(({ suid, primaryEmail }) => [suid, primaryEmail]));
  const nameOf: PersonReference = (orgCode, suid) => {
    // The ID isn't a foreign key, so the person may no longer exist.
    if (suid === null || !emails.has(suid)) return undefined;
    const email = emails.get(suid) ?? '';
    return present.get(`${orgCode} ${email}`) === suid ? email : suid;
  };
  const owned = exportedDevices(tx);
  const codes = exportedCodes(tx, randomSeed);
  const invited = exportedInvitations(tx, nameOf);
  const logins = exportedLogins(tx);
  const identities = exportedIdentities(tx);
  const people = groupRowsBy(
    rows,
    ({ orgCode }) => orgCode,
    (row): WrittenPerson => ({
      email: row.primaryEmail,
      id: row.suid,
      firstName: row.firstName,
      lastName: row.lastName,
      primaryAttr: row.primaryAttr,
      mobileNumber: omitMissing(row.mobileNumber),
      role: omitDefault(row.roleCode, 'USER'),
      status: omitDefault(row.accountStatus, 'active'),
      statusBeforePause: omitMissing(row.statusBeforePause),
      isManager: omitDefault(row.isManager, false),
      manager: nameOf(row.orgCode, row.managerSuid),
      hasPermissionForMobileApp: omitDefault(row.hasPermissionForMobileApp, true),
      hasPermissionForWindowsApp: omitDefault(row.hasPermissionForWindowsApp, true),
      language: omitMissing(row.language),
      createdAt: isoTime(row.createdAt),
      lastSeenAt: isoTime(row.lastSeenAt),
      emailVerifiedAt: isoTime(row.emailVerifiedAt) ?? null,
      externalId: omitMissing(row.externalId),
      userName: omitMissing(row.userName),
      provisionedAt: isoTime(row.provisionedAt),
      directoryAttributes: row.scimAttributes === null ? undefined : JSON.parse(row.scimAttributes),
      devices: owned.get(row.suid) ?? [],
      activationCodes: omitEmpty(codes.get(row.suid)),
      invitations: omitEmpty(invited.get(row.suid)),
      logins: omitEmpty(logins.get(row.suid)),
      identities: omitEmpty(identities.get(row.suid)),
    }),
  );
  return { people, nameOf };
}

function exportedDevices(tx: Tx): Map<string, NonNullable<WrittenPerson['devices']>> {
  const keys = new Map(
    tx
      .select()
      .from(virtualDevices)
      .all()
      .map(({ zid, privateKey }) => [zid, JSON.parse(unsealValue(tx, 'virtual_devices.privateKey', zid, privateKey))]),
  );
  const passkeysByZid = new Map(
    tx
      .select()
      .from(passkeys)
      .all()
      .map((row) => [row.zid, row]),
  );
  return groupRowsBy(tx.select().from(devices).orderBy(sql`rowid`).all(), bySuid, (row) => {
    const passkey = passkeysByZid.get(row.zid);
    return {
      id: row.zid,
      type: row.type,
      name: row.name,
      nickName: omitDefault(row.nickName, ''),
      platform: row.platform,
      status: omitDefault(row.status, 'active'),
      registeredAt: isoTime(row.registeredAt),
      lastLoginAt: isoTime(row.lastLoginAt),
      approvesFrom: row.approvesFrom > row.registeredAt ? isoTime(row.approvesFrom) : undefined,
      key: keys.get(row.zid) ?? row.publicKey ?? (row.type === 'webauthn' ? undefined : null),
      passkey: passkey && {
        credentialId: passkey.credentialId,
        publicKey: passkey.publicKey.toString('base64'),
        counter: passkey.counter,
        transports: passkey.transports,
        backedUp: passkey.backedUp,
        backupEligible: omitDefault(passkey.backupEligible, null),
      },
    };
  });
}

function exportedCodes(tx: Tx, randomSeed: string): Map<string, NonNullable<WrittenPerson['activationCodes']>> {
  const generator = createValueGenerator({ randomSeed, organisations: [] }, 0, NAMES_KEY_SOURCE);
  const mails = new Set(
    tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.template, 'activation-code'))
      .all()
      .map(({ id }) => id),
  );
  return groupRowsBy(tx.select().from(activationCodes).orderBy(sql`rowid`).all(), bySuid, (row) => ({
    type: row.type,
    code: unsealValue(tx, 'activation_codes.code', `${row.suid} ${row.type}`, row.code),
    issuedAt: isoTime(row.issuedAt),
    expiresAt: isoTime(row.expiresAt),
    usedAt: isoTime(row.usedAt),
    wrongTries: row.wrongTries,
    wrongTriesInAll: row.wrongTriesInAll,
    wrongTriesByNetwork: row.wrongTriesByNetwork,
    mailed: mails.has(activationEmailId(row.suid, row.type, generator)),
  }));
}

function exportedInvitations(tx: Tx, nameOf: PersonReference): Map<string, NonNullable<WrittenPerson['invitations']>> {
  return groupRowsBy(tx.select().from(invitations).orderBy(sql`rowid`).all(), bySuid, (row) => ({
    id: row.hash,
    type: row.type,
    email: row.email,
    invitedAt: isoTime(row.invitedAt),
    validFrom: isoTime(row.validFrom),
    expiresAt: isoTime(row.expiresAt),
    usedAt: isoTime(row.usedAt),
    closedAt: isoTime(row.closedAt),
    invitedBy: nameOf(row.orgCode, row.invitedBy),
  }));
}

function exportedLogins(tx: Tx): Map<string, NonNullable<WrittenPerson['logins']>> {
  return groupRowsBy(tx.select().from(loginHistory).orderBy(sql`rowid`).all(), bySuid, (row) => ({
    id: row.id,
    at: new Date(row.timestamp).toISOString(),
    device: omitMissing(row.zid),
    deviceName: row.deviceName,
    deviceType: row.deviceType,
    appId: omitDefault(row.appId, ''),
    appName: row.appName,
    mode: row.mode,
    ip: row.ip,
    status: omitDefault(row.loginStatus, 'Success'),
    reason: omitMissing(row.reason),
    disownedAt: isoTime(row.disownedAt),
  }));
}

function exportedIdentities(tx: Tx): Map<string, NonNullable<WrittenPerson['identities']>> {
  return groupRowsBy(tx.select().from(externalIdentities).orderBy(sql`rowid`).all(), bySuid, (row) => ({
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email,
    linkedAt: isoTime(row.linkedAt),
    approvedAt: isoTime(row.approvedAt),
    lastUsedAt: isoTime(row.lastUsedAt),
  }));
}
