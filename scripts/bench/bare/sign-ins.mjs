// What a sign-in cannot do without, and nothing else: the signatures that the server verifies and makes, and as many write
// transactions with as many rows. Works for the milliseconds of its argument, then prints what one sign-in has cost.
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import Sqlite from 'better-sqlite3';

/** Rows per transaction: begin; signature; claim; signature; answer with history, device and member; exchange. */
const TRANSACTIONS = [1, 1, 1, 1, 4, 3];
const ROW_BYTES = 200;
const WARM_UP_MS = 300;

const db = new Sqlite(process.env.DATABASE_FILE);
db.pragma('locking_mode = EXCLUSIVE');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL)');
const insert = db.prepare('INSERT INTO rows VALUES (?, ?)');
const content = 'x'.repeat(ROW_BYTES);
const write = db.transaction((rows) => {
  for (let row = 0; row < rows; row += 1) insert.run(randomBytes(16).toString('base64url'), content);
});

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ES256 = { dsaEncoding: 'ieee-p1363' };
const text = Buffer.from('x'.repeat(400));
const signature = sign('sha256', text, { key: privateKey, ...ES256 });

function signIn() {
  for (const rows of TRANSACTIONS) write.immediate(rows);
  // The device signs twice, when it opens the request and when it answers; the server signs the access token.
  for (let call = 0; call < 2; call += 1) verify('sha256', text, { key: publicKey, ...ES256 }, signature);
  sign('sha256', text, { key: privateKey, ...ES256 });
}

function work(milliseconds) {
  const before = process.cpuUsage();
  const began = performance.now();
  let count = 0;
  for (; performance.now() < began + milliseconds; count += 1) signIn();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / seconds, cpuMicroseconds: (user + system) / count };
}

work(WARM_UP_MS);
console.log(JSON.stringify(work(Number(process.argv[2]))));
