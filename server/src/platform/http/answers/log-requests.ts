import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { patternOf } from '../contract-routes.ts';

/**
 * Logs one line per request with the route pattern, because paths can contain secrets. Successful reads are logged at
 * debug level, writes and refused access at a higher level.
 */
export function logRequests(app: FastifyInstance, { log }: Deps): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = levelOf(request, reply);
    if (log.isLevelEnabled(level)) log[level](lineOf(request, reply), 'request');
    done();
  });
}

function levelOf({ method }: FastifyRequest, { statusCode }: FastifyReply): 'debug' | 'info' | 'warn' {
  if (statusCode === 401 || statusCode === 403 || statusCode === 429) return 'warn';
  return method === 'GET' || method === 'HEAD' ? 'debug' : 'info';
}

function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const { method, ip } = request;
  return {
    reqId: request.id,
    method,
    route: patternOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    ip,
  };
}
