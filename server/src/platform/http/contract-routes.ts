import type { EndpointDefinition } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import type { Deps } from '#deps.ts';
import { notFound } from './answers/answer.ts';
import { fieldsOf } from './callers/permissions.ts';
import { boundBody } from './requests/bound-body.ts';
import { PARAM_MAX_LENGTH } from './server-options.ts';

/** The route of an entry of the contract. */
export interface ServedEntry {
  /** Route pattern, e.g. `/api/user/login/:loginId`. */
  pattern: string;
  /** Maximum size of a body, if it is lower than Fastify's. */
  maxBytes?: number;
  /** Runs before the body is read. */
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The entries of the contract that share one route. */
    served: Map<EndpointDefinition, ServedEntry>;
  }
  interface FastifyRequest {
    /** The entry for this request. */
    served: ServedEntry | undefined;
  }
}

const SHARED = '/api/*';

interface FoundEntry {
  entry: EndpointDefinition;
  /** Raw values from the URL. */
  params: Record<string, string | undefined>;
}
type FindEntry = (method: HTTPMethod, url: string) => FoundEntry | undefined;

/**
 * Serves all entries in `app.served` by one route. Fastify's own routes would be created for each portal, which took most
 * of its start; the router of the contract is created once per process (decision 163).
 */
export function routeContract(app: FastifyInstance, { registered }: Deps): void {
  const served: FastifyInstance['served'] = new Map();
  let find: FindEntry;
  app.decorate('served', served);
  app.decorateRequest('served', undefined);
  app.addHook('onReady', (done) => {
    find = findIn(registered.endpoints);
    done();
  });
  // Must be the first hook: others depend on the entry.
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, url, params } = request;
    const found = '*' in fieldsOf(params) ? find(method === 'HEAD' ? 'GET' : (method as HTTPMethod), url) : undefined;
    if (found && (method !== 'HEAD' || hasHead(found.entry))) {
      request.params = found.params;
      request.served = served.get(found.entry);
    }
    done();
  });
  const route: RouteOptions = {
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: SHARED,
    // Before the body is read, so that an unknown path doesn't report body errors.
    onRequest: async (request, reply) => servedBy(request).onRequest(request, reply),
    preParsing: (request, _reply, payload, done) => {
      const { maxBytes } = servedBy(request);
      done(null, maxBytes === undefined ? payload : boundBody(request.raw, payload, maxBytes));
    },
    handler: async (request, reply) => servedBy(request).handler(request, reply),
  };
  app.route(route);
}

/** Returns the entry of a request. @throws Refusal ID_DOESNOT_EXIST if there is none */
function servedBy({ served }: FastifyRequest): ServedEntry {
  if (!served) throw notFound();
  return served;
}

/** Returns false for a GET with effects, like the link in an email: email programs prefetch links with HEAD. */
export const hasHead = ({ method, redirects, isCounted }: EndpointDefinition): boolean =>
  method === 'GET' && !redirects && !isCounted;

/** Returns the pattern of a request's entry or route; undefined if there is neither. */
export function patternOf({ served, routeOptions }: FastifyRequest): string | undefined {
  if (served) return served.pattern;
  const { url } = routeOptions;
  return url === SHARED ? undefined : url;
}

/** Cache of routers. Portals of a process differ little: with and without the lab, and spaces. */
const known: { entries: readonly EndpointDefinition[]; find: FindEntry }[] = [];

function findIn(entries: readonly EndpointDefinition[]): FindEntry {
  const isSame = (others: readonly EndpointDefinition[]) =>
    others.length === entries.length && others.every((other, at) => other === entries[at]);
  const one = known.find((before) => isSame(before.entries));
  if (one) return one.find;
  const own = [...entries];
  const find = createFind(own);
  known.push({ entries: own, find });
  return find;
}

/**
 * Looks requests up by their exact path first, which fits most of them. The router for parameters and other spellings is
 * created on first use, because it takes a tenth of the first portal's start.
 */
function createFind(entries: readonly EndpointDefinition[]): FindEntry {
  requireOwnAddresses(entries);
  const fixed = new Map<string, EndpointDefinition>(
    entries.filter(({ path }) => !path.includes(':')).map((entry) => [`${entry.method} /api${entry.path}`, entry]),
  );
  let router: Instance<HTTPVersion.V1> | undefined;
  return (method, url) => {
    const [path = ''] = url.split('?', 1);
    const entry = fixed.get(`${method} ${path}`);
    if (entry) return { entry, params: {} };
    router ??= routerOf(entries);
    const match = router.find(method, url);
    return match ? { entry: match.store, params: match.params } : undefined;
  };
}

function requireOwnAddresses(entries: readonly EndpointDefinition[]): void {
  const addresses = new Set<string>();
  for (const { method, path } of entries) {
    const address = `${method} ${path.replace(/:\w+/g, ':')}`;
    if (addresses.has(address)) throw new Error(`The address of ${method} ${path} is already declared.`);
    addresses.add(address);
  }
}

function routerOf(entries: readonly EndpointDefinition[]): Instance<HTTPVersion.V1> {
  const router = createRouter({ maxParamLength: PARAM_MAX_LENGTH, querystringParser: () => undefined });
  for (const entry of entries) router.on(entry.method, `/api${entry.path}`, () => undefined, entry);
  return router;
}
