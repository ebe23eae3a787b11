// The minimum: csv-parse and better-sqlite3, used directly. Streams the file and writes two thousand rows per
// transaction into the portal's own tables, with one prepared INSERT per row and table. It validates nothing, looks
// up no members and doesn't detect duplicates. With INDEXES=none the tables only have their primary keys.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { parse } from 'csv-parse';

const { DATABASE_FILE, CSV_FILE, SEND_EMAIL, INDEXES } = process.env;
const BATCH = 2_000;
const DAY = 86_400_000;
const db = new Sqlite(DATABASE_FILE);
db.pragma('locking_mode = EXCLUSIVE');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.pragma('cache_size = -32768');
db.pragma('foreign_keys = ON');

if (INDEXES === 'none') {
  db.pragma('foreign_keys = OFF');
  const indexes = db.prepare(`
    SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
    AND tbl_name IN ('members', 'activation_codes', 'invitations', 'outbox')`);
  for (const { name } of indexes.all()) db.exec(`DROP INDEX ${name}`);
}
const rest = db.prepare('INSERT INTO member_trigger_rests VALUES (1)');
const wake = db.prepare('DELETE FROM member_trigger_rests');
const member = db.prepare(`
  INSERT INTO members (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, accountStatus, createdAt)
  VALUES (?, ?, 'acme', ?, ?, ?, ?, 'unregistered', ?)`);
const code = db.prepare(`
  INSERT INTO activation_codes (suid, type, orgCode, code, expiresAt, issuedAt) VALUES (?, 'mobile', 'acme', ?, ?, ?)`);
const link = db.prepare(`
  INSERT INTO invitations (hash, orgCode, suid, type, email, validFrom, expiresAt)
  VALUES (?, 'acme', ?, 'mobile', ?, ?, ?)`);
const mail = db.prepare(`
  INSERT INTO outbox (id, orgCode, channel, "to", template, facts, createdAt)
  VALUES (?, 'acme', 'mail', ?, 'invitation', ?, ?)`);
const found = db.prepare(`
  INSERT INTO member_search (rowid, text, status)
  SELECT id, text, status FROM member_search_texts WHERE memberId BETWEEN ? AND ?`);
/** Creates time-ordered IDs, which keep new rows adjacent in the indexes, like the portal's. */
function id() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  return bytes.toString('base64url');
}

let next = 1 + db.prepare(`SELECT max(id) FROM members WHERE orgCode = 'acme'`).pluck().get();
const write = db.transaction((rows) => {
  const now = Date.now();
  const first = next;
  rest.run();
  for (const [email, firstName, lastName, primaryAttr] of rows) {
    const suid = id();
    member.run(next++, suid, primaryAttr, firstName, lastName, email, now);
    code.run(suid, String(randomInt(1_000_000)).padStart(6, '0'), now + DAY, now);
    if (SEND_EMAIL !== 'true') continue;
    const token = randomBytes(32).toString('base64url');
    link.run(createHash('sha256').update(token).digest('base64url'), suid, email, now, now + 7 * DAY);
    const facts = { firstName, type: 'mobile', link: `http://localhost:3000/api/user/activate?token=${token}` };
    mail.run(id(), email, JSON.stringify({ ...facts, validFrom: now, expiresAt: now + 7 * DAY }), now);
  }
  if (INDEXES === 'all') found.run(first, next - 1);
  wake.run();
});

const began = performance.now();
const before = process.cpuUsage();
let batch = [];
let count = 0;
for await (const row of createReadStream(CSV_FILE).pipe(parse({ from: 2 }))) {
  batch.push(row);
  if (batch.length < BATCH) continue;
  write.immediate(batch);
  count += batch.length;
  batch = [];
}
write.immediate(batch);
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - began) / 1_000;
const rows = count + batch.length;
db.close();
console.log(JSON.stringify({ perSecond: rows / seconds, cpuMicroseconds: (user + system) / rows }));
