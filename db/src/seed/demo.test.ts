import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR, world } from '@orchestrate/shared';
import { beforeEach, expect, test } from 'vitest';
import { and, count, desc, eq } from '#drizzle';
import type { OpenDatabase } from '../database.ts';
import { activationCodeRepo, outboxRepo, scimLogRepo, scimTokenRepo, webhookRepo } from '../repos/index.ts';
import {
  activationCodes,
  applications,
  auditEvents,
  devices,
  invitations,
  loginHistory,
  members,
  organisations,
  portalOidc,
  roles,
  virtualDevices,
} from '../schema/index.ts';
import { unsealValue } from '../sealed-columns.ts';
import { dumpDatabase, memoryDb } from '../testing.ts';
import { seedDemoActivity } from './demo-activity.ts';
import { tableDigests } from './demo-digest.ts';
import { exportWorld } from './world/export-world.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);

let database: OpenDatabase;
beforeEach(() => {
  database = memoryDb({ now });
});

const signInAccounts = [
  ['acme', 'super.admin@acme.test', 'SUPER_ADMIN'],
  ['acme', 'helpdesk.admin@acme.test', 'HELPDESK_ADMIN'],
  ['acme', 'security.admin@acme.test', 'SECURITY_ADMIN'],
  ['acme', 'callcenter.admin@acme.test', 'CALL_CENTER_ADMIN'],
  ['acme', 'manager@acme.test', 'USER'],
  ['acme', 'user@acme.test', 'USER'],
  ['globex', 'admin@globex.test', 'SUPER_ADMIN'],
] as const;

function memberOf(orgCode: string, primaryEmail: string) {
  const found = database.db
    .select()
    .from(members)
    .where(and(eq(members.orgCode, orgCode), eq(members.primaryEmail, primaryEmail)))
    .get();
  if (!found) throw new Error(`${primaryEmail} is not in ${orgCode}`);
  return found;
}

function devicesOf(email: string) {
  const { orgCode, suid } = memberOf(email.endsWith('globex.test') ? 'globex' : 'acme', email);
  return database.db
    .select()
    .from(devices)
    .where(and(eq(devices.orgCode, orgCode), eq(devices.suid, suid)))
    .orderBy(desc(devices.registeredAt))
    .all();
}

test('seeds identical rows within an hour and different rows in another hour', () => {
  const rows = dumpDatabase(database);
  expect(dumpDatabase(memoryDb({ now: now + 10 * 60_000 }))).toEqual(rows);
  expect(dumpDatabase(memoryDb({ now: now + HOUR })).login_history).not.toEqual(rows.login_history);
});

/**
 * Row counts and digests of the demo before it became a world. Many tests rely on its IDs, keys and codes. Only
 * generated people's sign-ins, their last-seen times and the applications' start addresses have changed since.
 */
const BEFORE_WORLDS: Record<string, string> = {
  activation_codes: '26 e_mXZEB1cLg1huxb7eQB1J',
  applications: '6 t8NTUUldvPMDzbSUjQ0boN',
  client_secrets: '4 B1JDfRx7uY2NSzS3p6w3j2',
  devices: '379 3V3eXfsvv4rdS5TGl6BHtL',
  faq_categories: '4 u8Q45Ig0LeOIf1RBntOd87',
  faq_records: '15 1TqWwT6kTwPseHjd1vLmrr',
  faq_subcategories: '6 lQvUUgXONqiQCaqjV3Osbp',
  login_history: '3398 7R37E-Zi0zsRiR4fsWWBKP',
  member_counts: '17 pzlwkvYoQj40Zp7DOsP279',
  members: '258 4ptojnJ5uonURr2UzzfDmP',
  oidc_clients: '3 gnIEONH5Bm43kF8vfjfy2-',
  organisations: '2 61lJfY6l0SuyNlz1cn10YR',
  outbox: '26 oHaidCbEBgtrsHbxmfYxq6',
  portal_oidc: '1 xaqBsHfdFSQXYnzNIFhtPD',
  roles: '12 81u8xfCXyxVNNxrUcCJKs2',
  saml_service_providers: '1 U1fU6iJTIJJOyEF9gMKFV3',
  scim_credentials: '1 0d3RBCm1mDl8nQsUacTEfw',
  virtual_devices: '357 ElNJUz2eeAQ2ZW8cdRuDfp',
};

