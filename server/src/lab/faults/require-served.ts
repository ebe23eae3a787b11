import { applicationRepo, oidcApplicationRepo, organisationRepo } from '@orchestrate/db';
import type { AnyFault } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { requireMemberWithEmail, requireOrgCode } from '../phones/find-phone.ts';
import { expandFault } from './fault-list.ts';
import { canMatchPattern, nearestPath, type ServedPaths } from './served-paths.ts';

export const LAB_PREFIX = '/api/lab/';

/** Path prefixes with their own error formats. */
const KINDS = [
  { name: 'oauthError', prefix: '/oidc/' },
  { name: 'scim', prefix: '/scim/' },
  { name: 'resultName', prefix: '/api/' },
] as const;

/** Endpoints that issue tokens or assertions, with the fault option that tampers with them. */
const HAND_OUT = [
  { name: 'token', what: 'ID tokens', patterns: ['/oidc/:orgCode/token'], methods: ['POST'] },
  { name: 'claims', what: 'ID tokens', patterns: ['/oidc/:orgCode/token'], methods: ['POST'] },
  { name: 'fields', what: 'token responses', patterns: ['/oidc/:orgCode/token'], methods: ['POST'] },
  {
    name: 'assertion',
    what: 'SAML responses',
    patterns: ['/saml/:orgCode/:appId/sso', '/saml/:orgCode/continue'],
    methods: ['GET'],
  },
] as const;

/** Path prefixes whose requests can name a person by token, query or body. */
const SAYS_WHO = ['/api/', '/ws/', '/scim/'];
/** Path prefixes whose requests can name an organisation, possibly in the path. */
const SAYS_ORG = [...SAYS_WHO, '/oidc/', '/saml/', '/logos/'];
/** Path where clients can request metadata, with the well-known part before the issuer's path (RFC 8414 §3.1). */
const METADATA = '/.well-known/:name/oidc/:orgCode';
/** Paths whose requests name an application, by its client ID. */
const SAYS_CLIENT = ['auth', 'token', 'token/introspection', 'token/revocation', 'request', 'device-authorization'].map(
  (path) => `/oidc/:orgCode/${path}`,
);
/** Path prefixes whose bodies are forms. */
const FORMS = ['/oidc/', '/saml/'];
const BODILESS_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** The only protocol path that can name a person, as `login_hint`. */
const HINTED = '/oidc/:orgCode/auth';

const isBelow = (path: string, prefixes: readonly string[]) =>
  path === '/*' || prefixes.some((prefix) => path.startsWith(prefix));

/** Returns true if requests to a path can identify a person. */
export const canNamePerson = (path: string): boolean => isBelow(path, SAYS_WHO) || canMatchPattern(path, HINTED);

/** Returns true if requests to a path can identify an organisation. */
export const canNameOrganisation = (path: string): boolean =>
  isBelow(path, SAYS_ORG) || canMatchPattern(path, METADATA);

/**
 * Rejects a fault that could never fire.
 * @throws Refusal INVALID_REQUEST for a path or method that isn't served, or a fault answer that is impossible at the
 * path; ORG_CODE_NOT_FOUND, ORG_APP_MISSING, ORG_EMAIL_NOT_FOUND for an unknown organisation, application or person
 */
