import { groupRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import { type AppClaim, MEMBER_FIELDS, samlTemplateProblem } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/**
 * Checks an application's claims against its organisation's fields, roles and groups, which the schema doesn't know.
 * @throws Refusal INVALID_REQUEST
 */
export function requireClaims(tx: Tx, orgCode: string, claims: readonly AppClaim[] = []): void {
  const { primaryAttrField } = organisationRepo.requireOrganisation(tx, orgCode);
  const fields = [...MEMBER_FIELDS, primaryAttrField];
  const issues = claims.flatMap(({ value, roles, groups }, at) => {
    const path = `oidcConfiguration.clients.claims.${at}`;
    const problem = samlTemplateProblem(value, fields);
    const unknown = roles.findIndex((roleCode) => !roleRepo.findRole(tx, orgCode, roleCode));
    const unknownGroup = groups.findIndex((groupId) => !groupRepo.findGroup(tx, orgCode, groupId));
    return [
      ...(problem === undefined ? [] : [{ path: `${path}.value`, message: problem }]),
      ...(unknown < 0 ? [] : [{ path: `${path}.roles.${unknown}`, message: "This role doesn't exist" }]),
      ...(unknownGroup < 0 ? [] : [{ path: `${path}.groups.${unknownGroup}`, message: "This group doesn't exist" }]),
    ];
  });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}
