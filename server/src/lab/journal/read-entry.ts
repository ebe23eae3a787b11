import { memberRepo } from '@orchestrate/db';
import { type EndpointDefinition, type JournalEntry, readJson } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { fieldsOf } from '../../platform/http/callers/permissions.ts';
import { isoOf } from '../../platform/iso-of.ts';
import type { Happened, RawHttp, RawSocket } from '../../platform/journal.ts';
import { redact, redactByName, redactQuery, SECRET } from './redact.ts';

/** What happened, as the contract describes it: without secrets, with the address of the person. */
export function readEntry(deps: Deps, { seq, at, raw }: Happened): JournalEntry {
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
      const { method, path, status, resultName, ms } = http;
      const outcome =
        status === 0 ? 'was never answered' : `answered ${[status, resultName].filter(Boolean).join(' ')}`;
      const summary = `${method} ${path} ${outcome} in ${ms} ms`;
      return { ...shared(summary, raw.suid, raw.orgCode ?? organisationOf(raw)), kind: 'http', ...http };
    }
    case 'socket':
      return { ...shared(socketSummary(raw)), kind: 'socket', ...readSocket(raw) };
    case 'challenge': {
      const { challengeKind, state, suid, orgCode } = raw;
      const summary = `A request to a phone (${challengeKind}) is ${state}`;
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
      const summary = `The phone of ${email} ${verb} by itself${lie ? ` and lied (${lie})` : ''}: ${resultName}`;
      return { ...shared(summary, null, orgCode), email, kind: 'policy', zid, answer, ...(lie && { lie }), resultName };
    }
    case 'fault': {
      const { path, what } = raw;
      return { ...shared(`A fault met ${path}: ${what}`), kind: 'fault', path, what };
    }
  }
}

function readHttp({ registered }: Deps, raw: RawHttp) {
  const { method, status, ms, ip, requestId } = raw;
  const entry = registered.endpoints.find((one) => one.method === method && `/api${one.path}` === raw.pattern);
  const answer = raw.answer === undefined ? undefined : readJson(raw.answer);
  const { resultName } = fieldsOf(answer);
  const query = fieldsOf(raw.query);
  return {
    method,
    path: pathOf(raw, entry),
    ...(Object.keys(query).length > 0 && { query: entry?.query ? redact(entry.query, query) : redactQuery(query) }),
    status,
    ...(typeof resultName === 'string' && { resultName }),
    ms,
    ip,
    requestId,
    ...(raw.body !== undefined && raw.body !== null && { requestBody: bodyOf(entry, raw.body) }),
    ...(answer !== undefined && answer !== null && { responseBody: answerOf(entry, answer) }),
    ...(raw.isTruncated && { truncated: true as const }),
  };
}

const bodyOf = (entry: EndpointDefinition | undefined, body: unknown) =>
  entry ? redact(entry.body ?? entry.multipart, body) : redactByName(body);

const answerOf = (entry: EndpointDefinition | undefined, answer: unknown): z.core.util.JSONType =>
  entry ? redact(entry.reply, answer) : redactByName(answer);

/** The address without its query; parameters that are secrets are hidden. */
function pathOf({ url, pattern, params }: RawHttp, entry: EndpointDefinition | undefined): string {
  const [path = ''] = url.split('?');
  // A sign-in under way is named in the address.
  if (pattern?.startsWith('/oidc/')) return decoded(path).replace(/\/auth\/.+/, `/auth/${SECRET}`);
  if (!entry?.params || pattern === undefined) return decoded(path);
  const shown = fieldsOf(redact(entry.params, params));
  const filled = pattern.replaceAll(/:(\w+)/g, (_, name: string) => String(shown[name] ?? SECRET));
  return filled;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The organisation in a request's address. */
function organisationOf({ params, query }: RawHttp): string | undefined {
  const { orgCode } = { ...fieldsOf(query), ...fieldsOf(params) };
  return typeof orgCode === 'string' ? orgCode : undefined;
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
  if (direction === 'closed') return `${channel.path} closed with ${[code, reason].filter(Boolean).join(' ')}`;
  return `${channel.path} ${direction}${what ? ` ${what}` : ''}`;
}
