import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { applications } from './applications.ts';
import { time } from './columns.ts';
import { devices } from './devices.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/** Browsers that can sign a member in again without the device, for a while. */
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
    /** The device whose approval made the browser remembered. */
    zid: text()
      .notNull()
      .references(() => devices.zid),
    /** SHA-256 of the secret in the browser's cookie, base64url; each use replaces it. */
    secretHash: text().notNull(),
    /** The previous secret, and when it was replaced: anyone who still sends it much later has a copied cookie. */
    previousHash: text(),
    rotatedAt: time(),
    userAgent: text().notNull(),
    ip: text().notNull(),
    /** Time of the device's approval, from which the lifetime counts. */
    createdAt: time().notNull(),
    lastUsedAt: time().notNull(),
    revokedAt: time(),
    /** The browser as in `sessions.browser`, so that ending its sign-ins forgets it (decision 178); null if unknown. */
    browser: text(),
  },
  (table) => [
    index('remembered_browsers_member').on(table.suid, table.orgCode),
    index('remembered_browsers_device').on(table.zid, table.orgCode),
    index('remembered_browsers_age').on(table.createdAt),
  ],
);

/** Applications that a member signed in to in a browser: another site can open these there without a confirmation. */
export const usedApplications = sqliteTable(
  'used_applications',
  {
    /** See `identifyBrowser`. */
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
