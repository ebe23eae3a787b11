import { groupRepo, type memberRepo, type organisationRepo, type roleRepo, type Tx } from '@orchestrate/db';
import { fullNameOf, GROUPS_FIELD, parseSamlTemplate, renderSamlTemplate } from '@orchestrate/shared';

export interface MemberFieldsSource {
  member: memberRepo.MemberRow;
  role: Pick<roleRepo.RoleRow, 'name'> | undefined;
  organisation: Pick<organisationRepo.OrganisationRow, 'primaryAttrField'>;
}

/** What templates may say about a member. */
export interface MemberFields {
  /** One of `MEMBER_FIELDS`, or the organisation's own field; '' for an unknown field. */
  fieldOf: (field: string) => string;
  /** The names of the member's groups. */
  groups: () => readonly string[];
}

export function memberFieldsOf(tx: Tx, { member, role, organisation }: MemberFieldsSource): MemberFields {
  const { primaryEmail, primaryAttr, suid, firstName, lastName, mobileNumber, roleCode } = member;
  const fields = new Map([
    [organisation.primaryAttrField, primaryAttr],
    ...Object.entries({
      email: primaryEmail,
      primaryEmail,
      primaryAttr,
      suid,
      firstName,
      lastName,
      roleCode,
      fullName: fullNameOf({ firstName, lastName }),
      mobileNumber: mobileNumber ?? '',
      roleName: role?.name ?? roleCode,
    }),
  ]);
  let names: string[] | undefined;
  const groups = () => {
    names ??= groupRepo.listGroupsOf(tx, member.orgCode, member.suid).map(({ displayName }) => displayName);
    return names;
  };
  return { groups, fieldOf: (field) => fields.get(field) ?? (field === GROUPS_FIELD ? groups().join(',') : '') };
}

/** The text of a template for a member; '' for a template that cannot be read. */
export function renderTemplate(template: string, { fieldOf }: MemberFields): string {
  const parsed = parseSamlTemplate(template);
  return 'parts' in parsed ? renderSamlTemplate(parsed.parts, fieldOf) : '';
}

/** What a member has in a field: nothing, one text, or the name of each group. */
export function valuesOfField(field: string, { fieldOf, groups }: MemberFields): string[] {
  return field === GROUPS_FIELD ? [...groups()] : [fieldOf(field)].filter((text) => text !== '');
}

/** The text of a template for a member; with groups in it, a text for each of them. Empty texts are left out. */
export function renderForEachGroup(template: string, fields: MemberFields): string[] {
  const parsed = parseSamlTemplate(template);
  if (!('parts' in parsed)) return [];
  const { parts } = parsed;
  const namesGroups = parts.some((part) => 'field' in part && part.field === GROUPS_FIELD);
  const texts = namesGroups
    ? fields
        .groups()
        .map((name) => renderSamlTemplate(parts, (field) => (field === GROUPS_FIELD ? name : fields.fieldOf(field))))
    : [renderSamlTemplate(parts, fields.fieldOf)];
  return texts.filter((text) => text !== '');
}
