import { organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';

/** Endpoints for the people who run the portal. */
export function service(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.health, () => {
    // Fails if the database does not respond; whether there is such an organisation does not matter.
    organisationRepo.findOrganisation(deps.db, 'health');
    return { status: 'ok' as const };
  });
}
