import { groupRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import {
  type AppClaim,
  type ClientKind,
  hasSignIn,
  MEMBER_FIELDS,
  parseSamlTemplate,
  samlTemplateProblem,
} from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/**
 * Checks an application's claims against its organisation's fields, roles and groups, which the schema doesn't know.
 * @throws Refusal INVALID_REQUEST
 */
export function requireClaims(tx: Tx, orgCode: string, kind: ClientKind, claims: readonly AppClaim[] = []): void {
  const { primaryAttrField } = organisationRepo.requireOrganisation(tx, orgCode);
  const fields = [...MEMBER_FIELDS, primaryAttrField];
  const issues = claims.flatMap(({ value, roles, groups }, at) => {
    const path = `oidcConfiguration.clients.claims.${at}`;
    const problem = samlTemplateProblem(value, fields) ?? (hasSignIn(kind) ? undefined : problemWithoutUser(value));
    const unknown = roles.findIndex((roleCode) => !roleRepo.findRole(tx, orgCode, roleCode));
    const unknownGroup = groups.findIndex((groupId) => !groupRepo.findGroup(tx, orgCode, groupId));
    return [
      ...(problem === undefined ? [] : [{ path: `${path}.value`, message: problem }]),
      ...(hasSignIn(kind) || roles.length + groups.length === 0
        ? []
        : [
            { path: `${path}.${roles.length > 0 ? 'roles' : 'groups'}`, message: 'Service clients act without a user' },
          ]),
      ...(unknown < 0 ? [] : [{ path: `${path}.roles.${unknown}`, message: "This role doesn't exist" }]),
      ...(unknownGroup < 0 ? [] : [{ path: `${path}.groups.${unknownGroup}`, message: "This group doesn't exist" }]),
    ];
  });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/** Returns why a value can't be used without a user, or undefined if it is a constant. */
function problemWithoutUser(value: string): string | undefined {
  const parsed = parseSamlTemplate(value);
  const isConstant = 'parts' in parsed && parsed.parts.every((part) => 'text' in part);
  return isConstant ? undefined : 'Service clients act without a user. Use a constant';
}
