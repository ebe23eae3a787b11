import { nameKey } from '@orchestrate/shared';
import { and, asc, count, eq, inArray, isNotNull, sql } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { groupMembers, groups } from '../../schema/groups.ts';
import { isPresent, members } from '../../schema/members.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { MemberRow } from './members.ts';

export type GroupRow = typeof groups.$inferSelect;

/** The group details that members can see. */
export type GroupName = Pick<GroupRow, 'groupId' | 'displayName'>;

const param = sql.placeholder;

const byId = drizzleStatement((db) =>
  db
    .select()
    .from(groups)
    .where(and(eq(groups.groupId, param('groupId')), eq(groups.orgCode, param('orgCode'))))
    .prepare(),
);

export function findGroup(tx: Tx, orgCode: string, groupId: string): GroupRow | undefined {
  return byId(tx).get({ orgCode, groupId });
}

const byName = drizzleStatement((db) =>
  db
    .select()
    .from(groups)
    .where(and(eq(groups.orgCode, param('orgCode')), eq(groups.nameKey, param('nameKey'))))
    .prepare(),
);

/** Finds a group by its name, ignoring case. */
export function findGroupByName(tx: Tx, orgCode: string, displayName: string): GroupRow | undefined {
  return byName(tx).get({ orgCode, nameKey: nameKey(displayName) });
}

const byExternalId = drizzleStatement((db) =>
  db
    .select()
    .from(groups)
    .where(
      and(
        eq(groups.externalId, param('externalId')),
        eq(groups.orgCode, param('orgCode')),
        isNotNull(groups.externalId),
      ),
    )
    .orderBy(groups.nameKey)
    .prepare(),
);

/** Lists the groups with this external ID. The directory is responsible for uniqueness, so there can be several. */
export function listGroupsByExternalId(tx: Tx, orgCode: string, externalId: string): GroupRow[] {
  return byExternalId(tx).all({ orgCode, externalId });
}

/** Lists an organisation's groups by name. */
export function listGroups(tx: Tx, orgCode: string): GroupRow[] {
  return tx.select().from(groups).where(eq(groups.orgCode, orgCode)).orderBy(asc(groups.nameKey)).all();
}

/**
 * Join condition for cross joins. SQLite keeps the table order of a cross join; in other joins, it would scan all
 * groups to find one member's groups.
 */
const isOf = and(eq(groups.groupId, groupMembers.groupId), eq(groups.orgCode, groupMembers.orgCode));

const ofMember = drizzleStatement((db) =>
  db
    .select({ groupId: groups.groupId, displayName: groups.displayName })
    .from(groupMembers)
    .crossJoin(groups)
    .where(and(isOf, eq(groupMembers.suid, param('suid')), eq(groupMembers.orgCode, param('orgCode'))))
    .orderBy(groups.nameKey)
    .prepare(),
);

const cachedOfMember = cachedRead(
  ({ orgCode, suid }: { orgCode: string; suid: string }) => `${orgCode} ${suid}`,
  (db, key): readonly GroupName[] => ofMember(db).all(key),
);

/** Lists a member's groups by name. Cached because each sign-in reads them several times. */
export function listMemberGroups(tx: Tx, orgCode: string, suid: string): readonly GroupName[] {
  return cachedOfMember(tx, { orgCode, suid });
}

const ofMembers = drizzleStatement((db) =>
  db
    .select({ suid: groupMembers.suid, groupId: groups.groupId, displayName: groups.displayName })
    .from(groupMembers)
    .crossJoin(groups)
    .where(
      and(
        isOf,
        sql`${groupMembers.suid} IN (SELECT value FROM json_each(${param('suids')}))`,
        eq(groupMembers.orgCode, param('orgCode')),
      ),
    )
    .orderBy(groups.nameKey)
    .prepare(),
);

const any = drizzleStatement((db) =>
  db
    .select({ groupId: groups.groupId })
    .from(groups)
    .where(eq(groups.orgCode, param('orgCode')))
    .limit(1)
    .prepare(),
);

const hasGroups = cachedRow([groups], ['orgCode'], (db, key) => any(db).get(key) !== undefined);

/** Returns the groups of many members, keyed by `suid`. Members without groups are omitted. */
export function groupsByMember(tx: Tx, orgCode: string, suids: readonly string[]): Map<string, readonly GroupName[]> {
  const [only, another] = suids;
  if (only !== undefined && another === undefined) return new Map([[only, listMemberGroups(tx, orgCode, only)]]);
  const found = new Map<string, GroupName[]>();
  if (!hasGroups(tx, { orgCode })) return found;
  for (const { suid, ...group } of ofMembers(tx).all({ orgCode, suids: JSON.stringify(suids) })) {
    const own = found.get(suid);
    if (own) own.push(group);
    else found.set(suid, [group]);
  }
  return found;
}

