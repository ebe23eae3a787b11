import { setImmediate } from 'node:timers/promises';
import { groupRepo, memberRepo, type Tx } from '@orchestrate/db';
import { nameKey } from '@orchestrate/shared';
import {
  editGroup,
  findByGroupName,
  type GroupMove,
  MAX_GROUP_MOVES,
  makeGroup,
  moveGroupMembers,
  publishGroupMoves,
  removeGroup,
} from '#core/members/groups.ts';
import { isRequested, project, readProjection } from '../queries/projection.ts';
import { badRequest, notFound, ScimError } from '../scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from '../scope.ts';
import { groupResource } from './group-resource.ts';
import { type GroupStep, readGroup } from './read-group.ts';
import { requireVersion } from './version.ts';

type GroupRow = groupRepo.GroupRow;

/** Creates a custom group with its initial members. @throws ScimError uniqueness, invalidValue */
export async function createGroup(scope: Scope, { body, query }: ScimRequest): Promise<ScimResponse> {
  const { orgCode, deps, actor } = scope;
  const { displayName, externalId, members = [] } = readGroup(body);
  const projection = readProjection(query);
  requireFreeName(scope, deps.db, displayName);
  const [first = [], ...rest] = batchesOf(await movesOf(scope, [], [{ do: 'add', members }]));
  const { made, moved } = deps.db.transaction((tx) => {
    requireFreeName(scope, tx, displayName);
    const made = makeGroup({ deps, tx, actor }, { orgCode, displayName, externalId });
    return { made, moved: moveGroupMembers({ deps, tx, actor }, made, first) };
  });
  publishGroupMoves(deps, moved);
  await move(scope, made.groupId, rest);
  const group = requireGroup(deps.db, scope, made.groupId);
  const shown = groupResource(scope, deps.db, group, isRequested(projection, 'members'));
  return { status: 201, ...shown, body: project(shown.resource, projection), about: displayName };
}

/**
 * Changes a group. All members are checked before any are written. Large changes are written in batches, and other
 * requests are served between them.
 * @throws ScimError 404; 412; uniqueness; invalidValue
 */
export async function changeGroup(
  scope: Scope,
  id: string,
  request: ScimRequest,
  steps: readonly GroupStep[],
): Promise<ScimResponse> {
  const { orgCode, deps, actor } = scope;
  const projection = readProjection(request.query);
  requireGroup(deps.db, scope, id);
  const present = steps.some((step) => step.do === 'replace') ? groupRepo.listSuidsOfGroup(deps.db, orgCode, id) : [];
  const [first = [], ...rest] = batchesOf(await movesOf(scope, present, steps));
  const moved = deps.db.transaction((tx) => {
    const before = requireGroup(tx, scope, id);
    requireVersion(request, groupResource(scope, tx, before, false).version);
    const after = named(before, steps);
    if (nameKey(after.displayName) !== before.nameKey) requireFreeName(scope, tx, after.displayName);
    editGroup({ deps, tx, actor }, before, after);
    return moveGroupMembers({ deps, tx, actor }, after, first);
  });
  publishGroupMoves(deps, moved);
  await move(scope, id, rest);
  const group = requireGroup(deps.db, scope, id);
  const shown = groupResource(scope, deps.db, group, isRequested(projection, 'members'));
  return { status: 200, ...shown, body: project(shown.resource, projection), about: group.displayName };
}

export function deleteGroup(scope: Scope, id: string, request: ScimRequest): ScimResponse {
  const { deps, actor } = scope;
  const { group, suids } = deps.db.transaction((tx) => {
    const group = requireGroup(tx, scope, id);
    requireVersion(request, groupResource(scope, tx, group, false).version);
    const suids = groupRepo.listSuidsOfGroup(tx, scope.orgCode, id);
    removeGroup({ deps, tx, actor }, group);
    return { group, suids };
  });
  publishGroupMoves(deps, suids);
  return { status: 204, about: group.displayName };
}

function requireGroup(tx: Tx, { orgCode }: Scope, id: string): GroupRow {
  const group = groupRepo.findGroup(tx, orgCode, id);
  if (!group) throw notFound(id);
  return group;
}

function requireFreeName({ orgCode }: Scope, tx: Tx, displayName: string): void {
  const holder = findByGroupName(tx, orgCode, displayName);
  if (!holder) return;
  const detail =
    'role' in holder
      ? `The role ${holder.role.name} already has this displayName.`
      : 'Another group has this displayName.';
  throw new ScimError(409, detail, 'uniqueness');
}

/** Returns the group with the final name and external ID set by the steps. */
function named(group: GroupRow, steps: readonly GroupStep[]): GroupRow {
  let { displayName, externalId } = group;
  for (const step of steps) {
    if (step.do === 'name') ({ displayName } = step);
    else if (step.do === 'externalId') ({ externalId } = step);
  }
  return { ...group, displayName, externalId };
}

/** Returns the members that the steps add and remove overall. @throws ScimError invalidValue for an unknown member */
async function movesOf(scope: Scope, present: readonly string[], steps: readonly GroupStep[]): Promise<GroupMove[]> {
  const moves = new Map<string, GroupMove['does']>();
  for (const step of steps) {
    if (!('members' in step)) continue;
    if (step.do === 'replace') for (const suid of [...present, ...moves.keys()]) moves.set(suid, 'leave');
    for (const suid of step.members) moves.set(suid, step.do === 'remove' ? 'leave' : 'join');
  }
  const all = [...moves].map(([suid, does]) => ({ suid, does }));
  for (const [index, { suid, does }] of all.entries()) {
    if (index % MAX_GROUP_MOVES === MAX_GROUP_MOVES - 1) await setImmediate();
    if (does === 'join') requireUser(scope, suid);
  }
  return all;
}

function requireUser({ deps, orgCode }: Scope, suid: string): void {
  const member = memberRepo.findMember(deps.db, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw badRequest('invalidValue', `User ${suid} does not exist.`);
}

function batchesOf(moves: readonly GroupMove[]): GroupMove[][] {
  const batches: GroupMove[][] = [];
  for (let at = 0; at < moves.length; at += MAX_GROUP_MOVES) {
    batches.push(moves.slice(at, at + MAX_GROUP_MOVES));
  }
  return batches;
}

/** Writes each batch in its own transaction, and serves other requests before each one. */
async function move(scope: Scope, id: string, batches: readonly GroupMove[][]): Promise<void> {
  const { deps, actor } = scope;
  for (const batch of batches) {
    await setImmediate();
    const moved = deps.db.transaction((tx) =>
      moveGroupMembers({ deps, tx, actor }, requireGroup(tx, scope, id), batch),
    );
    publishGroupMoves(deps, moved);
  }
}
