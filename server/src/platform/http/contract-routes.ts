import type { EndpointDefinition } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import type { Deps } from '#deps.ts';
import { notFoundRefusal } from './answers/answer.ts';
import { fieldsOf } from './callers/permissions.ts';
import { limitBody } from './requests/bound-body.ts';
import { PARAM_MAX_LENGTH } from './server-options.ts';

/** A contract entry's pattern, hooks and handler. */
export interface ServedEntry {
  /** Route pattern, e.g. `/api/user/login/:loginId`. */
  pattern: string;
  /** Maximum body size in bytes, if lower than Fastify's. */
  maxBytes?: number;
  /** Checks the request before its body is read. */
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Contract entries that share one route. */
    served: Map<EndpointDefinition, ServedEntry>;
  }
  interface FastifyRequest {
    /** Contract entry of this request. */
    served: ServedEntry | undefined;
  }
}

const SHARED = '/api/*';

interface FoundEntry {
  entry: EndpointDefinition;
  /** Path parameters as strings from the URL, not yet validated. */
  params: Record<string, string | undefined>;
}
type FindEntry = (method: HTTPMethod, url: string) => FoundEntry | undefined;

/**
 * Serves all entries in `app.served` through one route. Creating a Fastify route per entry took most of a portal's
 * start-up time, whereas the contract router is created once per process (decision 163).
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
  // Add this hook first, because the other hooks depend on the request's entry.
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, url, params } = request;
    const found = '*' in fieldsOf(params) ? find(method === 'HEAD' ? 'GET' : (method as HTTPMethod), url) : undefined;
    if (found && (method !== 'HEAD' || allowsHead(found.entry))) {
      request.params = found.params;
      request.served = served.get(found.entry);
    }
    done();
  });
  const route: RouteOptions = {
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: SHARED,
    // Runs before the body is read, so that unknown paths don't report body errors.
    onRequest: async (request, reply) => servedBy(request).onRequest(request, reply),
    preParsing: (request, _reply, payload, done) => {
      const { maxBytes } = servedBy(request);
      done(null, maxBytes === undefined ? payload : limitBody(request.raw, payload, maxBytes));
    },
    handler: async (request, reply) => servedBy(request).handler(request, reply),
  };
  app.route(route);
}

/** Returns the contract entry of a request. @throws Refusal ID_DOESNOT_EXIST if there is none */
function servedBy({ served }: FastifyRequest): ServedEntry {
  if (!served) throw notFoundRefusal();
  return served;
}

/**
 * Returns true if an endpoint also answers HEAD. A GET with side effects, such as an email link, must not answer
 * HEAD, because email programs prefetch links with HEAD.
 */
export const allowsHead = ({ method, redirects, isCounted }: EndpointDefinition): boolean =>
  method === 'GET' && !redirects && !isCounted;

/** Returns the pattern of the request's contract entry or Fastify route, or undefined if neither matches. */
export function patternOf({ served, routeOptions }: FastifyRequest): string | undefined {
  if (served) return served.pattern;
  const { url } = routeOptions;
  return url === SHARED ? undefined : url;
}

/** Cache of routers. Portals in one process need only a few variants: with the lab, without the lab, and spaces. */
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
 * Returns a function that looks up an entry by its exact path first, which matches most requests. The router for
 * parameters and other spellings is created on first use, because creating it takes a tenth of the first portal's
 * start-up time.
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
    if (addresses.has(address)) throw new Error(`The path of ${method} ${path} is already declared.`);
    addresses.add(address);
  }
}

function routerOf(entries: readonly EndpointDefinition[]): Instance<HTTPVersion.V1> {
  const router = createRouter({ maxParamLength: PARAM_MAX_LENGTH, querystringParser: () => undefined });
  for (const entry of entries) router.on(entry.method, `/api${entry.path}`, () => undefined, entry);
  return router;
}
