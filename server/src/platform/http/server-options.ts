import type { IncomingMessage, Server, ServerOptions } from 'node:http';
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
import { arrivalLimits, rawResponse, tooSlowResponse } from './requests/slow-bodies.ts';

/**
 * Replaces Fastify's schema compilers so they aren't loaded. `implement` validates with the contract's zod schemas
 * instead.
 */
const NO_SCHEMAS = { buildValidator: unneeded, buildSerializer: unneeded };

function unneeded(): never {
  throw new Error('Routes must not define schemas. Declare them in the contract instead.');
}

/** Maximum length of a path parameter. A longer parameter matches no route. */
export const PARAM_MAX_LENGTH = 200;

/**
 * Returns Fastify options for listening, request IDs, and responses to invalid HTTP.
 * @param answerUnrouted answers a request that fails before it reaches a route
 */
export function serverOptions(
  deps: Deps,
  answerUnrouted: (reason: Error, request: FastifyRequest, reply: FastifyReply) => void,
) {
  const { config, log, random } = deps;
  const { interval, limit } = arrivalLimits(config.requestSeconds);
  // Makes request IDs unique across restarts, so that they can be searched for in the log.
  const start = random.id().slice(0, 8);
  let requests = 0;
  const genReqId = () => `${start}-${(++requests).toString(36)}`;
  // At trace level, Fastify's plugins log whole headers, including tokens and cookies.
  const loggerInstance: FastifyBaseLogger = log.isLevelEnabled('trace') ? log.child({}, { level: 'debug' }) : log;
  const http: ServerOptions = {
    headersTimeout: limit,
    connectionsCheckingInterval: interval,
    // Other upgrades are ignored (RFC 9110 §7.8), because Java's HttpClient requests HTTP/2 by default. Requires Node
    // 24.9. During shutdown there is no listener for upgrades, so the request gets a response like any other.
    shouldUpgradeCallback(this: Server, { headers }: IncomingMessage) {
      return headers.upgrade?.toLowerCase() === 'websocket' && this.listenerCount('upgrade') > 0;
    },
  };
  return {
    ...(deps.tls && { serverFactory: httpsServer(deps.tls, http) }),
    loggerInstance,
    // `logRequests` logs one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    // Each log entry includes its request ID, because a child logger per request would cost more than most handlers.
    childLoggerFactory: () => loggerInstance,
    schemaController: { compilersFactory: NO_SCHEMAS },
    bodyLimit: LIMITS.jsonBodyBytes,
    // Only `request.ip` depends on proxy headers. The portal's URLs are derived from PUBLIC_URL, whatever a proxy
    // forwards.
    ...(config.trustedProxies.length > 0 && { trustProxy: [...config.trustedProxies] }),
    // No plugin waits for anything external, so disable the timeout, for which Fastify would set two timers per
    // route.
    pluginTimeout: 0,
    // These Node options limit how slowly headers can arrive. `dropSlowRequests` monitors bodies.
    http,
    forceCloseConnections: 'idle' as const,
    genReqId,
    // Enables HEAD for GET routes (RFC 9110 §9.1). A GET with side effects opts out.
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    frameworkErrors: (reason: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these errors. Node no longer manages the connection of an upgrade, so end the connection
      // here.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.socket.end());
      answerUnrouted(reason, request, reply);
    },
    clientErrorHandler: (reason: Error, socket: Socket) => {
      // Node couldn't parse a request, so there is no reply object. Write raw bytes instead.
      const answer = ('code' in reason && UNREADABLE.get(reason.code)) || unreadable;
      if (socket.writable) socket.end(answer(genReqId()));
    },
  };
}

/** Keep-alive timeout in milliseconds, equal to Fastify's default. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Creates the HTTPS server the way Fastify creates its HTTP server. Fastify's own `https` option would change the
 * instance's type.
 */
function httpsServer({ key, cert }: Tls, http: ServerOptions): FastifyServerFactory {
  // Loaded on demand, because it is needed only with TLS (decision 018).
  const { createServer } = process.getBuiltinModule('node:https');
  return (handler) => createServer({ ...http, key, cert, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, handler);
}

const unreadable = (requestId: string): string => rawResponse('400 Bad Request', new Refusal('BAD_REQUEST'), requestId);

/** Returns the response to oversized headers (RFC 6585 §5). Node's limit includes the URL. */
const tooLong = (requestId: string): string =>
  rawResponse(
    '431 Request Header Fields Too Large',
    new Refusal('BAD_REQUEST', {
      status: 431,
      message: 'The URL and headers of a request cannot exceed 16 kB in total.',
    }),
    requestId,
  );

/** Responses by Node error code. Any other error means invalid HTTP. */
const UNREADABLE: ReadonlyMap<unknown, (requestId: string) => string> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlowResponse],
  ['HPE_HEADER_OVERFLOW', tooLong],
]);
