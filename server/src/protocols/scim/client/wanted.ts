import {
  type applicationRepo,
  groupRepo,
  type memberRepo,
  outboundPersonRepo,
  type outboundTargetRepo,
  roleRepo,
  type Tx,
} from '@orchestrate/db';
import { readJson } from '@orchestrate/shared';
import { mayUseApplication } from '#core/applications.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA } from '../attributes.ts';
import { type Extension, extensionsOf } from '../extensions.ts';
import { isObject, type JsonObject } from '../json.ts';
import { userResource } from '../resources/user-resource.ts';
import { withMembers } from './group-changes.ts';

type Member = memberRepo.MemberRow;
type Target = outboundTargetRepo.TargetRow;

/**
 * Desired state at a service: the resource, or absent. `mayBegin` is true if the resource may be created. `inScope`
 * is true if the person can use the application.
 */
export type DesiredState =
  | { isGone: true; inScope: false }
  | { isGone: false; resource: JsonObject; mayBegin: boolean; inScope: boolean };

/**
 * Returns a member's desired state at an application's SCIM service (decision 183). Members without access to the
 * application are only deactivated.
 * @param known current state at the service
 */
export function desiredMemberState(
  tx: Tx,
  member: Member,
  application: Pick<applicationRepo.ApplicationRow, 'usableBy'>,
  target: Target,
  known: Pick<outboundPersonRepo.PersonRow, 'sent'>,
): DesiredState {
  const inScope = mayUseApplication(tx, application, member);
  const isGone = member.accountStatus === 'deleted' || (!inScope && target.withoutAccess === 'delete');
  if (isGone) return { isGone, inScope: false };
  if (inScope) {
    const active = member.accountStatus !== 'inactive';
    return { isGone, resource: resourceOf(tx, member, target, active), mayBegin: active, inScope };
  }
  const sent = readJson(known.sent);
  const nothingElse = { ...target, sendManagers: false, sendRoles: false, sendAttributes: [] };
  const resource = isObject(sent) ? { ...sent, active: false } : resourceOf(tx, member, nothingElse, false);
  return { isGone, resource, mayBegin: false, inScope };
}

/**
 * Returns a group's desired state at an application's SCIM service. Includes the members who can use the application,
 * identified by the service's IDs. If groups are no longer sent, the group is emptied or deleted, like people without
 * access.
 * @param known current state at the service
 */
export function desiredGroupState(
  tx: Tx,
  groupId: string,
  target: Target,
  known: Pick<outboundPersonRepo.PersonRow, 'sent'>,
): DesiredState {
  const group = groupRepo.findGroup(tx, target.orgCode, groupId);
  const isGone = !group || (!target.sendGroups && target.withoutAccess === 'delete');
  if (isGone) return { isGone, inScope: false };
  const sent = readJson(known.sent);
  const named = { schemas: [GROUP_SCHEMA], externalId: groupId, displayName: group.displayName };
  if (!target.sendGroups) {
    const emptied = withMembers(isObject(sent) ? sent : named, []);
    return { isGone, resource: emptied, mayBegin: false, inScope: true };
  }
  const members = outboundPersonRepo.listRemoteMembers(tx, target, groupId);
  return { isGone, resource: withMembers(named, members), mayBegin: members.length > 0, inScope: true };
}

/**
 * Returns the resource to send for a member. Our ID is the `externalId`, and the manager is identified by the
 * service's ID.
 */
function resourceOf(tx: Tx, member: Member, target: Target, active: boolean): JsonObject {
  const { orgCode, roleCode, managerSuid } = member;
  const { sendManagers, sendRoles, sendAttributes } = target;
  const role = sendRoles ? roleRepo.findRole(tx, orgCode, roleCode) : undefined;
  const extensions = sentExtensions(tx, orgCode, sendAttributes);
  const { resource } = userResource({ base: '' }, member, { role, groups: [], extensions });
  const { id, externalId: _, meta: _meta, groups: _groups, roles, ...attributes } = resource;
  const { manager: _manager, ...enterprise } = isObject(attributes[ENTERPRISE_SCHEMA])
    ? attributes[ENTERPRISE_SCHEMA]
    : {};
  const manager = sendManagers && managerSuid !== null ? remoteIdOf(tx, target, managerSuid) : null;
  return {
    ...attributes,
    externalId: id,
    active,
    ...(sendRoles && roles !== undefined && { roles }),
    [ENTERPRISE_SCHEMA]: { ...enterprise, ...(manager !== null && { manager: { value: manager } }) },
  };
}

/** Returns the service's ID for a person in scope, or null if the service doesn't have them yet. */
function remoteIdOf(tx: Tx, target: Target, suid: string): string | null {
  const person = outboundPersonRepo.findPerson(tx, target, { suid });
  return person?.inScope ? person.remoteId : null;
}

/** Returns the registered extensions (decision 120) with only the attributes to send. */
function sentExtensions(tx: Tx, orgCode: string, sendAttributes: readonly string[]): Extension[] {
  if (sendAttributes.length === 0) return [];
  return extensionsOf(tx, orgCode).map(({ urn, attributes }) => ({
    urn,
    attributes: attributes.filter(({ name }) => sendAttributes.includes(`${urn}:${name}`)),
  }));
}