const SINCE_WORLDS = {
  roles: { createdAt: null, changedAt: null },
  members: { scimAttributes: null, userNameKey: null, language: null },
  applications: { usableBy: null, startUrl: null, logo: null },
  organisations: { logoutTogether: 0, mailLanguage: 'en' },
  outbox: { language: 'en' },
  saml_service_providers: { encryptAssertions: 0 },
  oidc_clients: {
    kind: 'web',
    backchannelLogoutUri: null,
    frontchannelLogoutUri: null,
    claims: '[]',
    jwks: null,
    jwksUri: null,
    idTokenAlg: 'RS256',
    accessTokenFormat: 'opaque',
    rotateRefreshTokens: 1,
    tokenExchange: 0,
    registrationTokenHash: null,
    registeredName: null,
  },
};

test('seeds the demo with unchanged rows, IDs, keys and codes', () => {
  const { worlds, invitations: invited, ...digests } = tableDigests(database, SINCE_WORLDS);
  expect(Object.fromEntries(Object.entries(digests).filter(([, digest]) => !digest.startsWith('0 ')))).toEqual(
    BEFORE_WORLDS,
  );
  expect(worlds).toMatch(/^1 /);
  // These digests are older than the demo's invitations, so only check the number of invitations.
  expect(invited).toMatch(/^4 /);
});

test('fills the activity of the last two weeks with changes that end in the current data', () => {
  seedDemoActivity(database.db, now, JSON.stringify);
  const events = database.db.select().from(auditEvents).orderBy(auditEvents.id).all();
  const days = new Set(events.map(({ at }) => new Date(at).toISOString().slice(0, 10)));
  expect(days.size).toBeGreaterThanOrEqual(10);
  expect(events.every(({ at }) => at > now - 14 * DAY && at < now)).toBe(true);
  expect(events.every(({ actorName, objectName }) => actorName !== '' && objectName !== '')).toBe(true);
  const secret = events.find(({ action }) => action === 'application.secret-added');
  expect(secret).toMatchObject({ actorName: 'Avery Lindqvist', objectName: 'Payroll' });
});

test('adds a disabled webhook with a failed test and deliveries of the activity', () => {
  seedDemoActivity(database.db, now, ({ id }) => String(id));
  const [webhook, ...others] = webhookRepo.listWebhooks(database.db, 'acme');
  expect(others).toEqual([]);
  expect(webhook).toMatchObject({ enabled: false, failingSince: null, disabledAt: null });
  const found = webhookRepo.listDeliveries(database.db, 'acme', webhook?.id ?? '', { count: 100 });
  expect(found.at(-1)).toMatchObject({ type: 'webhook.test', status: 'failed', responseStatus: 401, attempts: 1 });
  expect(found.length).toBeGreaterThanOrEqual(4);
  const events = database.db.select().from(auditEvents).all();
  for (const { type, payload, createdAt, status, attempts, nextAttemptAt } of found.slice(0, -1)) {
    expect(events.find(({ id }) => String(id) === payload)).toMatchObject({ action: type, at: createdAt });
    expect({ status, attempts, nextAttemptAt }).toEqual({ status: 'delivered', attempts: 1, nextAttemptAt: null });
  }
  expect(webhookRepo.findNextDeliveryTime(database.db)).toBeNull();
});

