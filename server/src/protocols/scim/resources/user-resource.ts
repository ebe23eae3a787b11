import type { groupRepo, provisioningRepo, roleRepo } from '@orchestrate/db';
import { fullNameOf } from '@orchestrate/shared';
import { hasEmailAddress } from '#core/members/addresses.ts';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import type { Extension } from '../extensions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Scope } from '../scope.ts';
import { parseStoredAttributes } from './stored-attributes.ts';
import { validExtensionValues } from './stored-extensions.ts';
import { type Versioned, versionOf } from './version.ts';

type Row = provisioningRepo.ProvisionedMember;
type RoleName = Pick<roleRepo.RoleRow, 'name'>;

export const userNameOf = ({ userName, primaryEmail }: Pick<Row, 'userName' | 'primaryEmail'>): string =>
  userName ?? primaryEmail;

interface Beside {
  role: RoleName | undefined;
  groups: readonly groupRepo.GroupName[];
  extensions: readonly Extension[];
}

/** Returns a member as a SCIM resource, including any groups besides the role. */
export function userResource(
  { base }: Pick<Scope, 'base'>,
  member: Row,
  { role, groups, extensions }: Beside,
): Versioned & {
  /** Resource as JSON. */
  written: string;
} {
  const { suid, firstName, lastName, roleCode, mobileNumber, managerSuid, externalId } = member;
  const location = `${base}/Users/${suid}`;
  const formatted = fullNameOf({ firstName, lastName });
  const display = role?.name ?? roleCode;
  const {
    name,
    enterprise,
    emails,
    phoneNumbers,
    primaryNumber,
    displayName,
    extensions: stored,
    ...otherAttributes
  } = parseStoredAttributes(member.scimAttributes);
  const extended = validExtensionValues(extensions, stored);
  const addresses = [
    ...(hasEmailAddress(member) ? [{ value: member.primaryEmail, type: 'work', primary: true }] : []),
    ...othersIn(emails, member.primaryEmail),
  ];
  const numbers = [
    ...(mobileNumber === null
      ? []
      : [{ value: mobileNumber, type: 'mobile', ...(primaryNumber === 'mobile' && { primary: true }) }]),
    ...othersIn(phoneNumbers, mobileNumber),
  ];
  const resource: JsonObject = {
    schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA, ...Object.keys(extended)],
    id: suid,
    ...(externalId !== null && { externalId }),
    userName: userNameOf(member),
    name: { formatted, familyName: lastName, givenName: firstName, ...(isObject(name) && name) },
    displayName: displayName ?? formatted,
    active: member.accountStatus !== 'inactive',
    ...otherAttributes,
    ...(addresses.length > 0 && { emails: addresses }),
    ...(numbers.length > 0 && { phoneNumbers: numbers }),
    roles: [{ value: roleCode, display, primary: true }],
    groups: [{ groupId: roleCode, displayName: display }, ...groups].map((group) => ({
      value: group.groupId,
      $ref: `${base}/Groups/${group.groupId}`,
      display: group.displayName,
      type: 'direct',
    })),
    [ENTERPRISE_SCHEMA]: {
      employeeNumber: member.primaryAttr,
      ...(managerSuid !== null && { manager: { value: managerSuid, $ref: `${base}/Users/${managerSuid}` } }),
      ...(isObject(enterprise) && enterprise),
    },
    ...extended,
  };
  const text = JSON.stringify(resource);
  const version = versionOf(text);
  const { createdAt, provisionedAt } = member;
  const meta = {
    resourceType: 'User',
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(provisionedAt ?? createdAt).toISOString(),
    location,
    version,
  };
  const written = `${text.slice(0, -1)},"meta":${JSON.stringify(meta)}}`;
  return { resource: { ...resource, meta }, written, version, location };
}

/** Returns the stored elements, excluding the element whose value is in the column. */
function othersIn(list: Json | undefined, own: string | null): JsonObject[] {
  const elements = Array.isArray(list) ? list.filter(isObject) : [];
  return elements.filter(({ value }) => String(value).toLowerCase() !== own?.toLowerCase());
}
