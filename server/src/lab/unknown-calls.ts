import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireLab } from '../platform/http/callers/require-lab.ts';
import { patternOf } from '../platform/http/contract-routes.ts';
import { nearest } from '../platform/nearest.ts';
import { Refusal } from '../platform/refusal.ts';
import { pathOf } from './faults/answer-with-fault.ts';
import { LAB } from './faults/require-served.ts';
import { fitsPattern } from './faults/served-paths.ts';
import { shownPath } from './journal/shown-path.ts';

/** Longer addresses are not compared with those that exist. */
const COMPARED_MAX = 100;

/** Says what was meant where a call of the lab has a misspelt address, or another method. */
export function unknownCalls(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (patternOf(request) === undefined && pathOf(request).startsWith(LAB)) refuse(deps, request);
    done();
  });
}

/** @throws Refusal ID_DOESNOT_EXIST; UNAUTHORIZED, FORBIDDEN */
function refuse(deps: Deps, request: FastifyRequest): never {
  requireLab(deps.config, request);
  const path = pathOf(request);
  const calls = deps.registered.endpoints.filter(({ area }) => area === 'Lab');
  const methods = calls.filter((entry) => fitsPattern(path, `/api${entry.path}`)).map(({ method }) => method);
  // The journal keeps the answer, and the address may name a sign-in.
  const shown = shortened(shownPath(deps, path));
  throw new Refusal('ID_DOESNOT_EXIST', { message: `The lab has no ${request.method} ${shown}.${hint()}` });

  function hint(): string {
    if (methods.length > 0) return ` ${shown} answers ${methods.join(', ')}.`;
    const known = calls.map((entry) => `/api${entry.path}`);
    const meant = path.length > COMPARED_MAX ? undefined : nearest(path, known);
    return `${meant ? ` Did you mean ${meant}?` : ''} All its calls are at /docs/areas/lab.`;
  }
}

const shortened = (path: string): string => (path.length > COMPARED_MAX ? `${path.slice(0, COMPARED_MAX)}…` : path);
