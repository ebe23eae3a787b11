import type { DeviceType, PublicKey } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { json, sealed, time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/**
 * `removed` and `lost` rows stay, so that calls with their keys get a specific refusal and the keys cannot be reused.
 */
export type DeviceRowStatus = 'active' | 'paused' | 'removed' | 'lost';

export const devices = sqliteTable(
  'devices',
  {
    zid: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    name: text().notNull(),
    nickName: text().notNull().default(''),
    type: text().$type<DeviceType>().notNull(),
    platform: text().notNull(),
    status: text().$type<DeviceRowStatus>().notNull(),
    /** The key that signs its calls; null for passkeys, whose key is in `passkeys`. */
    publicKey: json<PublicKey>(),
    /** RFC 7638 thumbprint of `publicKey`. */
    thumbprint: text(),
    registeredAt: time().notNull(),
    lastLoginAt: time(),
    /** Time from which it can give fresh approvals: later than `registeredAt` for new devices (decision 206). */
    approvesFrom: time().notNull().default(0),
    /** Time at which it was removed or reported lost. */
    endedAt: time(),
  },
  (table) => [
    // Includes the status, so that a list can count its members' devices from the index alone.
    index('devices_member').on(table.suid, table.orgCode, table.status),
    index('devices_thumbprint').on(table.orgCode, table.thumbprint),
    uniqueIndex('devices_key').on(table.orgCode, table.thumbprint).where(sql`${table.status} IN ('active', 'paused')`),
  ],
);

/** Ids of signatures already seen, stored as long as their `iat` would still be accepted. */
export const deviceSignatures = sqliteTable(
  'device_signatures',
  {
    /** Thumbprint of the key and `jti`. */
    id: text().primaryKey(),
    expiresAt: time().notNull(),
  },
  (table) => [index('device_signatures_expiry').on(table.expiresAt)],
);

/** Private keys of simulated devices (demo seed only): anyone with access to the lab can act as them. */
export const virtualDevices = sqliteTable('virtual_devices', {
  zid: text()
    .primaryKey()
    .references(() => devices.zid),
  /** JSON of a private JWK. */
  privateKey: sealed().notNull(),
});
