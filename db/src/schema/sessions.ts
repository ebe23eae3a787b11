import type { DeviceType } from '@orchestrate/shared';
import { index, sql, sqliteTable, text } from '#drizzle';
import { time } from './columns.ts';
import { devices } from './devices.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** A signed-in browser. Revoking the session revokes its whole family of refresh tokens. */
export const sessions = sqliteTable(
  'sessions',
  {
    sid: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    /**
     * The device that approved the session; null if an external provider did. Sessions without this ID can't be ended
     * by a device.
     */
    zid: text().references(() => devices.zid),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    revokedAt: time(),
    /**
     * Sign-in method, e.g. `QID`, or `OIDC` through an external provider; empty in rows written before this column
     * existed.
     */
    mode: text().notNull().default(''),
    /** The browser's user agent at the sign-in; empty in rows written before this column existed. */
    userAgent: text().notNull().default(''),
    ip: text().notNull().default(''),
    /** Time of the last renewal (every ten minutes while in use), or null. */
    lastUsedAt: time(),
    /** The external identity used to sign in. Not a foreign key because sessions outlive a removed link. */
    externalIdentityId: text(),
    /** The browser, identified as in application sign-ins (`core/sign-in/browser-id.ts`); null if unknown. */
    browser: text(),
  },
  (table) => [
    index('sessions_member').on(table.suid, table.orgCode),
    index('sessions_external_identity')
      .on(table.externalIdentityId, table.orgCode)
      .where(sql`${table.externalIdentityId} IS NOT NULL`),
    index('sessions_browser').on(table.browser, table.orgCode).where(sql`${table.browser} IS NOT NULL`),
    index('sessions_device').on(table.zid, table.orgCode),
    index('sessions_expiry').on(table.expiresAt),
  ],
);

export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    /** SHA-256 of the token, base64url. */
    hash: text().primaryKey(),
    sid: text()
      .notNull()
      .references(() => sessions.sid),
    createdAt: time().notNull(),
    /** Time of rotation. Reuse after the grace period revokes the whole family. */
    usedAt: time(),
  },
  (table) => [index('refresh_tokens_session').on(table.sid)],
);

export const loginHistory = sqliteTable(
  'login_history',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    zid: text(),
    /** Device name at the time of the sign-in. The device may have been removed or renamed since. */
    deviceName: text().notNull(),
    deviceType: text().$type<DeviceType>(),
    appName: text().notNull(),
    mode: text().notNull(),
    ip: text().notNull(),
    loginStatus: text().$type<'Success' | 'Failed'>().notNull(),
    reason: text(),
    timestamp: time().notNull(),
    /** ID of the application; empty for the portal itself. */
    appId: text().notNull().default(''),
    /** Time at which the member reported the sign-in as not theirs. */
    disownedAt: time(),
  },
  (table) => [
    index('login_history_member').on(table.suid, table.orgCode, table.timestamp, table.id),
    index('login_history_org').on(table.orgCode, table.timestamp, table.loginStatus, table.reason),
    index('login_history_time').on(table.orgCode, table.timestamp, table.id),
    index('login_history_app').on(table.appId, table.orgCode, table.timestamp, table.id),
    index('login_history_ip').on(table.ip, table.orgCode, table.timestamp, table.id),
    index('login_history_failed')
      .on(table.orgCode, table.timestamp, table.id)
      .where(sql`${table.loginStatus} = 'Failed'`),
  ],
);
