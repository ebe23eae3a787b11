import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { bearerToken } from '../../platform/http/callers/caller.ts';

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
    record(deps, request, reply.statusCode, reply.elapsedTime, isJson ? payload : undefined);
    done();
  });
  // For what was answered without Fastify: the OpenID provider's pages.
  app.addHook('onResponse', (request, reply, done) => {
    record(deps, request, reply.statusCode, reply.elapsedTime, undefined);
    done();
  });
}

/** Records a request whose connection ends without an answer. */
export function recordUnanswered(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  record(deps, request, 0, reply.elapsedTime, undefined);
}

/** @param status 0 for a connection that ends without an answer */
function record(
  { journal, tokens }: Deps,
  request: FastifyRequest,
  status: number,
  ms: number,
  answer: string | undefined,
): void {
  if (request.isInJournal || request.ws || isLeftOut(request)) return;
  request.isInJournal = true;
  // The OpenID provider shortens the address to what it knows.
  const { method, originalUrl: url, params, query, body, ip, id, routeOptions, headers } = request;
  const token = bearerToken(headers.authorization);
  const claims = token === undefined ? null : tokens.recall(token);
  const isBodyLong = Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES;
  const isAnswerLong = answer !== undefined && answer.length > ANSWER_MAX_LENGTH;
  journal.record({
    kind: 'http',
    method,
    url,
    pattern: routeOptions.url,
    params,
    query,
    // What could not be read as JSON or a form may hide anything.
    body: isBodyLong || typeof body !== 'object' || Buffer.isBuffer(body) ? undefined : body,
    status,
    answer: isAnswerLong ? undefined : answer,
    isTruncated: isBodyLong || isAnswerLong,
    ms: Math.round(ms * 10) / 10,
    ip,
    requestId: id,
    suid: claims?.suid,
    orgCode: claims?.orgCode,
  });
}

/** Files of the client, and what only looks at the lab. */
const isLeftOut = ({ method, originalUrl: url }: FastifyRequest): boolean =>
  url.startsWith('/assets/') ||
  (url.startsWith('/api/lab/') && (method === 'GET' || url.startsWith('/api/lab/journal')));
