import { applicationRepo, organisationRepo } from '@orchestrate/db';
import type { AnyFault } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireMemberWith, requireOrgCode } from '../phones/find-phone.ts';
import { inFull } from './fault-list.ts';
import { fitsPattern, nearestPath, type ServedPaths } from './served-paths.ts';

/** Path prefix of the lab. */
export const LAB = '/api/lab/';

/** Path prefixes with their own kinds of errors. */
const KINDS = [
  { name: 'oauthError', prefix: '/oidc/' },
  { name: 'scim', prefix: '/scim/' },
  { name: 'resultName', prefix: '/api/' },
] as const;

/** Endpoints that issue something to damage, and its name. */
const HAND_OUT = [
  { name: 'token', what: 'ID tokens', patterns: ['/oidc/:orgCode/token'], methods: ['POST'] },
  {
    name: 'assertion',
    what: 'SAML responses',
    patterns: ['/saml/:orgCode/:appId/sso', '/saml/:orgCode/continue'],
    methods: ['GET'],
  },
] as const;

/** Path prefixes whose requests can name a person, by token, query or body. */
const SAYS_WHO = ['/api/', '/ws/', '/scim/'];
/** Path prefixes whose requests can name an organisation, also in the path. */
const SAYS_ORG = [...SAYS_WHO, '/oidc/', '/saml/', '/logos/'];
/** Clients can request metadata with the well-known path before the issuer's (RFC 8414 §3.1). */
const METADATA = '/.well-known/:name/oidc/:orgCode';
/** The only protocol path that can name a person, as `login_hint`. */
const HINTED = '/oidc/:orgCode/auth';

const isBelow = (path: string, places: readonly string[]) =>
  path === '/*' || places.some((place) => path.startsWith(place));

/** Returns true if a request to a path can say whom it is from or about. */
export const canNamePerson = (path: string): boolean => isBelow(path, SAYS_WHO) || fitsPattern(path, HINTED);

/** Returns true if a request to a path can say which organisation it is about. */
export const canNameOrganisation = (path: string): boolean => isBelow(path, SAYS_ORG) || fitsPattern(path, METADATA);

/**
 * Refuses a fault that could never fire.
 * @throws Refusal INVALID_REQUEST for an unserved path or method, or an answer that is impossible there;
 * ORG_CODE_NOT_FOUND, ORG_APP_MISSING, ORG_EMAIL_NOT_FOUND for an unknown organisation, application or person
 */
export function requireServed(deps: Deps, given: AnyFault, served: ServedPaths): void {
  const { match, answer } = inFull(given);
  const { path, method, email, org } = match;
  const at = 'match' in given ? 'match.' : '';
  if (!('match' in given)) requireInApi(given.path, path, served);
  const fitting = requirePath(deps, { path, method }, served, at);
  if (fitting.every((pattern) => pattern.startsWith(LAB))) {
    refuse(`${at}path`, `${path} belongs to the lab, which never fails, so that tests can always remove their faults.`);
  }
  if (org !== undefined) requireOrgCode(deps, org);
  const place = orgNamed(path, fitting);
  if (org !== undefined && place !== undefined && place !== org) {
    refuse('match.org', `${path} is a path of ${place}, not of ${org}: omit org.`);
  }
  if (email !== undefined) requireMemberWith(deps, email, org ?? place);
  // The subject of a token or assertion is known when it is issued.
  const isDamage = HAND_OUT.some(({ name }) => answer[name] !== undefined);
  if (email !== undefined && !isDamage && !canNamePerson(path)) {
    refuse('match.email', `Requests to ${path} don't name a person: omit email.`);
  }
  if (org !== undefined && !canNameOrganisation(path)) {
    refuse('match.org', `Requests to ${path} don't name an organisation: omit org.`);
  }
  // With CORS_ORIGINS, `allowOrigins` answers preflights before the request is read.
  const nameless = method === 'OPTIONS' && deps.config.corsOrigins.length > 0 ? (['email', 'org'] as const) : [];
  for (const name of nameless) {
    if (match[name] === undefined) continue;
    refuse(`match.${name}`, `OPTIONS is answered before its subject is known: omit ${name}.`);
  }
  if (answer.cut === 'body' && (method === 'HEAD' || method === 'OPTIONS')) {
    refuse('answer.cut', `${method} is answered without a body: use true.`);
  }
  if (answer.cut === 'body' && path.startsWith('/ws/')) {
    refuse(
      'answer.cut',
      'Sockets have no body to truncate. POST /api/lab/sockets can close one instead of sending a message.',
    );
  }
  for (const { name, prefix } of KINDS) {
    const isThere = path.startsWith(prefix) || path === '/*' || (name === 'resultName' && path.startsWith('/ws/'));
    if (answer[name] !== undefined && !isThere) {
      refuse(`answer.${name}`, `${name} needs a path below ${prefix}, not ${path}.`);
    }
  }
  for (const { name, what, patterns, methods } of HAND_OUT) {
    if (answer[name] === undefined) continue;
    if (!patterns.some((pattern) => fitsPattern(path, pattern))) {
      const those = patterns.join(' or ');
      refuse(`answer.${name}`, `${path} does not issue ${what}: ${name} needs a path that matches ${those}.`);
    }
    if (method && !methods.some((one) => one === method)) {
      refuse('match.method', `${what} are issued by ${methods.join(', ')}, not by ${method}: omit it.`);
    }
  }
}

