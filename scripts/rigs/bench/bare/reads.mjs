// Fastify and better-sqlite3, used directly: one prepared SELECT per table and the portal's response, without
// sessions, permissions or a contract.
import Sqlite from 'better-sqlite3';
import Fastify from 'fastify';

const { DATABASE_FILE, ANSWERS } = process.env;
/** The portal's responses, reused here to match their fields and size. */
const { profile, user } = JSON.parse(ANSWERS);
const db = new Sqlite(DATABASE_FILE, { readonly: true });
const memberBySuid = db.prepare('SELECT * FROM members WHERE orgCode = ? AND suid = ?');
const devicesOf = db.prepare('SELECT * FROM devices WHERE orgCode = ? AND suid = ? AND status IN (?, ?)');

const namesOf = ({ firstName, lastName, primaryAttr, suid, primaryEmail }) => ({
  firstName,
  lastName,
  primaryAttr,
  suid,
  email: primaryEmail,
});
const isoOf = (time) => (time === null ? null : new Date(time).toISOString());
const deviceOf = ({ zid, name, nickName, type, status, registeredAt, lastLoginAt }) => ({
  zid,
  name,
  nickName,
  type,
  status,
  registeredDate: isoOf(registeredAt),
  lastLogin: isoOf(lastLoginAt),
});

const app = Fastify();
app.get('/api/profile', () => {
  const member = memberBySuid.get(profile.profile.orgId, profile.profile.suid);
  return { resultCode: 0, profile: { ...profile.profile, ...namesOf(member) } };
});
app.get('/api/user', () => {
  const member = memberBySuid.get(profile.profile.orgId, profile.profile.suid);
  const devices = devicesOf.all(member.orgCode, member.suid, 'active', 'paused');
  return {
    resultCode: 0,
    profile: { ...user.profile, ...namesOf(member), lastSeen: isoOf(member.lastSeenAt) },
    devices: devices.map(deviceOf),
  };
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url }));
