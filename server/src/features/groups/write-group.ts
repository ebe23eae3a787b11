import { groupRepo, memberRepo, type Tx } from '@orchestrate/db';
import { type Group, nameKey } from '@orchestrate/shared';
import { record } from '../../core/audit/record.ts';
import {
  announceMoves,
  editGroup,
  type GroupMove,
  groupObject,
  holderOfGroupName,
  makeGroup,
  moveInGroup,
  removeGroup,
} from '../../core/members/groups.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';

type Row = groupRepo.GroupRow;

/** A group with the number of its people. */
export function groupOf(tx: Tx, { orgCode, groupId, displayName }: Row): Group {
  const members = groupRepo.countMembersOfGroups(tx, orgCode, [groupId]).get(groupId) ?? 0;
  return { groupId, displayName, members };
}

/** @throws Refusal ID_DOESNOT_EXIST, also for one of another organisation */
export function requireGroup(tx: Tx, orgCode: string, groupId: string): Row {
  const found = groupRepo.findGroup(tx, orgCode, groupId);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such group.' });
  return found;
}

/** @throws Refusal INVALID_REQUEST the name is taken */
export const createGroup = (deps: Deps, actor: AuditActor, displayName: string): Row =>
  deps.db.transaction((tx) => {
    const { orgCode } = actor;
    requireFreeName(tx, orgCode, displayName);
    return makeGroup({ deps, tx, actor }, { orgCode, displayName, externalId: null });
  });

/** @throws Refusal ID_DOESNOT_EXIST; INVALID_REQUEST the name is taken */
export const renameGroup = (deps: Deps, actor: AuditActor, groupId: string, displayName: string): Row =>
  deps.db.transaction((tx) => {
    const before = requireGroup(tx, actor.orgCode, groupId);
    if (nameKey(displayName) !== before.nameKey) requireFreeName(tx, actor.orgCode, displayName);
    const after = { ...before, displayName };
    editGroup({ deps, tx, actor }, before, after);
    return after;
  });

/** @throws Refusal ID_DOESNOT_EXIST */
export function deleteGroup(deps: Deps, actor: AuditActor, groupId: string): void {
  const suids = deps.db.transaction((tx) => {
    const group = requireGroup(tx, actor.orgCode, groupId);
    const present = groupRepo.listSuidsOfGroup(tx, actor.orgCode, groupId);
    removeGroup({ deps, tx, actor }, group);
    return present;
  });
  announceMoves(deps, suids);
}

/**
 * Puts somebody into a group, or takes them out; nothing happens where it is so already. @throws Refusal
 * ID_DOESNOT_EXIST
 */
export function moveOne(deps: Deps, actor: AuditActor, groupId: string, move: GroupMove): Row {
  const { group, moved } = deps.db.transaction((tx) => {
    const found = requireGroup(tx, actor.orgCode, groupId);
    const member = memberRepo.findMember(tx, actor.orgCode, move.suid);
    if (!member || member.accountStatus === 'deleted') {
      throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such member.' });
    }
    const moved = moveInGroup({ deps, tx, actor }, found, [move]);
    if (moved.length === 0) {
      const action = move.does === 'join' ? 'group.member-added' : 'group.member-removed';
      // Nothing has changed, and nothing is written.
      record(deps, tx, actor, { action, object: { ...groupObject(found), suid: move.suid }, before: {}, after: {} });
    }
    return { group: found, moved };
  });
  announceMoves(deps, moved);
  return group;
}

function requireFreeName(tx: Tx, orgCode: string, displayName: string): void {
  const holder = holderOfGroupName(tx, orgCode, displayName);
  if (!holder) return;
  const message =
    'role' in holder ? `The role ${holder.role.name} already has this name` : 'Another group already has this name';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'displayName', message }] });
}
