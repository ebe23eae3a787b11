import { isDeepStrictEqual } from 'node:util';
import { roleRepo } from '@orchestrate/db';
import { roleForm } from '@orchestrate/shared';
import {
  ANY_VERSION,
  type ConfigurationPart,
  type Import,
  namesGivenUp,
  requirePermission,
  type Step,
} from '../../core/configuration/configuration-part.ts';
import { readPart } from '../../platform/http/requests/read-request.ts';
import { editableRole, inTableOrder } from './shown-role.ts';
import { createRole, editRole } from './write-role.ts';

/** The roles that a file gives an organisation: those whose codes it has are changed, the others are made. */
export const configuredRoles: ConfigurationPart = (call) => {
  const { deps, caller, actor, file } = call;
  const roles = file.given.roles ?? [];
  const steps = roles.map(
    (role, at): Step => ({
      path: ['roles', at],
      placeOf: (field) => ['roles', at, ...(field === 'roleCode' ? ['code'] : field.split('.'))],
      prepare: () => () => {
        const known = roleRepo.findRole(deps.db, caller.orgCode, role.code);
        const { name, permissions } = readPart(roleForm, {
          name: role.name ?? known?.name ?? role.code,
          permissions: role.permissions ?? known?.permissions ?? [],
        });
        const form = { name, permissions: inTableOrder(permissions) };
        if (!known) {
          requirePermission(caller, 'CREATE_CUSTOM_ROLES');
          createRole(deps, { caller, actor }, form, role.code);
        } else if (!isDeepStrictEqual(editableRole(known), form)) {
          requirePermission(caller, 'UPDATE_CUSTOM_ROLES');
          editRole(deps, { caller, actor }, { roleCode: role.code, ...form }, ANY_VERSION);
        }
      },
    }),
  );
  return [{ path: ['roles'], prepare: () => () => giveUpNames(call) }, ...steps];
};

function giveUpNames({ deps, caller, actor, file: { given } }: Import): void {
  // Who may not rename is told so at the role itself.
  if (!caller.permissions.includes('UPDATE_CUSTOM_ROLES')) return;
  const present = new Map(
    roleRepo
      .listRoles(deps.db, caller.orgCode)
      .filter(({ type }) => type === 'custom')
      .map((role) => [role.roleCode, role]),
  );
  const called = (given.roles ?? []).map(({ code: id, name }) => ({ id, name }));
  const names = [...present].map(([id, { name }]) => ({ id, name }));
  for (const { id: roleCode, name } of namesGivenUp(called, names)) {
    const permissions = present.get(roleCode)?.permissions ?? [];
    editRole(deps, { caller, actor }, { roleCode, name, permissions }, ANY_VERSION);
  }
}
