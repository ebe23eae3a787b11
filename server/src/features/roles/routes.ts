import { memberCountRepo, roleRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { byDisplayOrder, editableRoleFields, roleDetailOf, roleOf } from './role-of.ts';
import { createRole, deleteRole, editRole, requireRole } from './write-role.ts';

/** Serves an organisation's roles. */
export function roles(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listRoles, ({ caller: { orgCode } }) => {
    const counts = memberCountRepo.listMemberCounts(deps.db, orgCode);
    return {
      Items: roleRepo
        .listRoles(deps.db, orgCode)
        .sort(byDisplayOrder)
        .map((role) => roleOf(role, counts)),
    };
  });

  implement(app, deps, contract.listPermissions, () => ({
    permissions: contract.PERMISSIONS.map((name) => ({
      name,
      label: contract.permissionLabel(name),
      group: contract.permissionGroup(name),
    })),
  }));

  implement(app, deps, contract.getRole, ({ caller, params, version }) => {
    const role = requireRole(deps.db, caller.orgCode, params.roleCode);
    version.answer(editableRoleFields(role));
    return { data: roleDetailOf(role) };
  });

  implement(app, deps, contract.createRole, ({ caller, actor, body }) => ({
    roleCode: createRole(deps, { caller, actor }, body),
  }));
  implement(app, deps, contract.editRole, ({ caller, actor, body, version }) => {
    editRole(deps, { caller, actor }, body, version);
    return { roleCode: body.roleCode };
  });
  implement(app, deps, contract.deleteRole, async ({ caller, actor, body }) => ({
    moved: await deleteRole(deps, { caller, actor }, body.roleCode),
  }));
}
