import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { setUpPortal, setupState } from './set-up.ts';

/** Serves the setup by the first administrator. */
export function setup(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.readSetup, () => setupState(deps));
  implement(app, deps, contract.setUp, ({ body, actor }) => setUpPortal(deps, body, actor));
}