export function requireFireable(deps: Deps, given: AnyFault, served: ServedPaths): void {
  const { match, answer } = expandFault(given);
  const { path, method, email, org } = match;
  const at = 'match' in given ? 'match.' : '';
  if (!('match' in given)) requireInApi(given.path, path, served);
  const fitting = requirePath(deps, { path, method }, served, at);
  if (fitting.every((pattern) => pattern.startsWith(LAB_PREFIX))) {
    refuseField(
      `${at}path`,
      `${path} is part of the lab, where faults never apply, so that tests can always remove them.`,
    );
  }
  if (org !== undefined) requireOrgCode(deps, 'match.org', org);
  const organisation = orgCodeInPath(path, fitting);
  if (org !== undefined && organisation !== undefined && organisation !== org) {
    refuseField('match.org', `${path} is a path of ${organisation}, not of ${org}. Omit org.`);
  }
  if (email !== undefined) requireMemberWithEmail(deps, 'match.email', email, org ?? organisation);
  // A tampering fault can name a person at any path, because tokens and assertions are always issued to a known
  // person.
  const isDamage = HAND_OUT.some(({ name }) => answer[name] !== undefined);
  if (email !== undefined && !isDamage && !canNamePerson(path)) {
    refuseField('match.email', `Requests to ${path} don't name a person. Omit email.`);
  }
  if (org !== undefined && !canNameOrganisation(path)) {
    refuseField('match.org', `Requests to ${path} don't name an organisation. Omit org.`);
  }
  // With CORS_ORIGINS, `allowOrigins` responds to preflights before the request is read, so a fault can't match a
  // person or organisation.
  const nameless = method === 'OPTIONS' && deps.config.corsOrigins.length > 0 ? (['email', 'org'] as const) : [];
  for (const name of nameless) {
    if (match[name] === undefined) continue;
    refuseField(
      `match.${name}`,
      `The portal responds to OPTIONS before it knows the person or organisation. Omit ${name}.`,
    );
  }
  if (answer.cut === 'body' && (method === 'HEAD' || method === 'OPTIONS')) {
    refuseField('answer.cut', `Responses to ${method} don't have a body. Use true.`);
  }
  if (answer.body !== undefined && method === 'HEAD') {
    refuseField('answer.body', "Responses to HEAD don't have a body. Omit body.");
  }
  if (answer.cut === 'body' && path.startsWith('/ws/')) {
    refuseField(
      'answer.cut',
      "Sockets don't have a body to truncate. POST /api/lab/sockets can close a socket instead of sending a message.",
    );
  }
  for (const { name, prefix } of KINDS) {
    const isThere = path.startsWith(prefix) || path === '/*' || (name === 'resultName' && path.startsWith('/ws/'));
    if (answer[name] !== undefined && !isThere) {
      refuseField(`answer.${name}`, `${name} needs a path below ${prefix}, not ${path}.`);
    }
  }
  if (match.client !== undefined) requireClient(deps, path, match.client, org ?? organisation);
  if (match.body !== undefined) {
    const possible = method ? [method] : fitting.flatMap((pattern) => [...(served.get(pattern) ?? [])]);
    if (possible.every((one) => BODILESS_METHODS.includes(one)))
      refuseField('match.body', `Requests to ${path} don't have a body. Omit body.`);
    const isForm = FORMS.some((prefix) => path.startsWith(prefix));
    const [other] = Object.entries(match.body).find(([, value]) => isForm && typeof value !== 'string') ?? [];
    if (other !== undefined) refuseField(`match.body.${other}`, `Requests to ${path} are forms. Use a string.`);
  }
  for (const { name, what, patterns, methods } of HAND_OUT) {
    if (answer[name] === undefined) continue;
    if (match.body !== undefined && methods.every((one) => one === 'GET'))
      refuseField('match.body', `${what} are issued by GET requests, which don't have a body. Omit body.`);
    if (!patterns.some((pattern) => canMatchPattern(path, pattern))) {
      const those = patterns.join(' or ');
      refuseField(`answer.${name}`, `${path} doesn't issue ${what}. ${name} needs a path that matches ${those}.`);
    }
    if (method && !methods.some((one) => one === method)) {
      refuseField('match.method', `${what} are issued by ${methods.join(', ')}, not by ${method}. Omit method.`);
    }
  }
}

/**
 * Verifies that requests to a path can come from a client.
 * @throws Refusal ORG_APP_MISSING, or INVALID_REQUEST for a path or application without clients
 */
function requireClient(deps: Deps, path: string, client: string, orgCode: string | undefined): void {
  if (!SAYS_CLIENT.some((pattern) => canMatchPattern(path, pattern)))
    refuseField('match.client', `Requests to ${path} don't name an application. Omit client.`);
  requireApplication(deps, 'match.client', orgCode, client);
  const orgCodes = orgCode === undefined ? organisationRepo.listOrgCodes(deps.db) : [orgCode];
  if (orgCodes.some((code) => oidcApplicationRepo.findOidcApplication(deps.db, code, client))) return;
  refuseField('match.client', `${client} isn't an OpenID Connect application.`);
}

/**
 * Rejects a short-form path that isn't an API path.
 * @param short path in the short form
 * @param path the same path below `/api`
 * @throws Refusal INVALID_REQUEST if the short path is served outside the API, or similar to such a path, or unknown
 */
