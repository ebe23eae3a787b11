import { organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { sendJson } from '#platform/http/answers/send-json.ts';
import { implement } from '#platform/http/implement.ts';

/** Endpoints for the people who run the portal. */
export function service(app: FastifyInstance, deps: Deps): void {
  const isWell = () => {
    // Fails if the database does not respond; whether there is such an organisation does not matter.
    organisationRepo.findOrganisation(deps.db, 'health');
    return { status: 'ok' as const };
  };
  implement(app, deps, contract.health, isWell);
  // The same where programs that wait for servers look by habit.
  app.get('/health', async (_request, reply) => sendJson(deps, reply, JSON.stringify({ resultCode: 0, ...isWell() })));
}
