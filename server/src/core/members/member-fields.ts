import type { memberRepo, organisationRepo, roleRepo } from '@orchestrate/db';
import { parseSamlTemplate, renderSamlTemplate } from '@orchestrate/shared';

export interface MemberFieldsSource {
  member: memberRepo.MemberRow;
  role: Pick<roleRepo.RoleRow, 'name'> | undefined;
  organisation: Pick<organisationRepo.OrganisationRow, 'primaryAttrField'>;
}

/** `MEMBER_FIELDS` of a member, and the organisation's own field; '' for one that there is not. */
export function memberFieldsOf({ member, role, organisation }: MemberFieldsSource): (field: string) => string {
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
      fullName: `${firstName} ${lastName}`.trim(),
      mobileNumber: mobileNumber ?? '',
      roleName: role?.name ?? roleCode,
    }),
  ]);
  return (field) => fields.get(field) ?? '';
}

/** The text of a template for a member; '' for a template that cannot be read. */
export function renderTemplate(template: string, fieldOf: (field: string) => string): string {
  const parsed = parseSamlTemplate(template);
  return 'parts' in parsed ? renderSamlTemplate(parsed.parts, fieldOf) : '';
}
