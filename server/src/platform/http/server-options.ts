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
 * The contract's schemas are zod's and are checked by `implement`, so Fastify's own compilers need not even be loaded.
 */
const NO_SCHEMAS = { buildValidator: unneeded, buildSerializer: unneeded };

function unneeded(): never {
  throw new Error('Routes have no schemas of their own: what travels is declared in the contract.');
}

/** A longer part of an address that names something names nothing. */
export const PARAM_MAX_LENGTH = 200;

/**
 * How Fastify listens, names requests, and answers what is not even HTTP. @param answerUnrouted a request that fails
 * before it reaches a route
 */
export function serverOptions(
  deps: Deps,
  answerUnrouted: (reason: Error, request: FastifyRequest, reply: FastifyReply) => void,
) {
  const { config, log, random } = deps;
  const { interval, limit } = arrivalLimits(config.requestSeconds);
  // Unique across restarts, for anyone who searches the log for it.
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
    // No plugin here can wait for anything outside, and Fastify would set two timers for each route.
    pluginTimeout: 0,
    // Limits headers sent slowly; bodies are watched by `dropSlowRequests`.
    http,
    forceCloseConnections: 'idle' as const,
    genReqId,
    // RFC 9110 §9.1; a GET that begins something or uses something up says for itself that it has no HEAD.
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    frameworkErrors: (reason: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these, so nothing else would end the connection of an upgrade, which Node has let go of.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.socket.end());
      answerUnrouted(reason, request, reply);
    },
    clientErrorHandler: (reason: Error, socket: Socket) => {
      // Raw bytes: there is no request that could be replied to, nor an address that says in which shape.
      const answer = ('code' in reason && UNREADABLE.get(reason.code)) || unreadable;
      if (socket.writable) socket.end(answer(genReqId()));
    },
  };
}

/** Fastify's default. */
const KEEP_ALIVE_MS = 72_000;

/** The same as Fastify does for plain HTTP, whose own `https` option would give its instances another type. */
function httpsServer({ key, cert }: Tls, http: ServerOptions): FastifyServerFactory {
  // Not by import: nobody else needs the module (decision 018).
  const { createServer } = process.getBuiltinModule('node:https');
  return (handler) => createServer({ ...http, key, cert, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, handler);
}

const unreadable = (requestId: string): string => rawAnswer('400 Bad Request', new Refusal('BAD_REQUEST'), requestId);

/** RFC 6585 §5. Node counts the address too. */
const tooLong = (requestId: string): string =>
  rawAnswer(
    '431 Request Header Fields Too Large',
    new Refusal('BAD_REQUEST', {
      status: 431,
      message: 'The URL and headers of a request cannot exceed 16 kB.',
    }),
    requestId,
  );

/** By the code of Node's error; the others are not HTTP. */
const UNREADABLE: ReadonlyMap<unknown, (requestId: string) => string> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
  ['HPE_HEADER_OVERFLOW', tooLong],
]);
