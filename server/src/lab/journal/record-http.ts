import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { bearerToken } from '../../platform/http/callers/caller.ts';
import { readBodies } from '../../platform/http/requests/read-bodies.ts';
import { isOwnCall } from '../own-calls.ts';

/** Longer answers are left out. */
const ANSWER_MAX_LENGTH = 16_384;
/** Longer bodies of requests are left out. */
const BODY_MAX_BYTES = 16_384;

declare module 'fastify' {
  interface FastifyRequest {
    isInJournal: boolean;
  }
}

/** Records every request with its answer, just before the answer is sent: who reads it finds it in the journal. */
export function recordHttp(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('isInJournal', false);
  app.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '');
    const isJson = typeof payload === 'string' && type.includes('json');
    record(deps, request, reply, reply.statusCode, isJson ? payload : undefined);
    done();
  });
  // The OpenID provider answers by itself.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url === OPEN_ID) recordAtEnd(deps, request, reply);
    done();
  });
  // For what else was answered without Fastify.
  app.addHook('onResponse', (request, reply, done) => {
    record(deps, request, reply, reply.statusCode, undefined);
    done();
  });
}

/** Records a request whose connection ends without an answer. */
export function recordUnanswered(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  record(deps, request, reply, 0, undefined);
}

/** The route of the provider's own router. */
const OPEN_ID = '/oidc/:orgCode/*';

/** Records what is answered on the connection itself, before it is. */
function recordAtEnd(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  const end = raw.end.bind(raw);
  raw.end = ((...args: Parameters<typeof end>) => {
    raw.end = end;
    const [payload] = args;
    const isJson = String(raw.getHeader('content-type') ?? '').includes('json');
    if (reply.sent) record(deps, request, reply, raw.statusCode, isJson && payload ? String(payload) : undefined);
    return end(...args);
  }) as typeof raw.end;
}

/** @param status 0 for a connection that ends without an answer */
function record(
  { journal, tokens }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  answer: string | undefined,
): void {
  if (request.isInJournal || request.ws || isLeftOut(request) || isOwnCall(request)) return;
  request.isInJournal = true;
  // The OpenID provider shortens the address to what it knows.
  const { method, originalUrl: url, params, query, ip, id, routeOptions, headers } = request;
  const body = request.body ?? readBodies.get(request.raw);
  const location = reply.getHeader('location') ?? reply.raw.getHeader('location');
  const token = bearerToken(headers.authorization);
  const claims = token === undefined ? null : tokens.recall(token);
  const bodyBytes = Number(headers['content-length'] ?? 0);
  const isBodyLong = bodyBytes > BODY_MAX_BYTES;
  const isAnswerLong = answer !== undefined && answer.length > ANSWER_MAX_LENGTH;
  journal.record({
    kind: 'http',
    method,
    url,
    pattern: routeOptions.url,
    params,
    query,
    body: isBodyLong || Buffer.isBuffer(body) ? undefined : body,
    bodyBytes: isBodyLong ? 0 : bodyBytes,
    status,
    location: typeof location === 'string' ? location : undefined,
    answer: isAnswerLong ? undefined : answer,
    isTruncated: isBodyLong || isAnswerLong,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip,
    requestId: id,
    suid: claims?.suid,
    orgCode: claims?.orgCode,
  });
}

/** The route of the client's files: its pages have none of their own. */
const FILES = '/*';

/** Files of the client, and what only looks at the lab. */
const isLeftOut = ({ method, originalUrl: url, routeOptions }: FastifyRequest): boolean =>
  routeOptions.url === FILES ||
  /^\/lab(?:[/?]|$)/.test(url) ||
  (url.startsWith('/api/lab/') && (method === 'GET' || url.startsWith('/api/lab/journal')));
