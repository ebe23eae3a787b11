import { organisationRepo } from '@orchestrate/db';
import { health } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';

/** What those who run the portal ask it. */
export function service(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, health, () => {
    // Fails where the database does not answer; whether there is such an organisation does not matter.
    organisationRepo.findOrganisation(deps.db, 'health');
    return { status: 'ok' as const };
  });
}
