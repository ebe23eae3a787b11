import { foreignKey, index, primaryKey, sqliteTable, text } from '#drizzle';
import { applications } from './applications.ts';
import { time } from './columns.ts';
import { devices } from './devices.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Browsers that can sign a member in again without the device for a limited time. */
export const rememberedBrowsers = sqliteTable(
  'remembered_browsers',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    suid: text()
      .notNull()
      .references(() => members.suid),
    /** The device whose approval allowed the browser to be remembered. */
    zid: text()
      .notNull()
      .references(() => devices.zid),
    /** SHA-256 of the secret in the browser's cookie, base64url. Replaced on every use. */
    secretHash: text().notNull(),
    /**
     * Hash of the previous secret. If a browser still sends the previous secret long after its replacement, the
     * browser's cookie was copied.
     */
    previousHash: text(),
    rotatedAt: time(),
    userAgent: text().notNull(),
    ip: text().notNull(),
    /** Time of the device's approval, which starts the lifetime. */
    createdAt: time().notNull(),
    lastUsedAt: time().notNull(),
    revokedAt: time(),
    /**
     * The browser, as in `sessions.browser`; null if unknown. Ending the browser's sign-ins also forgets the browser
     * (decision 178).
     */
    browser: text(),
  },
  (table) => [
    index('remembered_browsers_member').on(table.suid, table.orgCode),
    index('remembered_browsers_device').on(table.zid, table.orgCode),
    index('remembered_browsers_age').on(table.createdAt),
  ],
);

/**
 * Applications a member has signed in to in a browser. Other sites can open these applications there without
 * confirmation.
 */
export const usedApplications = sqliteTable(
  'used_applications',
  {
    /** The browser in which the member used the application (see `identifyBrowser`). */
    browser: text().notNull(),
    orgCode: text().notNull(),
    appId: text().notNull(),
    suid: text().notNull(),
    usedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.browser, table.orgCode, table.appId, table.suid] }),
    foreignKey({
      columns: [table.orgCode, table.appId],
      foreignColumns: [applications.orgCode, applications.appId],
    }).onDelete('cascade'),
    index('used_applications_application').on(table.orgCode, table.appId),
    index('used_applications_age').on(table.usedAt),
  ],
);
