import { organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { sendJson } from '#platform/http/answers/send-json.ts';
import { implement } from '#platform/http/implement.ts';

/** Serves endpoints for the operators of the portal. */
export function service(app: FastifyInstance, deps: Deps): void {
  const isWell = () => {
    // Fails if the database doesn't respond; the organisation needn't exist.
    organisationRepo.findOrganisation(deps.db, 'health');
    return { status: 'ok' as const };
  };
  implement(app, deps, contract.health, isWell);
  // The same at the path where programs that wait for servers usually look.
  app.get('/health', async (_request, reply) => sendJson(deps, reply, JSON.stringify({ resultCode: 0, ...isWell() })));
}