/**
 * @param short the path in the short form
 * @param path the same path below `/api`
 * @throws Refusal INVALID_REQUEST if the path is outside the API, or close to one that is, or unknown
 */
function requireInApi(short: string, path: string, served: ServedPaths): void {
  const first = short.split('/')[1];
  const elsewhere = [...served.keys()].filter((pattern) => pattern.split('/')[1] === first);
  if (first === 'api' || elsewhere.length === 0 || [...served.keys()].some((pattern) => fitsPattern(path, pattern)))
    return;
  const meant = elsewhere.some((pattern) => fitsPattern(short, pattern)) ? short : nearestPath(short, served);
  if (meant === undefined) refuse('path', `The portal doesn't serve ${short}.`);
  const message = `The short form is for API paths, and ${short} isn't one: pass ${meant} as match.path, and the status in answer.`;
  refuse('path', message);
}

/**
 * Refuses a path that matches no request: misspelt, it would never be used.
 * @param at the position of the path in the request, e.g. `match.`
 * @returns the patterns that it matches
 * @throws Refusal INVALID_REQUEST, ORG_CODE_NOT_FOUND, ORG_APP_MISSING, naming the nearest
 */
export function requirePath(
  deps: Deps,
  { path, method }: { path: string; method?: string | undefined },
  served: ServedPaths,
  at = '',
): string[] {
  const fitting = [...served].filter(([pattern]) => fitsPattern(path, pattern));
  const patterns = fitting.map(([pattern]) => pattern);
  const orgCode = orgNamed(path, patterns);
  // The first segment can be any organisation, for its pages, but `/asets/*` is still a typo.
  const isDoubtful = patterns.every((pattern) => pattern.startsWith('/:')) && !isOrganisation(deps, orgCode);
  const meant = isDoubtful ? nearestPath(path, served) : undefined;
  if (patterns.length === 0 || (meant !== undefined && meant !== path)) {
    refuse(`${at}path`, `The portal doesn't serve ${path}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
  if (method && !fitting.some(([, methods]) => methods.has(method))) {
    const methods = [...new Set(fitting.flatMap(([, those]) => [...those]))].join(', ');
    refuse(`${at}method`, `${path} answers ${methods}, not ${method}.`);
  }
  if (orgCode !== undefined) {
    requireOrgCode(deps, orgCode);
    requireApplication(deps, orgCode, segmentNamed(path, patterns, ':appId'));
  }
  return patterns;
}

const isOrganisation = ({ db }: Deps, orgCode: string | undefined): boolean =>
  orgCode !== undefined && organisationRepo.findOrganisation(db, orgCode) !== undefined;

/** @param orgCode undefined for any organisation @throws Refusal ORG_APP_MISSING naming the nearest */
export function requireApplication({ db }: Deps, orgCode: string | undefined, appId: string | undefined): void {
  const orgCodes = orgCode === undefined ? organisationRepo.listOrgCodes(db) : [orgCode];
  const known = orgCodes.flatMap((code) => [...applicationRepo.listAppIds(db, code)]);
  if (appId === undefined || known.includes(appId)) return;
  const where = orgCode === undefined ? '' : ` in ${orgCode}`;
  const meant = nearest(appId, known);
  const message = `There is no application ${appId}${where}.${meant ? ` Did you mean ${meant}?` : ''}`;
  throw new Refusal('ORG_APP_MISSING', { message });
}

/** Returns the organisation that a path names; undefined for any organisation. */
export const orgNamed = (path: string, patterns: readonly string[]) => segmentNamed(path, patterns, ':orgCode');

/** Returns the value of a parameter in a path; undefined if a pattern doesn't have it, or any value matches. */
function segmentNamed(path: string, patterns: readonly string[], parameter: string): string | undefined {
  const segments = path.split('/');
  const named = patterns.map((pattern) => segments[pattern.split('/').indexOf(parameter)]);
  const isNamed = named.every((segment) => segment !== undefined && !/^(?:[:{]|\*$)/.test(segment));
  return isNamed ? named[0] : undefined;
}

function refuse(path: string, message: string): never {
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path, message }] });
}
