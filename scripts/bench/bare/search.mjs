// Fastify and better-sqlite3 by hand: one prepared SELECT over the same index of trigrams that joins whatever the answer shows,
// and the same answer. No session, no permission, no contract.
import Sqlite from 'better-sqlite3';
import Fastify from 'fastify';

const db = new Sqlite(process.env.DATABASE_FILE, { readonly: true });
db.pragma('cache_size = -32768');
const FIELDS = ['firstName', 'lastName', 'primaryEmail', 'employeeId'];
const search = db.prepare(`
  SELECT m.id, m.suid, m.primaryAttr, m.firstName, m.lastName, m.primaryEmail, m.roleCode, m.accountStatus, m.isManager,
    m.lastSeenAt, m.hasPermissionForMobileApp, m.hasPermissionForWindowsApp, r.name AS roleName,
    (SELECT count(*) FROM devices WHERE suid = m.suid AND orgCode = m.orgCode AND +status IN ('active', 'paused')) AS deviceCount,
    a.code, a.expiresAt, a.wrongTries, a.usedAt,
    b.code AS desktopCode, b.expiresAt AS desktopExpiresAt, b.wrongTries AS desktopWrongTries, b.usedAt AS desktopUsedAt
  FROM member_search s
  JOIN members m ON m.id = s.rowid - ?
  JOIN roles r ON r.orgCode = m.orgCode AND r.roleCode = m.roleCode
  LEFT JOIN activation_codes a ON a.suid = m.suid AND a.type = 'mobile'
  LEFT JOIN activation_codes b ON b.suid = m.suid AND b.type = 'desktop'
  WHERE s.member_search MATCH ? AND s.rowid > ? AND s.rowid < ? ORDER BY s.rowid LIMIT ?`);

const isoOf = (time) => (time === null ? null : new Date(time).toISOString());
const codeOf = (code, expiresAt, wrongTries, usedAt) =>
  code === null || usedAt !== null
    ? ['', null, true, false]
    : [code, isoOf(expiresAt), expiresAt <= Date.now(), wrongTries >= 5];

function memberOf(row) {
  const { id, suid, primaryAttr, firstName, lastName, primaryEmail, roleCode, roleName, accountStatus, deviceCount } =
    row;
  const mobile = codeOf(row.code, row.expiresAt, row.wrongTries, row.usedAt);
  const desktop = codeOf(row.desktopCode, row.desktopExpiresAt, row.desktopWrongTries, row.desktopUsedAt);
  const lastSeen = isoOf(row.lastSeenAt);
  return {
    id: String(id),
    suid,
    primaryAttr,
    firstName,
    lastName,
    email: primaryEmail,
    primaryEmail,
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
