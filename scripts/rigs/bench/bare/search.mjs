// Fastify and better-sqlite3, used directly: one prepared SELECT over the same trigram index of all displayed fields,
// and the portal's response with decrypted activation codes, without sessions, permissions or a contract.
import { createDecipheriv, createSecretKey, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import Fastify from 'fastify';

const db = new Sqlite(process.env.DATABASE_FILE, { readonly: true });
db.pragma('cache_size = -32768');
const key = Buffer.from(readFileSync(`${process.env.DATABASE_FILE}.key`, 'utf8').trim(), 'base64url');
const sealing = createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'orchestrate vault seal', 32)));
const FIELDS = ['firstName', 'lastName', 'primaryEmail', 'employeeId'];
const search = db.prepare(`
  SELECT m.id, m.suid, m.primaryAttr, m.firstName, m.lastName, m.primaryEmail, m.emailVerifiedAt, m.roleCode, m.accountStatus, m.isManager,
    m.lastSeenAt, m.hasPermissionForMobileApp, m.hasPermissionForWindowsApp, r.name AS roleName,
    (SELECT count(*) FROM devices WHERE suid = m.suid AND orgCode = m.orgCode AND +status IN ('active', 'paused')) AS deviceCount,
    a.code, a.expiresAt, a.wrongTries, a.usedAt,
    b.code AS desktopCode, b.expiresAt AS desktopExpiresAt, b.wrongTries AS desktopWrongTries, b.usedAt AS desktopUsedAt
  FROM member_search s
  JOIN members m ON m.id = s.rowid - ?
  JOIN roles r ON r.orgCode = m.orgCode AND r.roleCode = m.roleCode
  LEFT JOIN activation_codes a ON a.suid = m.suid AND a.type = 'mobile'
  LEFT JOIN activation_codes b ON b.suid = m.suid AND b.type = 'desktop'
  WHERE s.member_search MATCH ? AND s.rowid > ? AND s.rowid < ? AND m.accountStatus <> 'deleted' ORDER BY s.rowid LIMIT ?`);

const isoOf = (time) => (time === null ? null : new Date(time).toISOString());

function opened(column, sealed) {
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf('.') + 1), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(column)).setAuthTag(bytes.subarray(12, 28));
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

const codeOf = (place, code, expiresAt, wrongTries, usedAt) =>
  code === null || usedAt !== null
    ? ['', null, true, false]
    : [opened(place, code), isoOf(expiresAt), expiresAt <= Date.now(), wrongTries >= 5];

function memberOf(row) {
  const { id, suid, primaryAttr, firstName, lastName, primaryEmail, roleCode, roleName, accountStatus, deviceCount } =
    row;
  const code = `activation_codes.code ${suid}`;
  const mobile = codeOf(`${code} mobile`, row.code, row.expiresAt, row.wrongTries, row.usedAt);
  const desktop = codeOf(
    `${code} desktop`,
    row.desktopCode,
    row.desktopExpiresAt,
    row.desktopWrongTries,
    row.desktopUsedAt,
  );
  const lastSeen = isoOf(row.lastSeenAt);
  return {
    id: String(id),
    suid,
    primaryAttr,
    firstName,
    lastName,
    email: primaryEmail,
    primaryEmail,
    emailVerified: row.emailVerifiedAt !== null,
    role: roleCode,
    roleName,
    accountStatus,
    isManager: row.isManager === 1,
    deviceCount,
    lastSeen,
    lastSeenAt: lastSeen,
    hasPermissionForMobileApp: row.hasPermissionForMobileApp === 1,
    hasPermissionForWindowsApp: row.hasPermissionForWindowsApp === 1,
    activationCode: mobile[0],
    activationExpiry: mobile[1],
    activationExpired: mobile[2],
    activationLocked: mobile[3],
    desktopActivationCode: desktop[0],
    desktopActivationExpiry: desktop[1],
    desktopActivationExpired: desktop[2],
    desktopActivationLocked: desktop[3],
  };
}

const app = Fastify();
app.get('/api/user/search', ({ query: { q, field, lastItem } }) => {
  const base = BigInt(FIELDS.indexOf(field)) << 56n;
  const after = lastItem === undefined ? 1n << 32n : BigInt(JSON.parse(lastItem).id);
  const rows = search.all(base, `text : "${q.replaceAll('"', '""')}"`, base + after, base + (2n << 32n), 21);
  const page = rows.slice(0, 20);
  const last = page.at(-1);
  return {
    resultCode: 0,
    Items: page.map(memberOf),
    LastEvaluatedKey: rows.length > 20 ? { primaryAttr: last.primaryAttr, id: String(last.id) } : null,
  };
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url }));
