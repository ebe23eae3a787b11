import { foreignKey, index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { time } from './columns.ts';
import { members } from './members.ts';
import { organisations } from './organisations.ts';

/**
 * Groups of members. Unlike roles, they grant no permissions in the portal, and a member can be in any number of them
 * (decision 120).
 */
export const groups = sqliteTable(
  'groups',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    groupId: text().notNull(),
    displayName: text().notNull(),
    /** Unique lowercase name. */
    nameKey: text().notNull(),
    /** The directory's ID for the group. */
    externalId: text(),
    createdAt: time().notNull(),
    /** Time of the last change to the group or its members. Strictly increasing. */
    changedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.orgCode] }),
    uniqueIndex('groups_name').on(table.orgCode, table.nameKey),
    index('groups_external_id').on(table.externalId, table.orgCode).where(sql`${table.externalId} IS NOT NULL`),
  ],
);

export const groupMembers = sqliteTable(
  'group_members',
  {
    orgCode: text().notNull(),
    groupId: text().notNull(),
    suid: text()
      .notNull()
      .references(() => members.suid, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.suid, table.orgCode] }),
    index('group_members_member').on(table.suid, table.orgCode),
    foreignKey({
      columns: [table.groupId, table.orgCode],
      foreignColumns: [groups.groupId, groups.orgCode],
    }).onDelete('cascade'),
  ],
);

/**
 * Numeric IDs of roles and groups on Unix systems (decision 173). Rows are never deleted, because the next group
 * would inherit a deleted group's number and its files.
 */
export const unixGroups = sqliteTable(
  'unix_groups',
  {
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    kind: text().$type<'role' | 'group'>().notNull(),
    /** Role code or group ID. */
    id: text().notNull(),
    /** Unix number of the role or group, starting at 0. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgCode, table.kind, table.id] }),
    uniqueIndex('unix_groups_number').on(table.orgCode, table.number),
  ],
);