function requireInApi(short: string, path: string, served: ServedPaths): void {
  const first = short.split('/')[1];
  const elsewhere = [...served.keys()].filter((pattern) => pattern.split('/')[1] === first);
  if (first === 'api' || elsewhere.length === 0 || [...served.keys()].some((pattern) => canMatchPattern(path, pattern)))
    return;
  const meant = elsewhere.some((pattern) => canMatchPattern(short, pattern)) ? short : nearestPath(short, served);
  if (meant === undefined) refuseField('path', `The portal doesn't serve ${short}.`);
  const message = `The short form is for API paths, and ${short} isn't one. Pass ${meant} as match.path and the status in answer.`;
  refuseField('path', message);
}

/**
 * Rejects a path that can't match any request, e.g. because of a typo.
 * @param at prefix of the field in the request, e.g. `match.`
 * @returns the served patterns that the path matches
 * @throws Refusal INVALID_REQUEST, ORG_CODE_NOT_FOUND, ORG_APP_MISSING, each suggesting the closest match
 */
export function requirePath(
  deps: Deps,
  { path, method }: { path: string; method?: string | undefined },
  served: ServedPaths,
  at = '',
): string[] {
  const fitting = [...served].filter(([pattern]) => canMatchPattern(path, pattern));
  const patterns = fitting.map(([pattern]) => pattern);
  const orgCode = orgCodeInPath(path, patterns);
  // The first segment of a page's path can be any organisation code. Treat an unknown code as a typo if it resembles
  // a served path, e.g. `/asets/*`.
  const isDoubtful = patterns.every((pattern) => pattern.startsWith('/:')) && !isOrganisation(deps, orgCode);
  const meant = isDoubtful ? nearestPath(path, served) : undefined;
  if (patterns.length === 0 || (meant !== undefined && meant !== path)) {
    refuseField(`${at}path`, `The portal doesn't serve ${path}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
  if (method && !fitting.some(([, methods]) => methods.has(method))) {
    const methods = [...new Set(fitting.flatMap(([, those]) => [...those]))].join(', ');
    refuseField(`${at}method`, `${path} answers ${methods}, not ${method}.`);
  }
  if (orgCode !== undefined) {
    requireOrgCode(deps, `${at}path`, orgCode);
    requireApplication(deps, `${at}path`, orgCode, segmentNamed(path, patterns, ':appId'));
  }
  return patterns;
}

const isOrganisation = ({ db }: Deps, orgCode: string | undefined): boolean =>
  orgCode !== undefined && organisationRepo.findOrganisation(db, orgCode) !== undefined;

/**
 * Verifies that an application exists.
 * @param field the field of the request that names the application
 * @param orgCode undefined for any organisation
 * @throws Refusal ORG_APP_MISSING with the closest known application
 */
export function requireApplication(
  { db }: Deps,
  field: string,
  orgCode: string | undefined,
  appId: string | undefined,
): void {
  const orgCodes = orgCode === undefined ? organisationRepo.listOrgCodes(db) : [orgCode];
  const known = orgCodes.flatMap((code) => [...applicationRepo.listAppIds(db, code)]);
  if (appId === undefined || known.includes(appId)) return;
  const where = orgCode === undefined ? '' : ` in ${orgCode}`;
  const meant = nearest(appId, known);
  const message = `There is no application ${appId}${where}.${meant ? ` Did you mean ${meant}?` : ''}`;
  throw new Refusal('ORG_APP_MISSING', { message, issues: [{ path: field, message }] });
}

/** Returns the organisation named in a path, or undefined if the path matches any organisation. */
export const orgCodeInPath = (path: string, patterns: readonly string[]) => segmentNamed(path, patterns, ':orgCode');

/**
 * Returns a parameter's value in a path, or undefined if a pattern lacks the parameter or the path matches any value.
 */
function segmentNamed(path: string, patterns: readonly string[], parameter: string): string | undefined {
  const segments = path.split('/');
  const named = patterns.map((pattern) => segments[pattern.split('/').indexOf(parameter)]);
  const isNamed = named.every((segment) => segment !== undefined && !/^(?:[:{]|\*$)/.test(segment));
  return isNamed ? named[0] : undefined;
}
