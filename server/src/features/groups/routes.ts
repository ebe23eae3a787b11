import { groupRepo, memberRepo, type Tx } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { fullNameOf, type Group, nameKey } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { record } from '#core/audit/record.ts';
import {
  editGroup,
  findByGroupName,
  type GroupMove,
  groupObject,
  makeGroup,
  moveGroupMembers,
  publishGroupMoves,
  removeGroup,
} from '#core/members/groups.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';

type Row = groupRepo.GroupRow;

/** Returns a group with its member count. */
function groupOf(tx: Tx, { orgCode, groupId, displayName }: Row): Group {
  const members = groupRepo.countMembersOfGroups(tx, orgCode, [groupId]).get(groupId) ?? 0;
  return { groupId, displayName, members };
}

/**
 * Returns an organisation's group.
 * @throws Refusal ID_DOESNOT_EXIST, also if the group is in another organisation
 */
function requireGroup(tx: Tx, orgCode: string, groupId: string): Row {
  const found = groupRepo.findGroup(tx, orgCode, groupId);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: "This group doesn't exist." });
  return found;
}

/**
 * Creates a group.
 * @throws Refusal INVALID_REQUEST if the name is taken
 */
const createGroup = (deps: Deps, actor: AuditActor, displayName: string): Row =>
  deps.db.transaction((tx) => {
    const { orgCode } = actor;
    requireFreeName(tx, orgCode, displayName);
    return makeGroup({ deps, tx, actor }, { orgCode, displayName, externalId: null });
  });

/**
 * Renames a group.
 * @throws Refusal ID_DOESNOT_EXIST; INVALID_REQUEST if the name is taken
 */
const renameGroup = (deps: Deps, actor: AuditActor, groupId: string, displayName: string): Row =>
  deps.db.transaction((tx) => {
    const before = requireGroup(tx, actor.orgCode, groupId);
    if (nameKey(displayName) !== before.nameKey) requireFreeName(tx, actor.orgCode, displayName);
    const after = { ...before, displayName };
    editGroup({ deps, tx, actor }, before, after);
    return after;
  });

/**
 * Deletes a group.
 * @throws Refusal ID_DOESNOT_EXIST
 */
function deleteGroup(deps: Deps, actor: AuditActor, groupId: string): void {
  const suids = deps.db.transaction((tx) => {
    const group = requireGroup(tx, actor.orgCode, groupId);
    const present = groupRepo.listSuidsOfGroup(tx, actor.orgCode, groupId);
    removeGroup({ deps, tx, actor }, group);
    return present;
  });
  publishGroupMoves(deps, suids);
}

/**
 * Adds a member to a group or removes them. Has no effect if nothing would change.
 * @throws Refusal ID_DOESNOT_EXIST
 */
function moveOne(deps: Deps, actor: AuditActor, groupId: string, move: GroupMove): Row {
  const { group, moved } = deps.db.transaction((tx) => {
    const found = requireGroup(tx, actor.orgCode, groupId);
    const member = memberRepo.findMember(tx, actor.orgCode, move.suid);
    if (!member || member.accountStatus === 'deleted') {
      throw new Refusal('ID_DOESNOT_EXIST', { message: "This member doesn't exist." });
    }
    const moved = moveGroupMembers({ deps, tx, actor }, found, [move]);
    if (moved.length === 0) {
      const action = move.does === 'join' ? 'group.member-added' : 'group.member-removed';
      // The contract declares an audit action for every write, so call `record` even if no member moved. Equal facts
      // write no event.
      record(deps, tx, actor, { action, object: { ...groupObject(found), suid: move.suid }, before: {}, after: {} });
    }
    return { group: found, moved };
  });
  publishGroupMoves(deps, moved);
  return group;
}

function requireFreeName(tx: Tx, orgCode: string, displayName: string): void {
  const holder = findByGroupName(tx, orgCode, displayName);
  if (!holder) return;
  const message =
    'role' in holder ? `The role ${holder.role.name} already has this name` : 'Another group already has this name';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'displayName', message }] });
}

/** Serves an organisation's groups, which exist alongside its roles (decision 120). */
export function groups(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  implement(app, deps, contract.listGroups, ({ caller: { orgCode } }) => {
    const rows = groupRepo.listGroups(db, orgCode);
    const counts = groupRepo.countMembersOfGroups(
      db,
      orgCode,
      rows.map(({ groupId }) => groupId),
    );
    return {
      Items: rows.map(({ groupId, displayName }) => ({ groupId, displayName, members: counts.get(groupId) ?? 0 })),
    };
  });

  implement(app, deps, contract.createGroup, ({ actor, body }) => ({
    group: groupOf(db, createGroup(deps, actor, body.displayName)),
  }));

  implement(app, deps, contract.renameGroup, ({ actor, params: { groupId }, body }) => ({
    group: groupOf(db, renameGroup(deps, actor, groupId, body.displayName)),
  }));

  implement(app, deps, contract.deleteGroup, ({ actor, params: { groupId } }) => {
    deleteGroup(deps, actor, groupId);
    return {};
  });

  implement(app, deps, contract.listGroupMembers, ({ caller: { orgCode }, params: { groupId } }) => {
    requireGroup(db, orgCode, groupId);
    const members = groupRepo.listMembersOfGroup(db, orgCode, groupId, contract.LIMITS.groupMembersShown);
    return {
      Items: members.map(({ suid, firstName, lastName, primaryEmail }) => ({
        suid,
        name: fullNameOf({ firstName, lastName }),
        email: primaryEmail,
      })),
    };
  });

  implement(app, deps, contract.addGroupMember, ({ actor, params: { groupId, suid } }) => ({
    group: groupOf(db, moveOne(deps, actor, groupId, { suid, does: 'join' })),
  }));

  implement(app, deps, contract.removeGroupMember, ({ actor, params: { groupId, suid } }) => ({
    group: groupOf(db, moveOne(deps, actor, groupId, { suid, does: 'leave' })),
  }));
}