test("logs the directory's requests that the activity names", () => {
  seedDemoActivity(database.db, now, JSON.stringify);
  const changes = database.db.select().from(auditEvents).where(eq(auditEvents.actorKind, 'directory')).all();
  const log = scimLogRepo.listScimLog(database.db, 'acme', { before: undefined, count: 100 });
  const found = changes.map(({ at, objectId }) => ({ at, operation: `PATCH /Users/${objectId}`, status: 200 }));
  expect(found.length).toBeGreaterThanOrEqual(4);
  expect(log.map(({ at, operation, status }) => ({ at, operation, status }))).toEqual(
    found.toSorted((a, b) => b.at - a.at),
  );
  const [token] = scimTokenRepo.listScimTokens(database.db, 'acme');
  expect(token).toMatchObject({ name: changes[0]?.actorName, lastUsedAt: log[0]?.at });
});

test('exports and imports the demo as a valid, identical world', () => {
  const exported = exportWorld(database.db);
  const imported = memoryDb({ seed: world.parse(exported), now });
  expect(exportWorld(imported.db)).toEqual(exported);
  expect(tableDigests(imported)).toEqual(tableDigests(database));
});

test("passes SQLite's integrity and foreign key checks", () => {
  expect(database.raw.pragma('foreign_key_check')).toEqual([]);
  expect(database.raw.pragma('integrity_check', { simple: true })).toBe('ok');
});

test.each(signInAccounts)('in %s, gives %s the role %s and an active virtual phone', (orgCode, email, roleCode) => {
  const member = memberOf(orgCode, email);
  expect(member).toMatchObject({ roleCode, accountStatus: 'active', hasPermissionForMobileApp: true });
  const phone = devicesOf(email).find((device) => device.type === 'mobile' && device.status === 'active');
  const key = database.db
    .select()
    .from(virtualDevices)
    .where(eq(virtualDevices.zid, phone?.zid ?? ''))
    .get();
  expect(key).toBeDefined();
});

