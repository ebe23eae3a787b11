// A sign-in's minimum work: the signatures that the server verifies and creates, and the same number of write
// transactions and rows.
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import Sqlite from 'better-sqlite3';

const ROW_BYTES = 200;
const ES256 = { dsaEncoding: 'ieee-p1363' };

/**
 * Creates a database and returns functions that do the minimum work of each sign-in step.
 * @param file path of the database to create
 */
export function createSignInWork(file) {
  const db = new Sqlite(file);
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
  const text = Buffer.from('x'.repeat(400));
  const signature = sign('sha256', text, { key: privateKey, ...ES256 });
  const verifyDevice = () => verify('sha256', text, { key: publicKey, ...ES256 }, signature);

  return {
    begin() {
      write.immediate(1);
    },
    open() {
      verifyDevice();
      write.immediate(1);
      write.immediate(1);
    },
    /** Writes the sign-in request, its history, the device and the member. */
    answer() {
      verifyDevice();
      write.immediate(1);
      write.immediate(4);
    },
    /** Writes the sign-in request, the session and its refresh token, and signs the access token. */
    exchange() {
      write.immediate(3);
      sign('sha256', text, { key: privateKey, ...ES256 });
    },
  };
}
