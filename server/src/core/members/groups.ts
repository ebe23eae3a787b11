import { groupRepo, memberRepo, roleRepo, type Tx } from '@orchestrate/db';
import { nameKey } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { memberObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import { isSameName } from './role-names.ts';

type GroupRow = groupRepo.GroupRow;

/** Context of a group change. Functions that accept it must run in a writing transaction. */
export interface GroupWriter {
  deps: Deps;
  tx: Tx;
  actor: AuditActor;
}

/** Maximum number of members moved in one transaction, because a transaction blocks all other writes. */
export const MAX_GROUP_MOVES = 100;

/**
 * Returns the group or role that already uses a name. Group names are unique within their organisation, ignoring
 * case, and can't match a role's name or code.
 */
export function findByGroupName(
  tx: Tx,
  orgCode: string,
  displayName: string,
): { role: roleRepo.RoleRow } | { group: GroupRow } | undefined {
  const role = roleRepo
    .listRoles(tx, orgCode)
    .find(({ name, roleCode }) => isSameName(name, displayName) || isSameName(roleCode, displayName));
  if (role) return { role };
  const group = groupRepo.findGroupByName(tx, orgCode, displayName);
  return group && { group };
}

/** Creates a group. The caller must have checked that the name is free. */
export function makeGroup(
  { deps, tx, actor }: GroupWriter,
  { orgCode, displayName, externalId }: Pick<GroupRow, 'orgCode' | 'displayName' | 'externalId'>,
): GroupRow {
  const now = deps.clock.now();
  const group = { orgCode, groupId: deps.random.id(), displayName, externalId, createdAt: now, changedAt: now };
  groupRepo.insertGroup(tx, group);
  record(deps, tx, actor, { action: 'group.created', object: groupObject(group), after: factsOf(group) });
  return { ...group, nameKey: nameKey(displayName) };
}

/** Changes a group's name or `externalId`. The caller must have checked that the new name is free. */
export function editGroup({ deps, tx, actor }: GroupWriter, before: GroupRow, after: GroupRow): void {
  if (before.displayName === after.displayName && before.externalId === after.externalId) return;
  groupRepo.editGroup(tx, after, deps.clock.now());
  const facts = { before: factsOf(before), after: factsOf(after) };
  record(deps, tx, actor, { action: 'group.updated', object: groupObject(after), ...facts });
}

/** Deletes a group, but not its members. @returns the number of members the group had */
export function removeGroup({ deps, tx, actor }: GroupWriter, group: GroupRow): number {
  const { orgCode, groupId } = group;
  const members = groupRepo.countMembersOfGroups(tx, orgCode, [groupId]).get(groupId) ?? 0;
  groupRepo.deleteGroup(tx, orgCode, groupId);
  record(deps, tx, actor, {
    action: 'group.deleted',
    object: groupObject(group),
    before: { ...factsOf(group), members },
  });
  return members;
}

/** A member joining or leaving a group. */
export interface GroupMove {
  suid: string;
  does: 'join' | 'leave';
}

/**
 * Adds and removes group members. Deleted members are skipped.
 * @param moves at most `MAX_GROUP_MOVES` moves @returns IDs of the members who were added or removed
 */
export function moveGroupMembers(
  { deps, tx, actor }: GroupWriter,
  group: GroupRow,
  moves: readonly GroupMove[],
): string[] {
  const { orgCode, groupId } = group;
  const moved = moves.flatMap(({ suid, does }) => {
    const member = memberRepo.findMember(tx, orgCode, suid);
    if (!member || member.accountStatus === 'deleted') return [];
    const isMoved =
      does === 'join'
        ? groupRepo.joinGroup(tx, orgCode, groupId, suid)
        : groupRepo.leaveGroup(tx, orgCode, groupId, suid);
    if (!isMoved) return [];
    const object = { ...groupObject(group), suid };
    const { name } = memberObject(member);
    if (does === 'join') record(deps, tx, actor, { action: 'group.member-added', object, after: { member: name } });
    else record(deps, tx, actor, { action: 'group.member-removed', object, before: { member: name } });
    return [suid];
  });
  if (moved.length > 0) groupRepo.touchGroup(tx, orgCode, groupId, deps.clock.now());
  return moved;
}

/** Notifies clients that display members who joined or left a group. Call it after the commit. */
export function publishGroupMoves({ bus }: Pick<Deps, 'bus'>, suids: readonly string[]): void {
  for (const suid of suids) bus.changed(TOPIC.member(suid));
}

/** Returns a group as the object of an audit entry. */
export const groupObject = ({ groupId, displayName }: Pick<GroupRow, 'groupId' | 'displayName'>) =>
  ({ type: 'group', id: groupId, name: displayName }) as const;

const factsOf = ({ displayName, externalId }: Pick<GroupRow, 'displayName' | 'externalId'>) => ({
  displayName,
  externalId,
});
