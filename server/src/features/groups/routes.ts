import { groupRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { fullNameOf } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { createGroup, deleteGroup, groupOf, moveOne, renameGroup, requireGroup } from './write-group.ts';

/** The groups of an organisation beside its roles (decision 181). */
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
