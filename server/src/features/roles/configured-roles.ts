import { isDeepStrictEqual } from 'node:util';
import { roleRepo } from '@orchestrate/db';
import { roleForm } from '@orchestrate/shared';
import {
  type ConfigurationPart,
  type Import,
  idsReleasingNames,
  requirePermission,
  type Step,
} from '#core/configuration/configuration-part.ts';
import { isSameName } from '#core/members/role-names.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { editableRoleFields, sortPermissions } from './role-of.ts';
import { createRole, editRole } from './write-role.ts';

/** Imports a file's roles. Updates roles with existing codes and creates the rest. */
export const configuredRoles: ConfigurationPart = (call) => {
  const { deps, caller, actor, file } = call;
  const roles = file.given.roles ?? [];
  const givingUp = new Set<string>();
  const steps = roles.map(
    (role, at): Step => ({
      path: ['roles', at],
      placeOf: (field) => ['roles', at, ...(field === 'roleCode' ? ['code'] : field.split('.'))],
      prepare: () => () => {
        const known = roleRepo.findRole(deps.db, caller.orgCode, role.code);
        givingUp.delete(role.code);
        const { name, permissions } = readPart(roleForm, {
          name: role.name ?? known?.name ?? role.code,
          permissions: role.permissions ?? known?.permissions ?? [],
        });
        const form = { name, permissions: sortPermissions(permissions) };
        if (!known) {
          requirePermission(caller, 'CREATE_CUSTOM_ROLES');
          createRole(deps, { caller, actor, givingUp }, form, role.code);
        } else if (!isDeepStrictEqual(editableRoleFields(known), form)) {
          requirePermission(caller, 'UPDATE_CUSTOM_ROLES');
          editRole(deps, { caller, actor, givingUp }, { roleCode: role.code, ...form }, ANY_VERSION);
        }
      },
    }),
  );
  const begin = () => {
    for (const roleCode of idsReleasingNames(called(file), customRoles(call), isSameName)) givingUp.add(roleCode);
  };
  return [{ path: ['roles'], prepare: () => begin }, ...steps];
};

const called = ({ given }: Import['file']) => (given.roles ?? []).map(({ code: id, name }) => ({ id, name }));

const customRoles = ({ deps, caller }: Import) =>
  roleRepo
    .listRoles(deps.db, caller.orgCode)
    .filter(({ type }) => type === 'custom')
    .map(({ roleCode: id, name }) => ({ id, name }));
