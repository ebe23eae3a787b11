import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR, MINUTE } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../database.ts';
import { openDatabase } from '../open.ts';
import { dumpDatabase, memoryDb } from '../testing.ts';
import { resetDatabase } from './reset-database.ts';
import { seedDatabase } from './seed-database.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-reset-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function seeded(file: string): OpenDatabase {
  const database = openDatabase({ file, keysFrom: 'names' });
  seedDatabase(database.db, 'demo', now);
  return database;
}

/** Changes every table that changes in typical use. */
function work({ raw }: OpenDatabase): void {
  raw.exec(`
    INSERT INTO device_signatures VALUES ('used', ${now});
    INSERT INTO members (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, accountStatus, createdAt)
      VALUES ((1 << 32) + 999, 'new', 'acme', 'E-1', 'New', 'Member', 'new@acme.test', 'active', ${now});
    INSERT INTO sessions (sid, orgCode, suid, zid, createdAt, expiresAt)
      SELECT 'sid', orgCode, suid, zid, ${now}, ${now} FROM devices LIMIT 1;
    INSERT INTO audit_events
      VALUES (1, 'acme', ${now}, 'member.updated', 'system', NULL, '', '', NULL, '', 'member', 'a', '', NULL, '[]', '');
    INSERT INTO refresh_tokens VALUES ('hash', 'sid', ${now}, NULL);
    UPDATE organisations SET name = 'Renamed';
    UPDATE devices SET status = 'lost';
    DELETE FROM login_history WHERE rowid % 2 = 0;
    DELETE FROM activation_codes;
    DELETE FROM outbox;
    DELETE FROM virtual_devices;
  `);
}

describe.each([
  ['in memory', () => seeded(':memory:')],
  ['in a file', () => seeded(join(folder, 'portal.db'))],
  ['opened by memoryDb', () => memoryDb({ now })],
])('resetting a database %s', (_, open) => {
  test('restores the seeded state on every reset', () => {
    const database = open();
    const before = dumpDatabase(database);
    for (let round = 0; round < 3; round += 1) {
      work(database);
      resetDatabase(database.db, 'demo', now);
      expect(dumpDatabase(database)).toEqual(before);
    }
    database.close();
  });

  test('detects every kind of change to a large table since the last reset', { tags: 'whole' }, () => {
    const database = open();
    const before = dumpDatabase(database);
    resetDatabase(database.db, 'demo', now);
    for (const change of [
      "UPDATE login_history SET ip = '192.0.2.9' WHERE rowid = 7",
      'DELETE FROM login_history WHERE rowid = 7',
      `INSERT INTO login_history (id, orgCode, suid, deviceName, appName, mode, ip, loginStatus, timestamp)
         SELECT 'more', orgCode, suid, deviceName, appName, mode, ip, loginStatus, timestamp FROM login_history LIMIT 1`,
      "UPDATE members SET firstName = 'Renamed' WHERE orgCode = 'acme'",
      'DELETE FROM devices',
      'UPDATE login_history SET rowid = 90000 + rowid WHERE rowid < 9',
      `REPLACE INTO login_history (id, orgCode, suid, deviceName, appName, mode, ip, loginStatus, timestamp)
         SELECT id, orgCode, suid, deviceName, appName, mode, ip, loginStatus, timestamp FROM login_history WHERE rowid = 9`,
    ]) {
      database.raw.pragma('foreign_keys = OFF');
      database.raw.exec(change);
      database.raw.pragma('foreign_keys = ON');
      expect(dumpDatabase(database)).not.toEqual(before);
      resetDatabase(database.db, 'demo', now);
      expect(dumpDatabase(database)).toEqual(before);
    }
    database.close();
  });

  test('keeps prepared statements, keys and foreign keys across a reset', () => {
    const database = open();
    const count = database.raw.prepare('SELECT count(*) FROM members').pluck();
    const rename = database.raw.prepare('UPDATE organisations SET name = ? WHERE orgCode = ?');
    database.raw.exec(`INSERT INTO signing_keys VALUES ('kid', 'session', '{}', ${now})`);
    const people = count.get();
    work(database);
    resetDatabase(database.db, 'demo', now);
    expect(count.get()).toBe(people);
    expect(rename.run('Again', 'acme').changes).toBe(1);
    expect(database.raw.prepare('SELECT kid FROM signing_keys').pluck().all()).toEqual(['kid']);
    expect(() => database.raw.exec(`UPDATE devices SET suid = 'nobody'`)).toThrow(/FOREIGN KEY/);
    database.close();
  });

  test('seeds the data for the requested hour', () => {
    const database = open();
    resetDatabase(database.db, 'demo', now + 30 * MINUTE);
    expect(dumpDatabase(database)).toEqual(dumpDatabase(memoryDb({ now })));
    resetDatabase(database.db, 'demo', now + 5 * HOUR);
    expect(dumpDatabase(database)).toEqual(dumpDatabase(memoryDb({ now: now + 5 * HOUR })));
    database.close();
  });

  test('empties the database without a seed and refills it with the demo', () => {
    const database = open();
    const before = dumpDatabase(database);
    resetDatabase(database.db, 'none', now);
    expect(dumpDatabase(database)).toEqual({ ...dumpDatabase(memoryDb({ seed: 'none', now })) });
    resetDatabase(database.db, 'demo', now);
    expect(dumpDatabase(database)).toEqual(before);
    database.close();
  });
});
