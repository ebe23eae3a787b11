import { organisationRepo, webhookRepo } from '@orchestrate/db';
import { decodedPath, type ExpectedEntry, type JournalKind } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { refuseField } from '#platform/refusal.ts';
import { canNameOrganisation, canNamePerson, orgCodeInPath, requirePath } from '../faults/require-served.ts';
import { CLIENT_FILES, canMatchPattern, matchesPattern, type ServedPaths } from '../faults/served-paths.ts';
import { redact, redactByName, redactQuery } from './redact.ts';
import { missingParts } from './verify.ts';

/** Paths that `recordHttp` omits. Requests for the client's pages are recorded. */
const LEFT_OUT = [...CLIENT_FILES, '/lab', '/lab/*'];

/** Path for pushed authorization requests (RFC 9126), whose body contains the `login_hint`. */
const PUSHED = '/oidc/:orgCode/request';

/**
 * Rejects a path at which no entry of this kind can occur. A misspelt path would otherwise pass as “0 times”.
 * @throws Refusal INVALID_REQUEST, ORG_CODE_NOT_FOUND, each suggesting the closest match
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
  if (kind === 'webhook') {
    requireWebhookPath(deps, path);
    return;
  }
  const patterns = requirePath(deps, { path }, served);
  const organisation = orgCodeInPath(path, patterns);
  if (org !== undefined && organisation !== undefined && organisation !== org) {
    refuseField('org', `${path} is a path of ${organisation}, not of ${org}. Omit org.`);
  }
  const isChannel = (pattern: string) => pattern.startsWith('/ws/');
  if (kind === 'socket' && !patterns.some(isChannel)) refuseField('path', `${path} isn't a channel. Use kind http.`);
  if (kind === 'http' && (LEFT_OUT.includes(path) || patterns.every((pattern) => LEFT_OUT.includes(pattern)))) {
    refuseField('path', `The journal doesn't record requests to ${path}. It omits client files and lab pages.`);
  }
  if (email !== undefined && !canNamePerson(path) && !canMatchPattern(path, PUSHED)) {
    refuseField('email', `Requests to ${path} don't name a person. Omit email.`);
  }
  if (org !== undefined && !canNameOrganisation(path)) {
    refuseField('org', `Requests to ${path} don't name an organisation. Omit org.`);
  }
  if (kind === 'http' && patterns.every(isChannel)) refuseField('path', `${path} is a channel. Use kind socket.`);
}

/** Returns the path of a webhook's URL. The journal shows only its host, but can be searched by the path. */
export const pathIn = (url: string): string => decodedPath(URL.parse(url)?.pathname ?? '');

function requireWebhookPath({ db, journal }: Deps, path: string): void {
  const orgCodes = organisationRepo.listOrgCodes(db);
  const known = orgCodes.flatMap((orgCode) => webhookRepo.listWebhooks(db, orgCode).map(({ url }) => url));
  const used = journal.entries({ kind: 'webhook' }).flatMap(({ raw }) => (raw.kind === 'webhook' ? [raw.url] : []));
  if ([...known, ...used].some((url) => matchesPattern(pathIn(url), path))) return;
  refuseField('path', `No webhook has a URL with the path ${path}.`);
}

/**
 * Rejects a number beyond the newest entry.
 * @throws Refusal INVALID_REQUEST
 */
export function requireRecorded({ journal }: Deps, after: number): void {
  if (after > journal.last()) refuseField('after', `The newest entry is number ${journal.last()}.`);
}

/** Path prefixes with protocol-specific errors, which don't include a result name. */
const OWN_ERRORS = ['/oidc/', '/scim/'];

/**
 * Rejects an expected value that can't match because the journal hides the field or never records it.
 * @throws Refusal INVALID_REQUEST naming the field
 */
export function requireReadable({ registered }: Deps, { kind, path, method, body, resultName }: ExpectedEntry): void {
  const prefix = OWN_ERRORS.find((start) => path?.startsWith(start));
  if (resultName !== undefined && prefix)
    refuseField('resultName', `Responses below ${prefix} don't have a resultName. Use status.`);
  if (body === undefined || path === undefined || kind === 'webhook') return;
  const hidden = shownAs().map((shown) => missingParts(body, shown, 'body')[0]?.field);
  const [field] = hidden;
  if (field === undefined || !hidden.every(Boolean)) return;
  refuseField(field, `The journal replaces the secret ${field} with [secret]. Omit it or expect [secret].`);

  /** Returns the expected body as the journal would record it at each matching endpoint. */
  function shownAs() {
    if (kind === 'socket') {
      const channels = registered.channels.filter((channel) => canMatchPattern(path ?? '', channel.path));
      return channels
        .flatMap(({ client, server }) => (client ? [server, client] : [server]))
        .map((one) => redact(one, body));
    }
    const entries = registered.endpoints.filter(
      (entry) => canMatchPattern(path ?? '', `/api${entry.path}`) && (method === undefined || method === entry.method),
    );
    if (entries.length > 0) return entries.map((entry) => redact(entry.body ?? entry.multipart, body));
    return [path?.startsWith('/oidc/') ? redactQuery(body) : redactByName(body)];
  }
}
