import { organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import { type AppClaim, MEMBER_FIELDS, samlTemplateProblem } from '@orchestrate/shared';
import { Refusal } from '../../platform/refusal.ts';

/**
 * What the schema cannot see of the claims of an application: fields and roles of its organisation.
 * @throws Refusal INVALID_REQUEST
 */
export function requireClaims(tx: Tx, orgCode: string, claims: readonly AppClaim[] = []): void {
  const { primaryAttrField } = organisationRepo.requireOrganisation(tx, orgCode);
  const fields = [...MEMBER_FIELDS, primaryAttrField];
  const issues = claims.flatMap(({ value, roles }, at) => {
    const path = `oidcConfiguration.clients.claims.${at}`;
    const problem = samlTemplateProblem(value, fields);
    const unknown = roles.findIndex((roleCode) => !roleRepo.findRole(tx, orgCode, roleCode));
    return [
      ...(problem === undefined ? [] : [{ path: `${path}.value`, message: problem }]),
      ...(unknown < 0 ? [] : [{ path: `${path}.roles.${unknown}`, message: 'There is no such role' }]),
    ];
  });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}
