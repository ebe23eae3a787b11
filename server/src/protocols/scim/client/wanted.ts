import type { applicationRepo, memberRepo, provisioningTargetRepo, Tx } from '@orchestrate/db';
import { mayUseApplication } from '../../../core/sign-in/app-users.ts';
import { ENTERPRISE_SCHEMA } from '../attributes.ts';
import { isObject, type JsonObject } from '../json.ts';
import { userResource } from '../resources/user-resource.ts';

/** What a service should have of a person: nothing, or this resource; `mayBegin` where it may be created for that. */
export type Wanted = { isGone: true } | { isGone: false; resource: JsonObject; mayBegin: boolean };

/** What the SCIM service of an application should have of a member, as they are now (decision 183). */
export function wantedOf(
  tx: Tx,
  member: memberRepo.MemberRow,
  application: Pick<applicationRepo.ApplicationRow, 'usableBy'>,
  { withoutAccess }: Pick<provisioningTargetRepo.TargetRow, 'withoutAccess'>,
): Wanted {
  const mayUse = mayUseApplication(tx, application, member);
  if (member.accountStatus === 'deleted' || (!mayUse && withoutAccess === 'delete')) return { isGone: true };
  const active = mayUse && member.accountStatus !== 'inactive';
  return { isGone: false, resource: resourceOf(member, active), mayBegin: active };
}

/**
 * A member as we tell others: our id is their `externalId`. Roles, groups and managers are left out, because they are
 * names and ids of this portal.
 */
function resourceOf(member: memberRepo.MemberRow, active: boolean): JsonObject {
  const nothingElse = { role: undefined, groups: [] };
  const { resource } = userResource({ base: '' }, member, nothingElse);
  const { id, externalId: _, meta: _meta, groups: _groups, roles: _roles, ...said } = resource;
  const { manager: _manager, ...enterprise } = isObject(said[ENTERPRISE_SCHEMA]) ? said[ENTERPRISE_SCHEMA] : {};
  return { ...said, externalId: id, active, [ENTERPRISE_SCHEMA]: enterprise };
}