test('creates a working key pair for each mobile and desktop device', () => {
  const rows = database.db.select().from(devices).leftJoin(virtualDevices, eq(virtualDevices.zid, devices.zid)).all();
  const message = Buffer.from('approve');
  for (const { devices: device, virtual_devices: virtual } of rows) {
    if (device.type === 'webauthn') {
      expect([virtual, device.publicKey, device.thumbprint]).toEqual([null, null, null]);
      continue;
    }
    const { crv, kty, x, y } = { ...device.publicKey };
    expect(device.thumbprint).toBe(hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url'));
    const opened = virtual && unsealValue(database.db, 'virtual_devices.privateKey', device.zid, virtual.privateKey);
    const privateKey = createPrivateKey({ key: JSON.parse(String(opened)), format: 'jwk' });
    const publicKey = createPublicKey({ key: { ...device.publicKey }, format: 'jwk' });
    expect(verify('sha256', message, publicKey, sign('sha256', message, privateKey))).toBe(true);
  }
  const thumbprints = rows.flatMap((row) => row.devices.thumbprint ?? []);
  expect(new Set(thumbprints).size).toBe(thumbprints.length);
});

test('seeds acme with 250 people in all account statuses, 214 of them active', () => {
  const found = database.db
    .select({ status: members.accountStatus, people: count() })
    .from(members)
    .where(eq(members.orgCode, 'acme'))
    .groupBy(members.accountStatus)
    .all();
  const people = Object.fromEntries(found.map(({ status, people }) => [status, people]));
  expect(people).toEqual({ active: 214, inactive: 11, unregistered: 13, invited: 4, unverified: 2, deleted: 6 });
});

test('seeds names in many scripts with lowercase ASCII email addresses', () => {
  const people = database.db.select().from(members).all();
  for (const { primaryEmail } of people) expect(primaryEmail).toMatch(/^[a-z]+(\.[a-z]+)*@[a-z]+\.test$/);
  const names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  expect(names).toEqual(expect.arrayContaining(['Avery Lindqvist', 'Zoë Lefèvre', 'Łukasz Kamiński', '太郎 田中']));
});

test('seeds a member with the same email in both organisations', () => {
  const both = database.db.select().from(members).where(eq(members.primaryEmail, 'noa.berg@consulting.test')).all();
  expect(both.map((member) => member.orgCode)).toEqual(['acme', 'globex']);
});

test('assigns eight direct reports to the manager, including the user', () => {
  const manager = memberOf('acme', 'manager@acme.test');
  expect(manager.isManager).toBe(true);
  const reports = database.db.select().from(members).where(eq(members.managerSuid, manager.suid)).all();
  expect(reports).toHaveLength(8);
  expect(reports.map((report) => report.primaryEmail)).toContain('user@acme.test');
});

test('seeds the super admin with the devices from the designs', () => {
  expect(devicesOf('super.admin@acme.test')).toMatchObject([
    { name: 'Pixel 9 Pro', nickName: 'Pocket', type: 'mobile', status: 'active' },
    { name: 'ThinkPad X1', nickName: 'Desk', type: 'desktop', status: 'active' },
    { name: 'iPhone 14', nickName: '', type: 'mobile', status: 'paused' },
    { name: 'YubiKey 5C', nickName: 'Keyring', type: 'webauthn', status: 'active' },
  ]);
});

test('seeds one device for the user, three for the manager, the maximum for the security admin', () => {
  const typesOf = (email: string) => devicesOf(email).map((device) => device.type);
  expect(typesOf('user@acme.test')).toEqual(['mobile']);
  expect(typesOf('manager@acme.test').sort()).toEqual(['desktop', 'mobile', 'mobile']);
  expect(typesOf('security.admin@acme.test')).toHaveLength(5);
});

test('seeds devices of every type and status', () => {
  const found = database.db.select({ type: devices.type, status: devices.status }).from(devices).all();
  expect(new Set(found.map((device) => device.type))).toEqual(new Set(['mobile', 'desktop', 'webauthn']));
  expect(new Set(found.map((device) => device.status))).toEqual(new Set(['active', 'paused', 'removed', 'lost']));
});

test('covers 90 days of login history, with more than a page for each sign-in account', () => {
  const records = database.db.select().from(loginHistory).all();
  const times = records.map((record) => record.timestamp);
  expect(Math.max(...times)).toBeLessThan(now);
  expect(Math.max(...times)).toBeGreaterThan(now - DAY);
  expect(Math.min(...times)).toBeGreaterThan(now - 91 * DAY);
  expect(new Set(records.map((record) => record.loginStatus))).toEqual(new Set(['Success', 'Failed']));
  expect(new Set(records.map((record) => record.appName))).toEqual(
    new Set(['Portal', 'Payroll', 'Wiki', 'Source Control']),
  );
  for (const [orgCode, email] of signInAccounts) {
    const { suid, lastSeenAt } = memberOf(orgCode, email);
    const own = records.filter((record) => record.suid === suid);
    expect(own.length).toBeGreaterThan(40);
    const successes = own.filter((record) => record.loginStatus === 'Success').map((record) => record.timestamp);
    expect(lastSeenAt).toBe(Math.max(...successes));
  }
});

test('seeds no sign-ins before a device is registered or after it is removed', () => {
  const records = database.db
    .select({ record: loginHistory, device: devices })
    .from(loginHistory)
    .innerJoin(devices, eq(devices.zid, loginHistory.zid))
    .all();
  for (const { record, device } of records) {
    expect(record.suid).toBe(device.suid);
    expect(record.timestamp).toBeGreaterThanOrEqual(device.registeredAt);
    if (device.status !== 'active') expect(record.timestamp).toBeLessThan(now - 30 * DAY);
  }
});

test('seeds newcomers with valid, expired and locked activation codes, each of them emailed', () => {
  const found = database.db
    .select({ code: activationCodes, member: members })
    .from(activationCodes)
    .innerJoin(members, eq(members.suid, activationCodes.suid))
    .where(eq(activationCodes.type, 'mobile'))
    .all();
  const states = found.map(({ code }) => {
    if (code.expiresAt <= now) return 'expired';
    return code.wrongTries >= 5 ? 'locked' : 'valid';
  });
  expect(new Set(states)).toEqual(new Set(['valid', 'expired', 'locked']));
  const mails = outboxRepo.listOutbox(database.db, { limit: 100 });
  const codes = found.map(({ code, member }) => {
    const { code: digits } = activationCodeRepo.unsealActivationCode(database.db, code);
    expect(digits).toMatch(/^\d{6}$/);
    expect(['unregistered', 'invited']).toContain(member.accountStatus);
    const mail = mails.find((sent) => sent.code === digits);
    expect(mail).toMatchObject({ to: member.primaryEmail, createdAt: code.issuedAt, channel: 'mail' });
    return digits;
  });
  expect(new Set(codes).size).toBe(found.length);
});

test('seeds an open invitation for each invited member and no one else', () => {
  const invited = database.db.select().from(members).where(eq(members.accountStatus, 'invited')).all();
  const open = database.db.select().from(invitations).all();
  expect(open.map(({ suid }) => suid).toSorted()).toEqual(invited.map(({ suid }) => suid).toSorted());
  const codes = new Map(
    database.db
      .select()
      .from(activationCodes)
      .all()
      .map((code) => [code.suid, code]),
  );
  for (const { suid, email, type, invitedAt, validFrom, usedAt, expiresAt, closedAt } of open) {
    const code = codes.get(suid);
    expect({ type, closedAt, email }).toEqual({
      type: 'mobile',
      closedAt: null,
      email: invited.find((member) => member.suid === suid)?.primaryEmail,
    });
    // Opening the link issues the code, so the link's times match the code's.
    expect({ usedAt, expiresAt }).toEqual({ usedAt: code?.issuedAt ?? null, expiresAt: code?.expiresAt ?? expiresAt });
    expect(validFrom).toBe(invitedAt);
    expect(invitedAt).toBeLessThan(usedAt ?? now);
  }
});

test('seeds the system roles in each organisation and two custom roles in acme', () => {
  const custom = database.db.select().from(roles).where(eq(roles.type, 'custom')).all();
  expect(custom.map((role) => [role.orgCode, role.name])).toEqual([
    ['acme', 'Auditor'],
    ['acme', 'Onboarding Team'],
  ]);
  const system = database.db.select().from(roles).where(eq(roles.orgCode, 'globex')).all();
  expect(system).toHaveLength(5);
});

test('seeds a portal application in each organisation and three more applications in acme', () => {
  const found = database.db.select().from(applications).all();
  expect(found.map(({ orgCode, integrationType, name }) => [orgCode, integrationType, name])).toEqual([
    ['acme', 'portal', 'Acme Portal'],
    ['acme', 'oidc', 'Payroll'],
    ['acme', 'oidc', 'Team Wiki'],
    ['acme', 'saml', 'Travel Desk'],
    ['globex', 'oidc', 'Acme Portal SSO'],
    ['globex', 'portal', 'Globex Portal'],
  ]);
});

test("enables globex as acme's external provider", () => {
  expect(database.db.select().from(portalOidc).all()).toMatchObject([{ orgCode: 'acme', clientId: 'acme-portal-sso' }]);
  const acme = database.db.select().from(organisations).where(eq(organisations.orgCode, 'acme')).get();
  expect(acme?.portalOidcEnabled).toBe(true);
});

test('seeds distinct branding for each organisation', () => {
  const brands = database.db.select({ code: organisations.orgCode, color: organisations.color }).from(organisations);
  expect(brands.all()).toEqual([
    { code: 'acme', color: '#FACC15' },
    { code: 'globex', color: '#1E3A8A' },
  ]);
});

const { entries: MIGRATIONS } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'migrations', 'meta', '_journal.json'), 'utf8'),
);

// covers: security 6.3.2
test('inserts no rows without a seed', () => {
  const { __drizzle_migrations: migrations, ...tables } = dumpDatabase(memoryDb({ seed: 'none', now }));
  expect(migrations).toHaveLength(MIGRATIONS.length);
  expect(Object.values(tables).flat()).toEqual([]);
});
