import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { beginVerbal } from './begin-verbal.ts';
import { serveVerbal } from './live.ts';

/** Verifying a caller: staff read a code aloud, the caller types it in the authenticator and consents. */
export function verbal(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.startVerbal, ({ caller, query: { epoch }, ip, userAgent }) =>
    beginVerbal(deps, caller, { epoch, ip, userAgent }),
  );

  serveVerbal(app, deps);
}
