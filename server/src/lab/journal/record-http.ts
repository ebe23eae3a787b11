import { type ChannelDefinition, readJson } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Deps } from '#deps.ts';
import { bearerToken } from '#platform/http/callers/caller.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import type { AccessClaims, Tokens } from '#platform/http/callers/tokens.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { parsedBodies } from '#platform/http/requests/read-bodies.ts';
import { refusalReasons } from '#platform/journal.ts';
import { subprotocolToken } from '#platform/live/serve-channel.ts';
import { isInternalCall } from '../call-portal-api.ts';

/** Maximum length of a recorded response body, in characters. */
const ANSWER_MAX_LENGTH = 16_384;
/** Maximum length of a recorded request body, in bytes. */
const BODY_MAX_BYTES = 16_384;

declare module 'fastify' {
  interface FastifyRequest {
    isInJournal: boolean;
  }
}

/**
 * Records every request just before its response is sent, so that the client that receives it already finds it in the
 * journal.
 */
export function recordHttp(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('isInJournal', false);
  app.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '');
    const answer = typeof payload === 'string' && type.includes('json') ? payload : undefined;
    const channel = request.ws && channelOf(deps, request);
    if (channel) recordRefused(deps, channel, request, { code: reply.statusCode, answer });
    else record(deps, request, reply, { status: reply.statusCode, answer });
    done();
  });
  // The OpenID provider writes its responses directly to the connection, which bypasses Fastify's response hooks, so
  // record them as they end.
  const atEnd: onRequestHookHandler = (request, reply, done) => {
    recordAtEnd(deps, request, reply);
    done();
  };
  app.addHook('onRoute', (route) => {
    if (OPEN_ID.test(route.url)) route.onRequest = [atEnd, ...[route.onRequest ?? []].flat()];
  });
}

const channelOf = ({ registered }: Deps, { routeOptions }: FastifyRequest): ChannelDefinition | undefined =>
  registered.channels.find(({ path }) => path === routeOptions.url);

/** Records a refused connection, unless it is from a lab watcher. */
function recordRefused(
  { journal, tokens }: Deps,
  channel: ChannelDefinition,
  request: FastifyRequest,
  { code, answer }: { code: number; answer: string | undefined },
): void {
  if (channel.access === 'lab') return;
  const who = callerOf(tokens, request);
  const { resultName } = fieldsOf(readJson(answer ?? ''));
  journal.record({
    kind: 'socket',
    channel,
    connection: 0,
    direction: 'refused',
    code,
    ...(typeof resultName === 'string' && { reason: resultName }),
    suid: who?.suid,
    orgCode: who?.orgCode,
    query: request.query,
  });
}

/** Records a request whose connection closes without a response. */
export function recordUnansweredRequest(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  record(deps, request, reply, { status: 0 });
}

/** Routes handled by the OpenID provider. */
const OPEN_ID = /^\/oidc\/:orgCode\/\*$|^\/\.well-known\/.+\/oidc\/:orgCode$/;

/** Records a response written directly to the connection, just before it ends. */
function recordAtEnd(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  // The provider strips its prefix from `url`, so use `originalUrl`.
  const { originalUrl: url } = request;
  const end = raw.end.bind(raw);
  raw.end = ((...args: Parameters<typeof end>) => {
    raw.end = end;
    const [payload] = args;
    const isJson = String(raw.getHeader('content-type') ?? '').includes('json');
    const answer = isJson && payload ? String(payload) : undefined;
    if (reply.sent) record(deps, request, reply, { status: raw.statusCode, answer, url });
    return end(...args);
  }) as typeof raw.end;
}

interface Outcome {
  /** HTTP status, or 0 if the connection closed without a response. */
  status: number;
  /** Response body in JSON. */
  answer?: string | undefined;
  url?: string;
}

function record(
  { journal, tokens }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, answer, url = request.originalUrl }: Outcome,
): void {
  if (request.isInJournal) return;
  const pattern = patternOf(request);
  if (isLeftOut(request, pattern) || isInternalCall(request)) return;
  request.isInJournal = true;
  const { method, params, query, ip, id, headers } = request;
  const body = request.body ?? parsedBodies.get(request.raw);
  const location = reply.getHeader('location');
  const who = callerOf(tokens, request);
  const bodyBytes = Number(headers['content-length'] ?? 0);
  const isBodyLong = bodyBytes > BODY_MAX_BYTES;
  const isAnswerLong = answer !== undefined && answer.length > ANSWER_MAX_LENGTH;
  journal.recordHttp(
    {
      kind: 'http',
      method,
      url,
      pattern,
      params: unlessEmpty(params),
      query: unlessEmpty(query),
      bodyBytes: isBodyLong ? 0 : bodyBytes,
      status,
      location: typeof location === 'string' ? location : undefined,
      isTruncated: isBodyLong || isAnswerLong,
      tenthsOfMs: Math.round(reply.elapsedTime * 10),
      ip,
      requestId: id,
      suid: who?.suid,
      orgCode: who?.orgCode,
      reason: refusalReasons.get(request.raw),
    },
    isBodyLong || Buffer.isBuffer(body) ? undefined : body instanceof URLSearchParams ? Object.fromEntries(body) : body,
    isAnswerLong ? undefined : answer,
  );
}

/**
 * Returns the member who sent a request, even if the request was refused before authentication or doesn't require it.
 */
function callerOf(tokens: Tokens, request: FastifyRequest): Pick<AccessClaims, 'suid' | 'orgCode'> | null {
  if (request.caller) return request.caller;
  const { authorization } = request.headers;
  const token = request.ws ? subprotocolToken(request) : authorization && bearerToken(authorization);
  return token ? tokens.recall(token) : null;
}

/**
 * Returns undefined for empty parameters, the common case. Serialising an empty object would take as long as all
 * other fields.
 */
function unlessEmpty(parameters: unknown): unknown {
  for (const _ in fieldsOf(parameters)) return parameters;
  return undefined;
}

/** Route that serves the client's files and pages. */
const FILES = '/*';

/** Returns true for requests that the journal omits: client files, lab pages and read-only lab calls. */
const isLeftOut = ({ method, originalUrl: url }: FastifyRequest, pattern: string | undefined): boolean =>
  pattern === FILES ||
  (url.startsWith('/lab') && /^\/lab(?:[/?]|$)/.test(url)) ||
  (url.startsWith('/api/lab/') && (method === 'GET' || method === 'HEAD' || url.startsWith('/api/lab/journal')));
