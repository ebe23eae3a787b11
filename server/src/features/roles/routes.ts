import { memberCountRepo, roleRepo } from '@orchestrate/db';
import { listRoles } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { inShownOrder, roleOf } from './domain.ts';

/** The roles of an organisation. */
export function roles(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, listRoles, ({ caller: { orgCode } }) => {
    const counts = memberCountRepo.listMemberCounts(deps.db, orgCode);
    return {
      Items: roleRepo
        .listRoles(deps.db, orgCode)
        .sort(inShownOrder)
        .map((role) => roleOf(role, counts)),
    };
  });
}