/** Lists a group's members in the order in which they were added to the organisation. */
export function listMembersOfGroup(tx: Tx, orgCode: string, groupId: string, limit: number): MemberRow[] {
  return tx
    .select()
    .from(members)
    .where(
      and(
        inArray(
          members.suid,
          tx
            .select({ suid: groupMembers.suid })
            .from(groupMembers)
            .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.orgCode, orgCode))),
        ),
        eq(members.orgCode, orgCode),
        isPresent(members),
      ),
    )
    .orderBy(members.id)
    .limit(limit)
    .all();
}

export function listSuidsOfGroup(tx: Tx, orgCode: string, groupId: string): string[] {
  return tx
    .select({ suid: groupMembers.suid })
    .from(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.orgCode, orgCode)))
    .all()
    .map(({ suid }) => suid);
}

/** Returns the number of members per group, keyed by group ID. */
export function countMembersOfGroups(tx: Tx, orgCode: string, groupIds: readonly string[]): Map<string, number> {
  const counted = tx
    .select({ groupId: groupMembers.groupId, members: count() })
    .from(groupMembers)
    .where(and(inArray(groupMembers.groupId, [...groupIds]), eq(groupMembers.orgCode, orgCode)))
    .groupBy(groupMembers.groupId)
    .all();
  return new Map(counted.map((one) => [one.groupId, one.members]));
}

/**
 * Adds a group.
 * @throws if the ID or the name is already taken
 */
export function insertGroup(tx: Tx, group: Omit<GroupRow, 'nameKey'>): void {
  tx.insert(groups)
    .values({ ...group, nameKey: nameKey(group.displayName) })
    .run();
}

/** Returns a strictly increasing change time, so it can serve as a version. */
const later = (now: number | SQLPlaceholder) => sql<number>`max(${now}, ${groups.changedAt} + 1)`;
type SQLPlaceholder = ReturnType<typeof param>;

/**
 * Renames a group and sets its external ID.
 * @param now in milliseconds
 */
export function editGroup(
  tx: Tx,
  { orgCode, groupId, displayName, externalId }: Pick<GroupRow, 'orgCode' | 'groupId' | 'displayName' | 'externalId'>,
  now: number,
): void {
  tx.update(groups)
    .set({ displayName, nameKey: nameKey(displayName), externalId, changedAt: later(now) })
    .where(and(eq(groups.groupId, groupId), eq(groups.orgCode, orgCode)))
    .run();
}

/** Deletes a group and its memberships. */
export function deleteGroup(tx: Tx, orgCode: string, groupId: string): void {
  tx.delete(groups)
    .where(and(eq(groups.groupId, groupId), eq(groups.orgCode, orgCode)))
    .run();
}

const touched = drizzleStatement((db) =>
  db
    .update(groups)
    .set({ changedAt: later(param('now')) })
    .where(and(eq(groups.groupId, param('groupId')), eq(groups.orgCode, param('orgCode'))))
    .prepare(),
);

/**
 * Records the time of a membership change.
 * @param now in milliseconds
 */
export function touchGroup(tx: Tx, orgCode: string, groupId: string, now: number): void {
  touched(tx).run({ orgCode, groupId, now });
}

const joined = drizzleStatement((db) =>
  db
    .insert(groupMembers)
    .values({ orgCode: param('orgCode'), groupId: param('groupId'), suid: param('suid') })
    .onConflictDoNothing()
    .prepare(),
);

/** Adds a member of the organisation to a group. Returns false if they were already in the group. */
export function joinGroup(tx: Tx, orgCode: string, groupId: string, suid: string): boolean {
  return joined(tx).run({ orgCode, groupId, suid }).changes > 0;
}

const left = drizzleStatement((db) =>
  db
    .delete(groupMembers)
    .where(
      and(
        eq(groupMembers.groupId, param('groupId')),
        eq(groupMembers.suid, param('suid')),
        eq(groupMembers.orgCode, param('orgCode')),
      ),
    )
    .prepare(),
);

/** Removes a member from a group. Returns false if they weren't in the group. */
export function leaveGroup(tx: Tx, orgCode: string, groupId: string, suid: string): boolean {
  return left(tx).run({ orgCode, groupId, suid }).changes > 0;
}

/**
 * Removes a member from all groups.
 * @param now in milliseconds
 */
export function leaveAllGroups(tx: Tx, orgCode: string, suid: string, now: number): void {
  for (const { groupId } of listMemberGroups(tx, orgCode, suid)) {
    leaveGroup(tx, orgCode, groupId, suid);
    touchGroup(tx, orgCode, groupId, now);
  }
}
