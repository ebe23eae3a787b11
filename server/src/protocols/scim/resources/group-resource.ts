import { provisioningRepo, roleRepo, type Tx } from '@orchestrate/db';
import { GROUP_SCHEMA } from '../attributes.ts';
import type { JsonObject } from '../json.ts';
import type { Scope } from '../scope.ts';
import { type Versioned, versionOf } from './version.ts';

/** Longer lists of members are left out: half a list would be taken for the whole. */
export const MEMBERS_MAX = 10_000;

/** A role as directories see it: a group. @param hasMembers whether members are requested */
export function groupResource(scope: Scope, tx: Tx, role: roleRepo.RoleRow, hasMembers: boolean): Versioned {
  const { base, organisation } = scope;
  const { roleCode, name, externalId } = role;
  const location = `${base}/Groups/${roleCode}`;
  const createdAt = role.createdAt ?? organisation.createdAt;
  // Who joins with a role changes it too; that leaves no mark on the role, because people join in thousands.
  const joinedAt = roleRepo.lastJoined(tx, organisation.orgCode, roleCode) ?? 0;
  const members = hasMembers ? membersOf(scope, tx, roleCode) : undefined;
  const said: JsonObject = {
    schemas: [GROUP_SCHEMA],
    id: roleCode,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members && { members }),
  };
  const created = new Date(createdAt).toISOString();
  const lastModified = new Date(Math.max(createdAt, role.changedAt ?? 0, joinedAt)).toISOString();
  const version = versionOf(JSON.stringify([said, lastModified]));
  return {
    resource: { ...said, meta: { resourceType: 'Group', created, lastModified, location, version } },
    version,
    location,
  };
}

function membersOf({ base, orgCode }: Scope, tx: Tx, roleCode: string): JsonObject[] | undefined {
  const rows = provisioningRepo.listMembersOfRole(tx, orgCode, roleCode, MEMBERS_MAX + 1);
  if (rows.length > MEMBERS_MAX) return undefined;
  return rows.map(({ suid, firstName, lastName }) => ({
    value: suid,
    $ref: `${base}/Users/${suid}`,
    display: `${firstName} ${lastName}`.trim(),
    type: 'User',
  }));
}
