import type { ProgrammedFault } from '@orchestrate/shared';
import { Refusal } from '../../platform/refusal.ts';
import { fitsPattern, nearestPath, type ServedPaths } from './served-paths.ts';

/** The addresses of the lab. */
export const LAB = '/api/lab/';

/** Addresses with their own kinds of errors. */
const KINDS = [
  { name: 'oauthError', prefix: '/oidc/' },
  { name: 'scim', prefix: '/scim/' },
  { name: 'resultName', prefix: '/api/' },
] as const;

/** The addresses that hand out what can be damaged, and how they are called. */
const HAND_OUT = [
  { name: 'token', what: 'ID tokens', patterns: ['/oidc/:orgCode/token'], methods: ['POST'] },
  {
    name: 'assertion',
    what: 'SAML answers',
    patterns: ['/saml/:orgCode/:appId/sso', '/saml/:orgCode/continue'],
    methods: ['GET'],
  },
] as const;

/**
 * Refuses a fault that could never fire.
 * @throws Refusal INVALID_REQUEST for an address or method that the portal doesn't serve, or an answer that it never
 * gives there
 */
export function requireServed({ match, answer }: ProgrammedFault, served: ServedPaths): void {
  const { path, method } = match;
  const fitting = [...served].filter(([pattern]) => fitsPattern(path, pattern));
  if (fitting.length === 0) {
    const meant = nearestPath(path, served);
    refuse('match.path', `The portal serves no ${path}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
  if (fitting.every(([pattern]) => pattern.startsWith(LAB))) {
    refuse(
      'match.path',
      `${path} belongs to the lab, and calls of the lab never fail: a test must be able to end its faults.`,
    );
  }
  const named = fitting.map(([pattern]) => partOf(':orgCode', path, pattern));
  if (match.org !== undefined && named.every((org) => org !== undefined && org !== match.org)) {
    refuse('match.org', `${path} is an address of ${named[0]}, not of ${match.org}: leave org out.`);
  }
  if (method && !fitting.some(([, methods]) => methods.has(method))) {
    const methods = [...new Set(fitting.flatMap(([, those]) => [...those]))].join(', ');
    refuse('match.method', `${path} answers ${methods}, not ${method}.`);
  }
  requireKnowable({ match, answer });
  for (const { name, prefix } of KINDS) {
    const isThere = path.startsWith(prefix) || path === '/*' || (name === 'resultName' && path.startsWith('/ws/'));
    if (answer[name] !== undefined && !isThere) {
      refuse(`answer.${name}`, `${name} needs a path below ${prefix}, not ${path}.`);
    }
  }
  for (const { name, what, patterns, methods } of HAND_OUT) {
    if (answer[name] === undefined) continue;
    if (!patterns.some((pattern) => fitsPattern(path, pattern))) {
      const those = patterns.join(' and ');
      refuse(`answer.${name}`, `${path} hands out no ${what}: ${name} needs a path that fits ${those}.`);
    }
    if (method && !methods.some((one) => one === method)) {
      refuse('match.method', `${what} are handed out by ${methods.join(', ')}, not by ${method}: leave it out.`);
    }
  }
}

/** Where a request can say whom it is from or about. */
const SAYS_WHO = ['/api/', '/scim/', '/*'];
/** Where it can say the organisation: also in its address, or in the query of a socket. */
const SAYS_ORG = [...SAYS_WHO, '/oidc/', '/saml/', '/logos/', '/ws/'];

/** Refuses a fault for somebody at an address whose requests never say who they are from. */
function requireKnowable({ match, answer }: Pick<ProgrammedFault, 'match' | 'answer'>): void {
  const { path } = match;
  const isThere = (places: readonly string[]) => places.some((place) => path.startsWith(place) || path === place);
  // Whom a token or an assertion is for is known when it is handed out.
  const isForSomebody = answer.token !== undefined || answer.assertion !== undefined;
  if (match.email !== undefined && !isForSomebody && !isThere(SAYS_WHO)) {
    refuse('match.email', `A request of ${path} does not say which person it is from or about: leave email out.`);
  }
  if (match.org !== undefined && !isThere(SAYS_ORG)) {
    refuse('match.org', `A request of ${path} does not say which organisation it is about: leave org out.`);
  }
  if (answer.cut === 'body' && path.startsWith('/ws/')) {
    refuse('answer.cut', 'A socket has no body to be cut in: POST /api/lab/sockets cuts it in place of a message.');
  }
}

/** The organisation and application that an address names, where whatever is served there has one. */
export function namedIn(path: string, served: ServedPaths): { orgCode?: string; appId?: string } {
  const fitting = [...served.keys()].filter((pattern) => fitsPattern(path, pattern));
  const [orgCode, appId] = [':orgCode', ':appId'].map((name) => {
    const [first, ...others] = fitting.map((pattern) => partOf(name, path, pattern));
    return others.every((other) => other === first) ? first : undefined;
  });
  return { ...(orgCode !== undefined && { orgCode }), ...(appId !== undefined && { appId }) };
}

/** What stands in a path where a pattern has this name; undefined where any is meant. */
function partOf(name: string, path: string, pattern: string): string | undefined {
  const value = path.split('/')[pattern.split('/').indexOf(name)];
  return value === undefined || /^[:{*]/.test(value) ? undefined : value;
}

function refuse(path: string, message: string): never {
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path, message }] });
}
