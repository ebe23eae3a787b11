import { roleRepo, type Tx } from '@orchestrate/db';
import { isSameName } from '../../../core/members/role-names.ts';

/** A role by its code, or by its name as people see it. */
export function roleCalled(tx: Tx, orgCode: string, called: string): roleRepo.RoleRow | undefined {
  const known = roleRepo.findRole(tx, orgCode, called);
  return known ?? roleRepo.listRoles(tx, orgCode).find(({ name }) => isSameName(name, called));
}
