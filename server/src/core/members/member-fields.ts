import { groupRepo, type memberRepo, type organisationRepo, type roleRepo, type Tx } from '@orchestrate/db';
import { fullNameOf, GROUPS_FIELD, parseSamlTemplate, renderSamlTemplate } from '@orchestrate/shared';

export interface MemberFieldsSource {
  member: memberRepo.MemberRow;
  role: Pick<roleRepo.RoleRow, 'name'> | undefined;
  organisation: Pick<organisationRepo.OrganisationRow, 'primaryAttrField'>;
}

/** Member fields available to templates. */
export interface MemberFields {
  /**
   * Returns the value of one of `MEMBER_FIELDS`, of the organisation's custom field or of `groups`; '' for an unknown
   * field.
   */
  fieldOf: (field: string) => string;
  /** Returns the names of the member's groups. */
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
    names ??= groupRepo.listMemberGroups(tx, member.orgCode, member.suid).map(({ displayName }) => displayName);
    return names;
  };
  return { groups, fieldOf: (field) => fields.get(field) ?? (field === GROUPS_FIELD ? groups().join(',') : '') };
}

/** Renders a template for a member. Returns '' if the template is invalid. */
export function renderTemplate(template: string, { fieldOf }: MemberFields): string {
  const parsed = parseSamlTemplate(template);
  return 'parts' in parsed ? renderSamlTemplate(parsed.parts, fieldOf) : '';
}

/** Returns a field's values: none, one, or one per group. */
export function valuesOfField(field: string, { fieldOf, groups }: MemberFields): string[] {
  return field === GROUPS_FIELD ? [...groups()] : [fieldOf(field)].filter((text) => text !== '');
}

/** Renders a template for a member, once per group if the template contains the groups. Empty results are left out. */
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
