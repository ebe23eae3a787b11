import { setImmediate } from 'node:timers/promises';
import { memberRepo, provisioningRepo, roleRepo, type Tx } from '@orchestrate/db';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireAnotherSuperAdmin } from '#core/members/authority.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { isRequested, project, readProjection } from '../queries/projection.ts';
import { badRequest, notFound, ScimError } from '../scim-error.ts';
import type { ScimRequest, ScimResponse, Scope } from '../scope.ts';
import { MEMBERS_MAX, roleResource } from './group-resource.ts';
import { requireAssignableRole, requireChangeableMember } from './maximum-role.ts';
import type { GroupStep } from './read-group.ts';
import { isConditional, requireVersion } from './version.ts';

/** Maximum number of members assigned in a single transaction, which blocks all other requests. */
const BATCH_SIZE = 20;

function requireRole(tx: Tx, { orgCode }: Scope, id: string): roleRepo.RoleRow {
  const role = roleRepo.findRole(tx, orgCode, id);
  if (!role) throw notFound(id);
  return role;
}

/** Refuses to delete a role, because portal permissions depend on it. @throws ScimError 403 always */
export function refuseToDelete({ name }: roleRepo.RoleRow): never {
  throw new ScimError(403, `This group is the role ${name}. Delete it under Role Management.`);
}

/**
 * Applies all steps in one transaction, as required by RFC 7644 §3.5.2. If the steps name more than `BATCH_SIZE`
 * members, checks all additions first and then writes in batches.
 */
export async function changeRole(
  scope: Scope,
  id: string,
  request: ScimRequest,
  requestedSteps: readonly GroupStep[],
): Promise<ScimResponse> {
  const { db } = scope.deps;
  const projection = readProjection(request.query);
  const steps = withoutReplacing(scope, db, requireRole(db, scope, id), requestedSteps);
  const named = steps.flatMap((step) => ('members' in step ? step.members : []));
  const isLong = named.length > BATCH_SIZE;
  if (isLong) {
    const added = steps.flatMap((step) => (step.do === 'add' ? step.members : []));
    await requireAddable(scope, id, added);
  }
  const [first = [], ...rest] = isLong ? batchesOf(steps) : [steps];
  const moved = db.transaction((tx) => {
    const role = requireRole(tx, scope, id);
    if (isConditional(request)) requireVersion(request, roleResource(scope, tx, role, true).version);
    return first.flatMap((step) => take(scope, tx, requireRole(tx, scope, id), step));
  });
  announce(scope, moved);
  await applyInBatches(scope, id, rest);
  const now = requireRole(db, scope, id);
  const changed = roleResource(scope, db, now, isRequested(projection, 'members'));
  return { status: 200, ...changed, body: project(changed.resource, projection), about: now.name };
}

/** Splits steps into ordered batches that change at most `BATCH_SIZE` members each. */
function batchesOf(steps: readonly Step[]): Step[][] {
  return steps.flatMap((step): Step[][] => {
    if (!('members' in step)) return [[step]];
    const batches: Step[][] = [];
    for (let at = 0; at < step.members.length; at += BATCH_SIZE) {
      batches.push([{ ...step, members: step.members.slice(at, at + BATCH_SIZE) }]);
    }
    return batches;
  });
}

/** Applies each batch in its own transaction, and serves other requests before each one. */
async function applyInBatches(scope: Scope, id: string, batches: readonly Step[][]): Promise<void> {
  for (const batch of batches) {
    await setImmediate();
    const moved = scope.deps.db.transaction((tx) =>
      batch.flatMap((step) => take(scope, tx, requireRole(tx, scope, id), step)),
    );
    announce(scope, moved);
  }
}

/**
 * Refuses the whole request if any of its members would be refused.
 * @throws ScimError invalidValue if unknown; 409 if in another group; 403 if above the maximum role
 */
async function requireAddable(scope: Scope, id: string, suids: readonly string[]): Promise<void> {
  const { db } = scope.deps;
  for (const [index, suid] of suids.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await setImmediate();
    const member = requireUser(scope, db, suid);
    if (member.roleCode === id) continue;
    requireChangeableMember(scope, db, member);
    requireAssignableRole(scope, db, id);
    requireInNoGroup(scope, db, member);
  }
}

function requireUser({ orgCode }: Scope, tx: Tx, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw badRequest('invalidValue', `User ${suid} does not exist.`);
  return member;
}

type Step = Exclude<GroupStep, { members: readonly string[] }> | { do: 'add' | 'remove'; members: readonly string[] };

