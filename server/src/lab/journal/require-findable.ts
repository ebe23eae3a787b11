import type { Expectation, JournalKind } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { canNameOrganisation, canNamePerson, orgNamed, requirePath } from '../faults/require-served.ts';
import { CLIENT_FILES, fitsPattern, type ServedPaths } from '../faults/served-paths.ts';
import { redact, redactByName, redactQuery } from './redact.ts';
import { missingIn } from './verify.ts';

/** Paths that `recordHttp` omits. Pages of the client are recorded. */
const LEFT_OUT = [...CLIENT_FILES, '/lab', '/lab/*'];

/** Path of a pushed authorization request (RFC 9126), whose body has the `login_hint`. */
const PUSHED = '/oidc/:orgCode/request';

/**
 * Refuses a path at which no entry of a kind can occur: misspelt, it would pass as “0 times”.
 * @throws Refusal INVALID_REQUEST, ORG_CODE_NOT_FOUND, naming the nearest
 */
export function requireFindable(
  deps: Deps,
  served: ServedPaths,
  {
    kind,
    path,
    email,
    org,
  }: { kind: JournalKind | undefined; path: string; email: string | undefined; org: string | undefined },
): void {
  const patterns = requirePath(deps, { path }, served);
  const place = orgNamed(path, patterns);
  if (org !== undefined && place !== undefined && place !== org) {
    refuse('org', `${path} is a path of ${place}, not of ${org}: omit org.`);
  }
  const isChannel = (pattern: string) => pattern.startsWith('/ws/');
  if (kind === 'socket' && !patterns.some(isChannel)) refuse('path', `${path} is not a channel: use kind http.`);
  if (kind === 'http' && (LEFT_OUT.includes(path) || patterns.every((pattern) => LEFT_OUT.includes(pattern)))) {
    refuse('path', `The journal has no requests of ${path}: it omits client files and lab pages.`);
  }
  if (email !== undefined && !canNamePerson(path) && !fitsPattern(path, PUSHED)) {
    refuse('email', `Requests to ${path} don't name a person: omit email.`);
  }
  if (org !== undefined && !canNameOrganisation(path)) {
    refuse('org', `Requests to ${path} don't name an organisation: omit org.`);
  }
  if (kind === 'http' && patterns.every(isChannel)) refuse('path', `${path} is a channel: use kind socket.`);
}

/** Refuses a number beyond the newest entry. @throws Refusal INVALID_REQUEST */
export function requireRecorded({ journal }: Deps, after: number): void {
  if (after > journal.last()) refuse('after', `The newest entry has the number ${journal.last()}.`);
}

/** Paths whose errors have a protocol's format, without a result name. */
const OWN_ERRORS = ['/oidc/', '/scim/'];

/**
 * Refuses an expected value that the journal hides or never has there, and so would never match.
 * @throws Refusal INVALID_REQUEST naming the field
 */
export function requireReadable({ registered }: Deps, { kind, path, method, body, resultName }: Expectation): void {
  const place = OWN_ERRORS.find((start) => path?.startsWith(start));
  if (resultName !== undefined && place)
    refuse('resultName', `Responses below ${place} have no resultName: use status.`);
  if (body === undefined || path === undefined) return;
  const hidden = shownAs().map((shown) => missingIn(body, shown, 'body')[0]?.field);
  const [field] = hidden;
  if (field === undefined || !hidden.every(Boolean)) return;
  refuse(field, `${field} is a secret there, which the journal replaces with [secret]. Omit it or expect [secret].`);

  /** Returns the recorded form of such a body at each matching endpoint. */
  function shownAs() {
    if (kind === 'socket') {
      const channels = registered.channels.filter((channel) => fitsPattern(path ?? '', channel.path));
      return channels
        .flatMap(({ client, server }) => (client ? [server, client] : [server]))
        .map((one) => redact(one, body));
    }
    const entries = registered.endpoints.filter(
      (entry) => fitsPattern(path ?? '', `/api${entry.path}`) && (method === undefined || method === entry.method),
    );
    if (entries.length > 0) return entries.map((entry) => redact(entry.body ?? entry.multipart, body));
    return [path?.startsWith('/oidc/') ? redactQuery(body) : redactByName(body)];
  }
}

function refuse(path: string, message: string): never {
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path, message }] });
}
