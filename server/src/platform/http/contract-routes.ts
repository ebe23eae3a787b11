import type { EndpointDefinition } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import type { Deps } from '#deps.ts';
import { notFound } from './answers/answer.ts';
import { fieldsOf } from './callers/permissions.ts';
import { boundBody } from './requests/bound-body.ts';
import { PARAM_MAX_LENGTH } from './server-options.ts';

/** How an entry of the contract is served. */
export interface ServedEntry {
  /** The pattern of its address, e.g. `/api/user/login/:loginId`. */
  pattern: string;
  /** Limit for a body, if it is lower than Fastify's. */
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
    /** The one of them that this request is for. */
    served: ServedEntry | undefined;
  }
}

const SHARED = '/api/*';

interface FoundEntry {
  entry: EndpointDefinition;
  /** As they are in the address. */
  params: Record<string, string | undefined>;
}
type FindEntry = (method: HTTPMethod, url: string) => FoundEntry | undefined;

/**
 * Serves what is in `app.served` by one route. Fastify makes its routes again for each portal, which was most of what a
 * portal took to start; the router for those of the contract is made once in a process (decision 163).
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
  // The first hook: others ask what a request is for.
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
    // Before the body is read: at an address that is not there, nothing can be wrong with it.
    onRequest: async (request, reply) => servedBy(request).onRequest(request, reply),
    preParsing: (request, _reply, payload, done) => {
      const { maxBytes } = servedBy(request);
      done(null, maxBytes === undefined ? payload : boundBody(request.raw, payload, maxBytes));
    },
    handler: async (request, reply) => servedBy(request).handler(request, reply),
  };
  app.route(route);
}

/** @throws Refusal ID_DOESNOT_EXIST */
function servedBy({ served }: FastifyRequest): ServedEntry {
  if (!served) throw notFound();
  return served;
}

/** A GET may have effects, like the link in a mail; a HEAD, with which mail programs look ahead, must not. */
export const hasHead = ({ method, redirects, isCounted }: EndpointDefinition): boolean =>
  method === 'GET' && !redirects && !isCounted;

/** The pattern of the route or entry that a request is for; undefined where there is neither. */
export function patternOf({ served, routeOptions }: FastifyRequest): string | undefined {
  if (served) return served.pattern;
  const { url } = routeOptions;
  return url === SHARED ? undefined : url;
}

/** Portals of a process differ little: with and without the lab, and spaces. */
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
 * Most entries have an address without parameters, and most requests have it letter for letter. The router, which knows
 * every other way to write an address, is made when it is first needed: it takes a tenth of a first portal's time.
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
