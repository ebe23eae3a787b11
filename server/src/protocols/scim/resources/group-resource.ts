import { groupRepo, type memberRepo, provisioningRepo, roleRepo, type Tx } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { GROUP_SCHEMA } from '../attributes.ts';
import type { JsonObject } from '../json.ts';
import type { Scope } from '../scope.ts';
import { type Versioned, versionOf } from './version.ts';

/** Maximum length of a member list. Longer lists are omitted, because a partial list would look complete. */
export const MEMBERS_MAX = 10_000;

/** Returns a role as a SCIM group. @param hasMembers true if the request includes members */
export function roleResource(scope: Scope, tx: Tx, role: roleRepo.RoleRow, hasMembers: boolean): Versioned {
  const { organisation, orgCode } = scope;
  const { roleCode, name, externalId } = role;
  const createdAt = role.createdAt ?? organisation.createdAt;
  // Assigning a role to a new member changes the group too. Imports add thousands of members, so the role doesn't
  // record this, and the time of the last assignment is looked up instead.
  const joinedAt = roleRepo.findLastJoinTime(tx, orgCode, roleCode) ?? 0;
  const rows = hasMembers ? provisioningRepo.listMembersByRole(tx, orgCode, roleCode, MEMBERS_MAX + 1) : undefined;
  const resource = { ...groupAttributes({ id: roleCode, displayName: name, externalId }), ...membersOf(scope, rows) };
  const lastModified = Math.max(createdAt, role.changedAt ?? 0, joinedAt);
  return versioned(scope, resource, {
    createdAt,
    lastModified,
    version: versionOf(JSON.stringify([resource, lastModified])),
  });
}

/**
 * Returns a custom group as a SCIM group. Its version changes with the group, even if members are not included.
 * @param hasMembers true if the request includes members
 */
export function groupResource(scope: Scope, tx: Tx, group: groupRepo.GroupRow, hasMembers: boolean): Versioned {
  const { groupId, displayName, externalId, createdAt, changedAt } = group;
  const rows = hasMembers ? groupRepo.listMembersOfGroup(tx, scope.orgCode, groupId, MEMBERS_MAX + 1) : undefined;
  const resource = { ...groupAttributes({ id: groupId, displayName, externalId }), ...membersOf(scope, rows) };
  const version = versionOf(JSON.stringify([groupId, changedAt]));
  return versioned(scope, resource, { createdAt, lastModified: changedAt, version });
}

interface Said {
  id: string;
  displayName: string;
  externalId: string | null;
}

const groupAttributes = ({ id, displayName, externalId }: Said) => ({
  schemas: [GROUP_SCHEMA],
  id,
  ...(externalId !== null && { externalId }),
  displayName,
});

function versioned(
  { base }: Scope,
  attributes: JsonObject & Pick<Said, 'id'>,
  { createdAt, lastModified, version }: { createdAt: number; lastModified: number; version: string },
): Versioned {
  const location = `${base}/Groups/${attributes.id}`;
  const meta = {
    resourceType: 'Group',
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(lastModified).toISOString(),
    location,
    version,
  };
  return { resource: { ...attributes, meta }, version, location };
}

type Row = Pick<memberRepo.MemberRow, 'suid' | 'firstName' | 'lastName'>;

function membersOf({ base }: Scope, rows: readonly Row[] | undefined): { members?: JsonObject[] } {
  if (!rows || rows.length > MEMBERS_MAX) return {};
  const members = rows.map(({ suid, firstName, lastName }) => ({
    value: suid,
    $ref: `${base}/Users/${suid}`,
    display: fullNameOf({ firstName, lastName }),
    type: 'User',
  }));
  return { members };
}
