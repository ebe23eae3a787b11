import type { DeviceType, PublicKey } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { json, sealed, time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/**
 * `removed` and `lost` rows are never deleted. Requests signed with their keys get a specific error, and the keys
 * can't be reused.
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
    /** Key that signs the device's requests; null for passkeys, whose key is in `passkeys`. */
    publicKey: json<PublicKey>(),
    /** RFC 7638 thumbprint of `publicKey`. */
    thumbprint: text(),
    registeredAt: time().notNull(),
    lastLoginAt: time(),
    /**
     * Time from which the device can give fresh approvals; later than `registeredAt` for new devices (decision 206).
     */
    approvesFrom: time().notNull().default(0),
    /** Time at which the device was removed or reported lost. */
    endedAt: time(),
  },
  (table) => [
    // Includes the status because lists count members' devices from the index alone.
    index('devices_member').on(table.suid, table.orgCode, table.status),
    index('devices_thumbprint').on(table.orgCode, table.thumbprint),
    uniqueIndex('devices_key').on(table.orgCode, table.thumbprint).where(sql`${table.status} IN ('active', 'paused')`),
  ],
);

/** IDs of signatures already used, stored for as long as their `iat` would be accepted. */
export const deviceSignatures = sqliteTable(
  'device_signatures',
  {
    /** Key thumbprint and `jti`. */
    id: text().primaryKey(),
    expiresAt: time().notNull(),
  },
  (table) => [index('device_signatures_expiry').on(table.expiresAt)],
);

/** Private keys of simulated devices (demo seed only). Anyone with access to the lab can act as these devices. */
export const virtualDevices = sqliteTable('virtual_devices', {
  zid: text()
    .primaryKey()
    .references(() => devices.zid),
  /** Private JWK as JSON. */
  privateKey: sealed().notNull(),
});
