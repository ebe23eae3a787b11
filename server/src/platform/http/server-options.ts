import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '@orchestrate/shared';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify';
import type { Deps } from '#deps.ts';
import type { Tls } from '../adapters/local-authority.ts';
import { Refusal } from '../refusal.ts';
import { arrivalLimits, rawAnswer, tooSlow } from './requests/slow-bodies.ts';

/**
 * Disables Fastify's schema compilers, so that they aren't loaded: `implement` checks the contract's zod schemas.
 */
const NO_SCHEMAS = { buildValidator: unneeded, buildSerializer: unneeded };

function unneeded(): never {
  throw new Error('Routes have no schemas of their own: what travels is declared in the contract.');
}

/** Maximum length of a path parameter; a longer one matches no route. */
export const PARAM_MAX_LENGTH = 200;

/**
 * Returns Fastify's options: listening, request ids, and responses to invalid HTTP. @param answerUnrouted answers a
 * request that fails before it reaches a route
 */
export function serverOptions(
  deps: Deps,
  answerUnrouted: (reason: Error, request: FastifyRequest, reply: FastifyReply) => void,
) {
  const { config, log, random } = deps;
  const { interval, limit } = arrivalLimits(config.requestSeconds);
  // Unique across restarts, so that the log can be searched for it.
  const start = random.id().slice(0, 8);
  let requests = 0;
  const genReqId = () => `${start}-${(++requests).toString(36)}`;
  // Fastify's plugins trace whole headers, including tokens and cookies.
  const loggerInstance: FastifyBaseLogger = log.isLevelEnabled('trace') ? log.child({}, { level: 'debug' }) : log;
  const http = { headersTimeout: limit, connectionsCheckingInterval: interval };
  return {
    ...(deps.tls && { serverFactory: httpsServer(deps.tls, http) }),
    loggerInstance,
    // Our own code logs one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    // Log entries name their request themselves: a child logger per request would cost more than most handlers.
    childLoggerFactory: () => loggerInstance,
    schemaController: { compilersFactory: NO_SCHEMAS },
    bodyLimit: LIMITS.jsonBodyBytes,
    // Only `request.ip` is read: addresses of the portal are those of PUBLIC_URL, whatever a proxy forwards.
    ...(config.trustedProxies.length > 0 && { trustProxy: [...config.trustedProxies] }),
    // No plugin waits for anything external, and Fastify would set two timers for each route.
    pluginTimeout: 0,
    // Limits headers sent slowly; bodies are watched by `dropSlowRequests`.
    http,
    forceCloseConnections: 'idle' as const,
    genReqId,
    // RFC 9110 §9.1. A GET that starts something or uses it up opts out of HEAD.
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    frameworkErrors: (reason: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these, so the connection of an upgrade, which Node has released, must be ended here.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.socket.end());
      answerUnrouted(reason, request, reply);
    },
    clientErrorHandler: (reason: Error, socket: Socket) => {
      // Raw bytes, because there is no request to reply to.
      const answer = ('code' in reason && UNREADABLE.get(reason.code)) || unreadable;
      if (socket.writable) socket.end(answer(genReqId()));
    },
  };
}

/** Fastify's default. */
const KEEP_ALIVE_MS = 72_000;

/** Creates the server like Fastify does for HTTP. Its own `https` option would change the type of the instance. */
function httpsServer({ key, cert }: Tls, http: ServerOptions): FastifyServerFactory {
  // Not imported, because it is only needed with TLS (decision 018).
  const { createServer } = process.getBuiltinModule('node:https');
  return (handler) => createServer({ ...http, key, cert, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, handler);
}

const unreadable = (requestId: string): string => rawAnswer('400 Bad Request', new Refusal('BAD_REQUEST'), requestId);

/** RFC 6585 §5. Node's limit includes the URL. */
const tooLong = (requestId: string): string =>
  rawAnswer(
    '431 Request Header Fields Too Large',
    new Refusal('BAD_REQUEST', {
      status: 431,
      message: 'The URL and headers of a request cannot exceed 16 kB.',
    }),
    requestId,
  );

/** Responses by Node's error code; other errors mean invalid HTTP. */
const UNREADABLE: ReadonlyMap<unknown, (requestId: string) => string> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
  ['HPE_HEADER_OVERFLOW', tooLong],
]);
