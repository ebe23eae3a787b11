import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireLab } from '../platform/http/callers/require-lab.ts';
import { nearest } from '../platform/nearest.ts';
import { Refusal } from '../platform/refusal.ts';
import { pathOf } from './faults/answer-with-fault.ts';
import { fitsPattern } from './faults/served-paths.ts';
import { shownPath } from './journal/shown-path.ts';

/** Longer addresses are not compared with those that exist. */
const COMPARED_MAX = 100;

/** Says what was meant where a call of the lab has a misspelt address, or another method. */
export function unknownCalls(app: FastifyInstance, deps: Deps): void {
  const { config, registered } = deps;
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/lab/*',
    onRequest: async (request) => requireLab(config, request),
    handler: (request) => {
      const path = pathOf(request);
      const calls = registered.endpoints.filter(({ area }) => area === 'Lab');
      const methods = calls.filter((entry) => fitsPattern(path, `/api${entry.path}`)).map(({ method }) => method);
      // The journal keeps the answer, and the address may name a sign-in.
      const shown = shortened(shownPath(deps, path));
      throw new Refusal('ID_DOESNOT_EXIST', {
        message: `The lab has no ${request.method} ${shown}.${hint()}`,
      });

      function hint(): string {
        if (methods.length > 0) return ` ${shown} answers ${methods.join(', ')}.`;
        const known = calls.map((entry) => `/api${entry.path}`);
        const meant = path.length > COMPARED_MAX ? undefined : nearest(path, known);
        return `${meant ? ` Did you mean ${meant}?` : ''} All its calls are at /docs/areas/lab.`;
      }
    },
  });
}

const shortened = (path: string): string => (path.length > COMPARED_MAX ? `${path.slice(0, COMPARED_MAX)}…` : path);
