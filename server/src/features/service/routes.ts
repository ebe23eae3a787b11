import { organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { sendJson } from '#platform/http/answers/send-json.ts';
import { implement } from '#platform/http/implement.ts';

/** Serves endpoints for the portal's operators. */
export function service(app: FastifyInstance, deps: Deps): void {
  const isWell = () => {
    // This query throws if the database doesn't respond. It doesn't need to find an organisation.
    organisationRepo.findOrganisation(deps.db, 'health');
    return { status: 'ok' as const };
  };
  implement(app, deps, contract.health, isWell);
  // Many tools that wait for a server check this path by default.
  app.get('/health', async (_request, reply) => sendJson(deps, reply, JSON.stringify({ resultCode: 0, ...isWell() })));
}
