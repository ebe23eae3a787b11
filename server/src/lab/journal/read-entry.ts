import { memberRepo } from '@orchestrate/db';
import {
  decodedPath,
  type EndpointDefinition,
  fieldsWith,
  type JournalEntry,
  maskAddress,
  readJson,
  resultNameOf,
} from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import type { RawHttp, RawSocket, RecordedEntry } from '#platform/journal.ts';
import { isoOf } from '#platform/times.ts';
import { type Person, personIn } from './person-in.ts';
import { REDACTED, redact, redactByName, redactQuery, redactTokens } from './redact.ts';
import { displayedPath, hideSignInId } from './shown-path.ts';

/** Maximum length of a recorded user name, which clients can choose freely. */
const NAME_MAX_LENGTH = 1_000;
const PROTOCOLS = { radius: 'RADIUS', ldap: 'LDAP' } as const;
/** Matches an email address, even inside a name such as `uid=ann@acme.test,ou=people`. */
const ADDRESS = /[^\s,=]+@[^\s,=]+/;

/** Converts a recorded event to a journal entry. Hides secrets and adds the person's email address. */
export function readEntry(deps: Deps, { seq, at, raw }: RecordedEntry): JournalEntry {
  const shared = (summary: string, suid?: string | null, org?: string) => {
    const member = suid ? memberRepo.findMember(deps.db, org ?? '', suid) : undefined;
    return {
      seq,
      at: isoOf(at),
      summary,
      ...(member && { email: member.primaryEmail }),
      ...(org && { org }),
    };
  };
  switch (raw.kind) {
    case 'http': {
      const http = readHttp(deps, raw);
      const { method, path, status, resultName, ms, reason } = http;
      const result = [status, resultName ?? (reason && errorIn(http.responseBody))].filter(Boolean).join(' ');
      const outcome = status === 0 ? 'was never answered' : `answered ${result} in ${ms} ms`;
      const summary = reason
        ? `${method} ${path} answered ${result} in ${ms} ms: ${reason}`
        : `${method} ${path} ${outcome}`;
      const about = raw.suid
        ? shared(summary, raw.suid, raw.orgCode)
        : { ...shared(summary), ...personInCall(deps, raw) };
      return { ...about, kind: 'http', ...http };
    }
    case 'socket': {
      const { suid, orgCode, query, message } = raw;
      const about = suid ? {} : personIn(deps, [query, message]);
      return { ...shared(socketSummary(raw), suid, orgCode), ...about, kind: 'socket', ...readSocket(raw) };
    }
    case 'challenge': {
      const { challengeKind, state, suid, orgCode } = raw;
      const summary = `The request to a phone (${challengeKind}) is ${state}`;
      return { ...shared(summary, suid, orgCode), kind: 'challenge', challengeKind, state };
    }
    case 'message': {
      const { channel, to, template, orgCode } = raw;
      const summary = `A ${channel} (${template}) to ${to}`;
      return { ...shared(summary, null, orgCode), email: to, kind: 'message', channel, to, template };
    }
    case 'policy': {
      const { zid, email, orgCode, answer, lie, resultName } = raw;
      const verb = answer === 'approve' ? 'approved' : 'denied';
      const summary = `${email}'s phone ${verb} automatically${lie ? ` and lied (${lie})` : ''}: ${resultName}`;
      return { ...shared(summary, null, orgCode), email, kind: 'policy', zid, answer, ...(lie && { lie }), resultName };
    }
    case 'exchange': {
      const { protocol, operation, outcome, orgCode, appId, ip } = raw;
      const name = raw.name?.slice(0, NAME_MAX_LENGTH);
      const summary = `${PROTOCOLS[protocol]} ${operation}${name ? ` of ${name}` : ''}: ${outcome}`;
      const about = personIn(deps, [{ email: ADDRESS.exec(name ?? '')?.[0], orgCode }]);
      const whose = { ...(appId !== undefined && { application: appId }), ...(name && { name }) };
      return { ...shared(summary), ...about, kind: 'exchange', protocol, operation, outcome, ...whose, ip };
    }
    case 'webhook': {
      const { orgCode, webhookId, deliveryId, attempt, status, error, ms, signature, isForged } = raw;
      const payload = readJson(raw.payload);
      const { suid } = fieldsOf(fieldsOf(payload).data);
      const url = maskAddress(raw.url);
      const sent = [isForged && 'forged', signature && `signed wrongly (${signature})`].filter(Boolean).join(', ');
      const summary = `Webhook ${raw.event} to ${url}${sent ? ` (${sent})` : ''}: ${status || error}`;
      return {
        ...shared(summary, typeof suid === 'string' ? suid : null, orgCode),
        kind: 'webhook',
        event: raw.event,
        ...{ webhookId, deliveryId, attempt, url, status, ms },
        ...(error && { error }),
        ...(signature && { signature }),
        ...(isForged && { forged: true as const }),
        requestBody: payload as z.core.util.JSONType,
      };
    }
    case 'fault': {
      const { what } = raw;
      const path = displayedPath(deps, raw.path);
      const summary = `Fault at ${path}: ${what}`;
      return { ...shared(summary), kind: 'fault', path, what };
    }
  }
}

