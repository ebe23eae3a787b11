import { type EndpointDefinition, PRIVATE_SEGMENTS, PUBLIC_SEGMENTS } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import { allowsHead, type ServedEntry } from '#platform/http/contract-routes.ts';
import { nearestBySegments } from '#platform/nearest.ts';

/** Paths below an issuer. The OpenID provider routes them itself, so Fastify doesn't know them. */
const OIDC_PATHS = [
  'auth',
  'auth/:uid',
  'request',
  'device',
  'device/:uid',
  'device-authorization',
  'token',
  'token/introspection',
  'token/revocation',
  'me',
  'jwks',
  'session/end',
  'session/end/confirm',
  'session/end/success',
  '.well-known/openid-configuration',
].map((path) => `/oidc/:orgCode/${path}`);

/** SCIM paths, which the SCIM server routes itself (RFC 7644 §3.2). */
const SCIM_PATHS = [
  'Users',
  'Users/:id',
  'Groups',
  'Groups/:id',
  'Bulk',
  '.search',
  'Users/.search',
  'Groups/.search',
  'ServiceProviderConfig',
  'ResourceTypes',
  'ResourceTypes/:id',
  'Schemas',
  'Schemas/:id',
].map((path) => `/scim/v2/:orgCode/${path}`);

export const CLIENT_FILES = ['/', '/assets/*', '/favicon.svg', '/invite-template.csv'];

/** Paths of the client's pages and files. */
const CLIENT_PATHS = [
  ...CLIENT_FILES,
  ...['sign-in', 'sign-up', 'faq'].map((page) => `/:orgCode/${page}`),
  ...[...PUBLIC_SEGMENTS, ...PRIVATE_SEGMENTS].flatMap((segment) => [`/${segment}`, `/${segment}/*`]),
];

const READS = ['GET', 'HEAD'];
const OIDC_METHODS = [...READS, 'POST', 'OPTIONS'];
const SCIM_METHODS = [...READS, 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes in which `*` stands for a separate router, the whole client or unknown paths. */
const OPEN_ENDED = ['/*', '*', '/oidc/:orgCode/*', '/scim/v2/:orgCode/*', '/api/*'];

/** Path patterns that the server serves, with their methods. */
export type ServedPaths = ReadonlyMap<string, ReadonlySet<string>>;

type Route = readonly [url: string, methods: readonly string[]];

/**
 * Collects every path that the server serves, including routes registered after this call.
 * @returns a function to call once the server is ready. It collects lazily, because most portals never need the
 * paths.
 */
export function collectServedPaths(
  app: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
): () => ServedPaths {
  const routes: Route[] = [
    ...CLIENT_PATHS.map((path): Route => [path, READS]),
    ...OIDC_PATHS.map((path): Route => [path, OIDC_METHODS]),
    ...SCIM_PATHS.map((path): Route => [path, SCIM_METHODS]),
  ];
  app.addHook('onRoute', ({ url, method }) => {
    if (!OPEN_ENDED.includes(url)) routes.push([url, [method].flat()]);
  });
  let served: ServedPaths | undefined;
  return () => {
    if (served) return served;
    const all = [...routes, ...Array.from(app.served, ofContract)];
    // With CORS, browsers can send preflights to any path.
    const preflights = corsOrigins.length === 0 ? [] : all.map(([url]): Route => [url, ['OPTIONS']]);
    served = byPath([...all, ...preflights]);
    return served;
  };
}

const ofContract = ([entry, { pattern }]: [EndpointDefinition, ServedEntry]): Route => [
  pattern,
  allowsHead(entry) ? READS : [entry.method],
];

function byPath(routes: readonly Route[]): ServedPaths {
  const served = new Map<string, Set<string>>();
  for (const [url, methods] of routes) served.set(url, new Set([...(served.get(url) ?? []), ...methods]));
  return served;
}

/** Matches the parameter notations `:name` (our routes) and `{name}` (OpenAPI). */
const isAny = (segment: string | undefined): boolean => /^(?::|\{.+\}$)/.test(segment ?? '');

/** Returns true if a path can match a pattern. The path can itself contain `:name`, `{name}` and `*`. */
export function canMatchPattern(path: string, pattern: string): boolean {
  const ours = path.split('/');
  const theirs = pattern.split('/');
  for (const [at, segment] of ours.entries()) {
    if (theirs[at] === undefined) return false;
    if (segment === '*' || theirs[at] === '*') return true;
    if (segment !== theirs[at] && !isAny(segment) && !isAny(theirs[at])) return false;
  }
  return ours.length === theirs.length;
}

/** Returns true if a request's path matches a pattern. In the request's path, `:name` is literal. */
export function matchesPattern(address: string, pattern: string): boolean {
  const segments = address.split('/');
  const wanted = pattern.split('/');
  for (const [at, segment] of wanted.entries()) {
    if (segment === '*') return segments.length > at;
    if (segments[at] === undefined || (segment !== segments[at] && !isAny(segment))) return false;
  }
  return segments.length === wanted.length;
}

/** Returns the served path closest to a misspelt one, keeping its parameter values. */
export function nearestPath(path: string, served: ServedPaths): string | undefined {
  const patterns = [...served.keys()];
  const below = `/api${path}`;
  if (patterns.some((pattern) => pattern.startsWith('/api/') && canMatchPattern(below, pattern))) return below;
  const given = path.replace(/\/$/, '');
  const ours = given.split('/');
  const filled = patterns.map((pattern) =>
    pattern
      .split('/')
      .map((segment, at) => (isAny(segment) || segment === '*' ? (ours[at] ?? segment) : segment))
      .join('/'),
  );
  return nearestBySegments(given, filled, '/');
}
