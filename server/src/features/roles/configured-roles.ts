import { isDeepStrictEqual } from 'node:util';
import { roleRepo } from '@orchestrate/db';
import { roleForm } from '@orchestrate/shared';
import {
  ANY_VERSION,
  type ConfigurationPart,
  isSameName,
  requireFreed,
  requirePermission,
} from '../../core/configuration/configuration-part.ts';
import { readPart } from '../../platform/http/requests/read-request.ts';
import { editableRole, inTableOrder } from './shown-role.ts';
import { createRole, editRole } from './write-role.ts';

/** The roles that a file gives an organisation: those whose codes it has are changed, the others are made. */
export const configuredRoles: ConfigurationPart = ({ deps, caller, actor, file: { given } }) =>
  (given.roles ?? []).map((role, at) => ({
    path: ['roles', at],
    placeOf: (field) => ['roles', at, ...(field === 'roleCode' ? ['code'] : field.split('.'))],
    prepare: () => () => {
      const known = roleRepo.findRole(deps.db, caller.orgCode, role.code);
      const { name, permissions } = readPart(roleForm, {
        name: role.name ?? known?.name ?? role.code,
        permissions: role.permissions ?? known?.permissions ?? [],
      });
      const holder = roleRepo
        .listRoles(deps.db, caller.orgCode)
        .find((other) => other.roleCode !== role.code && isSameName(other.name, name));
      const called = (given.roles ?? []).map((each) => ({ id: each.code, name: each.name }));
      requireFreed(name, holder?.roleCode, called);
      const form = { name, permissions: inTableOrder(permissions) };
      if (!known) {
        requirePermission(caller, 'CREATE_CUSTOM_ROLES');
        createRole(deps, { caller, actor }, form, role.code);
      } else if (!isDeepStrictEqual(editableRole(known), form)) {
        requirePermission(caller, 'UPDATE_CUSTOM_ROLES');
        editRole(deps, { caller, actor }, { roleCode: role.code, ...form }, ANY_VERSION);
      }
    },
  }));