function readHttp(deps: Deps, raw: RawHttp) {
  const { method, status, tenthsOfMs, ip, requestId } = raw;
  const entry = deps.registered.endpoints.find((one) => one.method === method && `/api${one.path}` === raw.pattern);
  const answer = raw.answer === undefined ? undefined : readJson(raw.answer);
  const resultName = resultIn(answer);
  const query = fieldsOf(raw.query);
  const sent = parseBody(raw.body);
  return {
    method,
    path: pathOf(deps, raw, entry),
    ...(Object.keys(query).length > 0 && { query: entry?.query ? redact(entry.query, query) : redactQuery(query) }),
    status,
    ...(resultName && { resultName }),
    ...(raw.reason !== undefined && { reason: redactTokens(raw.reason) }),
    ms: tenthsOfMs / 10,
    ip,
    requestId,
    ...(raw.location !== undefined && { location: locationOf(deps, raw.location) }),
    ...(sent !== undefined && { requestBody: bodyOf(entry, raw, sent) }),
    ...(answer !== undefined && answer !== null && { responseBody: answerOf(entry, answer) }),
    ...(raw.isTruncated && { truncated: true as const }),
  };
}

/**
 * Parses a body if necessary, because directories' bodies are recorded as JSON strings. Returns undefined for an
 * empty body.
 */
export const parseBody = (body: unknown): unknown => (typeof body === 'string' ? readJson(body) : (body ?? undefined));

function bodyOf(entry: EndpointDefinition | undefined, { pattern }: RawHttp, sent: unknown) {
  if (entry) return redact(entry.body ?? entry.multipart, sent);
  return /^\/(?:oidc|saml)\//.test(pattern ?? '') ? redactQuery(sent) : redactByName(sent);
}

/** Returns the result name of a response from the portal's API. Protocol responses don't have a result name. */
function resultIn(answer: unknown): string | undefined {
  const { resultName, resultCode } = fieldsOf(answer);
  if (typeof resultName === 'string') return resultName;
  return typeof resultCode === 'number' ? resultNameOf(resultCode) : undefined;
}

/** Returns the error code of an OAuth response (RFC 6749 §5.2). */
function errorIn(answer: unknown): string | undefined {
  const { error } = fieldsOf(answer);
  return typeof error === 'string' ? error : undefined;
}

/** Returns the full URL with its secret parameters redacted. */
const locationOf = ({ publicUrl }: Deps, location: string): string =>
  String(redactByName(hideSignInId(URL.parse(location, publicUrl)?.href ?? '')));

/** Returns the person named in an unauthenticated call. */
function personInCall(deps: Deps, raw: RawHttp): Person {
  const answer = raw.answer === undefined ? undefined : readJson(raw.answer);
  return personIn(deps, [parseBody(raw.body), raw.query, raw.params, fieldsOf(answer).profile, answer]);
}

const answerOf = (entry: EndpointDefinition | undefined, answer: unknown): z.core.util.JSONType =>
  entry ? redact(fieldsWith(entry, fieldsOf(answer).resultCode), answer) : redactByName(answer);

/** Returns the path without its query, hiding secret parameters. */
function pathOf(deps: Deps, { url, pattern, params }: RawHttp, entry: EndpointDefinition | undefined): string {
  const [path = ''] = url.split('?');
  if (!entry || pattern === undefined) return displayedPath(deps, path);
  if (!entry.params) return decodedPath(path);
  const shown = fieldsOf(redact(entry.params, params));
  const filled = pattern.replaceAll(/:(\w+)/g, (_, name: string) => String(shown[name] ?? REDACTED));
  return filled;
}

function readSocket({ channel, connection, direction, message, code, reason }: RawSocket) {
  const schema = direction === 'received' ? channel.client : channel.server;
  return {
    channel: channel.path,
    connection,
    direction,
    ...(message !== undefined && { message: schema ? redact(schema, message) : redactByName(message) }),
    ...(code !== undefined && { code }),
    ...(reason && { reason }),
  };
}

function socketSummary({ channel, direction, message, code, reason }: RawSocket): string {
  const { state, respType } = fieldsOf(message);
  const what = state ?? respType;
  if (direction === 'closed' || direction === 'refused') {
    return `${channel.path} ${direction} with ${[code, reason].filter(Boolean).join(' ')}`;
  }
  return `${channel.path} ${direction}${what ? ` ${what}` : ''}`;
}