/** Converts replacements to additions and removals. @throws ScimError tooMany */
function withoutReplacing(
  { orgCode }: Scope,
  tx: Tx,
  { roleCode }: roleRepo.RoleRow,
  requestedSteps: readonly GroupStep[],
): Step[] {
  const addedBefore: string[] = [];
  return requestedSteps.flatMap((step): Step[] => {
    if (!('members' in step)) return [step];
    const { do: what, members } = step;
    const earlier = [...addedBefore];
    if (what !== 'remove') addedBefore.push(...members);
    if (what !== 'replace') return [{ do: what, members }];
    // Adds members first, which allows replacing the last Super Admin.
    const added = { do: 'add' as const, members };
    // Members can leave this group only by joining another.
    if (roleCode === 'USER') return [added];
    const present = provisioningRepo.listMembersByRole(tx, orgCode, roleCode, MEMBERS_MAX + 1).map(({ suid }) => suid);
    if (present.length > MEMBERS_MAX) {
      throw badRequest(
        'tooMany',
        `This group has more than ${MEMBERS_MAX} members. Add and remove members instead of replacing them.`,
      );
    }
    const staying = new Set(members);
    return [added, { do: 'remove', members: [...present, ...earlier].filter((suid) => !staying.has(suid)) }];
  });
}

/** Applies a step. @returns the members whose role changed */
function take(scope: Scope, tx: Tx, role: roleRepo.RoleRow, step: Step): string[] {
  const { orgCode } = scope;
  const { roleCode, name } = role;
  const now = scope.deps.clock.now();
  switch (step.do) {
    case 'name':
      if (step.displayName === name) return [];
      throw badRequest('mutability', `This group is the role ${name}. Rename it under Role Management.`);
    case 'externalId':
      if (step.externalId === role.externalId) return [];
      requireAssignableRole(scope, tx, roleCode);
      provisioningRepo.renameRole(tx, orgCode, { ...role, externalId: step.externalId }, now);
      recordEdit(scope, tx, role, { ...role, externalId: step.externalId });
      return [];
    case 'add':
      return addMembers(scope, tx, roleCode, step.members);
    case 'remove':
      return removeMembers(scope, tx, roleCode, step.members);
  }
}

function addMembers(scope: Scope, tx: Tx, roleCode: string, suids: readonly string[]): string[] {
  return suids.flatMap((suid) => {
    const member = requireUser(scope, tx, suid);
    if (member.roleCode === roleCode) return [];
    requireChangeableMember(scope, tx, member);
    requireAssignableRole(scope, tx, roleCode);
    requireInNoGroup(scope, tx, member);
    return give(scope, tx, member, roleCode);
  });
}

/** Refuses to move a member who is in another role's group (decision 120). @throws ScimError 409 */
function requireInNoGroup({ orgCode }: Scope, tx: Tx, { roleCode, suid }: memberRepo.MemberRow): void {
  if (roleCode === 'USER') return;
  const name = roleRepo.findRole(tx, orgCode, roleCode)?.name ?? roleCode;
  throw new ScimError(
    409,
    `User ${suid} is in the group ${name}, and users can have only one role. Remove them from that group first.`,
  );
}

/**
 * Removes members from a role, which makes them Org Users. Org Users can leave their role only by joining another
 * group.
 */
function removeMembers(scope: Scope, tx: Tx, roleCode: string, suids: readonly string[]): string[] {
  return suids.flatMap((suid) => {
    const member = memberRepo.findMember(tx, scope.orgCode, suid);
    if (member?.roleCode !== roleCode || roleCode === 'USER') return [];
    requireChangeableMember(scope, tx, member);
    requireAssignableRole(scope, tx, 'USER');
    return give(scope, tx, member, 'USER');
  });
}

function give(scope: Scope, tx: Tx, member: memberRepo.MemberRow, roleCode: string): string[] {
  const { orgCode, deps, actor } = scope;
  requireAnotherSuperAdmin(tx, member);
  const now = deps.clock.now();
  provisioningRepo.setRole(tx, orgCode, member.suid, roleCode, now);
  roleRepo.touchRoles(tx, orgCode, [member.roleCode, roleCode], now);
  const facts = { before: { roleCode: member.roleCode }, after: { roleCode } };
  record(deps, tx, actor, { action: 'member.updated', object: memberObject(member), ...facts });
  return [member.suid];
}

function announce({ deps }: Scope, moved: readonly string[]): void {
  for (const suid of new Set(moved)) deps.bus.changed(TOPIC.member(suid));
}

const roleObject = ({ roleCode, name }: Pick<roleRepo.RoleRow, 'roleCode' | 'name'>) =>
  ({ type: 'role', id: roleCode, name }) as const;

function recordEdit({ deps, actor }: Scope, tx: Tx, before: roleRepo.RoleRow, after: roleRepo.RoleRow): void {
  const factsOf = ({ name, externalId }: roleRepo.RoleRow) => ({ name, externalId });
  const facts = { before: factsOf(before), after: factsOf(after) };
  record(deps, tx, actor, { action: 'role.updated', object: roleObject(after), ...facts });
}
