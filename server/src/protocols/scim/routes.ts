import { type Lifetime, organisationRepo, scimCredentialsRepo, scimTokenRepo } from '@orchestrate/db';
import { MINUTE, resultOf } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LimitedCredentials } from '#core/members/maximum-grantable-role.ts';
import { countFailure, retryAfterSeconds } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { hashSecret, isSameSecret } from '#platform/adapters/secrets.ts';
import { lazily } from '#platform/cache.ts';
import { storageRefusal } from '#platform/http/answers/storage-refusal.ts';
import { directoryActor } from '#platform/http/callers/actors.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { scimPath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { createGroupCommit } from './group-commits.ts';
import type { JsonObject } from './json.ts';
import { perOrganisationQueue } from './per-organisation-queue.ts';
import { errorBody, ScimError, type ScimType } from './scim-error.ts';

const TOUCHED_EVERY = MINUTE;

/**
 * Finds a request's credentials: the organisation's username and password (RFC 7617) or an unexpired token (RFC 6750
 * §2.1). Records the token's use. Returns undefined if neither matches.
 */
function findDirectory(deps: Deps, orgCode: string, authorization: string | undefined): LimitedCredentials | undefined {
  const [, scheme, given] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (scheme === undefined || given === undefined) return undefined;
  return scheme.toLowerCase() === 'basic' ? findByPair(deps, orgCode, given) : findByToken(deps, orgCode, given);
}

function findByPair({ db }: Deps, orgCode: string, encoded: string): LimitedCredentials | undefined {
  const pair = scimCredentialsRepo.findScimCredentials(db, orgCode);
  if (!pair) return undefined;
  const given = Buffer.from(encoded, 'base64').toString();
  const colon = given.indexOf(':');
  const isUser = isSameSecret(given.slice(0, Math.max(colon, 0)), pair.username);
  const isPassword = isSameSecret(given.slice(colon + 1), pair.password);
  return isUser && isPassword ? pair : undefined;
}

function findByToken({ db, clock }: Deps, orgCode: string, token: string): LimitedCredentials | undefined {
  const found = scimTokenRepo.findScimTokenByHash(db, orgCode, hashSecret(token));
  const now = clock.now();
  if (found?.expiresAt != null && found.expiresAt <= now) return undefined;
  if (found && now - (found.lastUsedAt ?? 0) >= TOUCHED_EVERY) {
    scimTokenRepo.touchScimToken(db, orgCode, found.id, now);
  }
  return found;
}

/** Authentication challenge for bearer tokens (RFC 6750 §3). */
const BEARER = 'Bearer realm="SCIM"';
const BASIC = 'Basic realm="SCIM", charset="UTF-8"';

const TYPE = 'application/scim+json; charset=utf-8';
/** Retry-After for a directory that exceeds its rate limit, in seconds. */
const RETRY_SECONDS = 5;
/** Multiplier for the general write limit. Directories act for a whole organisation, so they need more requests. */
const REQUESTS_FACTOR = 50;

/**
 * Registers SCIM 2.0 (RFC 7643, RFC 7644) for the directories of all organisations. Uses a separate Fastify scope
 * because bodies and errors differ from the API's. The handlers are loaded on the first request.
 */
export function scim(app: FastifyInstance, deps: Deps): void {
  /**
   * Each request's directory, fixed from its headers until the response. Renewing credentials in the meantime doesn't
   * add permissions.
   */
  const directories = new WeakMap<FastifyRequest, Directory>();
  const answer = answering(deps);
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/scim+json', 'application/json'],
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((reason, request, reply) => refuseScim(deps, reason, request, reply));
    const { rateLimit } = deps.config;
    const limit =
      rateLimit > 0
        ? [
            scope.rateLimit({
              max: rateLimit * REQUESTS_FACTOR,
              timeWindow: MINUTE,
              keyGenerator: (request) => scope.rateLimitKey(`scim ${directories.get(request)?.organisation.orgCode}`),
              errorResponseBuilder: () => new TooManyRequests(),
            }),
          ]
        : [];
    for (const url of [scimPath(':orgCode'), `${scimPath(':orgCode')}/*`]) {
      scope.route<{ Params: ScimParams }>({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        // Runs before the body is read, to reject bodies from unauthenticated clients.
        onRequest: [
          async (request: FastifyRequest<{ Params: ScimParams }>, reply: FastifyReply) => {
            const found = findDirectory(deps, request.params.orgCode, request.headers.authorization);
            if (found) {
              const organisation = organisationRepo.requireOrganisation(deps.db, found.orgCode);
              if (!isAllowedIp(request.ip, organisation.allowedIps)) return sendError(reply, 403, BLOCKED);
              directories.set(request, { organisation, credentials: found, lifetime: deps.world.lifetime });
              return;
            }
            // Only wrong credentials are throttled. Anyone can send them, so they must not block the correct
            // credentials, which can't be guessed (decision 143).
            const subject = { orgCode: request.params.orgCode, kind: 'scim' as const, subject: networkOf(request.ip) };
            const seconds = retryAfterSeconds(deps, deps.db, subject);
            if (seconds > 0) {
              reply.header('retry-after', seconds);
              return sendError(
                reply,
                429,
                'Too many requests with incorrect credentials from this network. Try again later.',
              );
            }
            const isTry = request.headers.authorization !== undefined;
            if (isTry && organisationRepo.findOrganisation(deps.db, subject.orgCode))
              countFailure(deps, deps.db, subject);
            const isWrongToken = /^bearer /i.test(request.headers.authorization ?? '');
            reply.header('www-authenticate', [isWrongToken ? `${BEARER}, error="invalid_token"` : BEARER, BASIC]);
            return sendError(reply, 401, WRONG_CREDENTIALS);
          },
          ...limit,
        ],
        handler: (request, reply) => {
          const directory = directories.get(request);
          if (!directory) throw new Refusal('UNAUTHORIZED', { message: WRONG_CREDENTIALS });
          return directory.lifetime.run(() => answer(directory, request, reply));
        },
      });
    }
    done();
  });
}

const WRONG_CREDENTIALS = 'The username, password or token is incorrect.';

/** The organisation's IP allowlist also applies to its directory. */
const BLOCKED = "The organisation doesn't allow requests from this IP address.";

interface ScimParams {
  orgCode: string;
  /** Remainder of the path. */
  '*'?: string;
}

/** A directory with verified credentials. */
interface Directory {
  organisation: organisationRepo.OrganisationRow;
  credentials: LimitedCredentials;
  /** Lifetime of the world in which the credentials were verified. */
  lifetime: Lifetime;
}

function answering(deps: Deps) {
  const answers = lazily(() => import('./answer-scim.ts'));
  const inGroup = createGroupCommit(deps.db);
  const queue = perOrganisationQueue();

  return async (
    { organisation, credentials }: Directory,
    request: FastifyRequest<{ Params: ScimParams }>,
    reply: FastifyReply,
  ) => {
    const { orgCode, '*': rest = '' } = request.params;
    const { answerScim } = await answers();
    const { searchParams } = new URL(request.url, 'http://scim');
    const { status, body, text, location, version } = await answerScim(
      {
        deps,
        organisation,
        credentials,
        orgCode,
        inGroup,
        perOrganisationQueue: queue,
        isGone: () => request.raw.socket.destroyed,
        actor: directoryActor(orgCode, request.ip),
        base: `${deps.publicUrl}${scimPath(orgCode)}`,
      },
      {
        method: request.method === 'HEAD' ? 'GET' : request.method,
        path: `/${rest}`,
        query: searchParams,
        ifMatch: request.headers['if-match'],
        ifNoneMatch: request.headers['if-none-match'],
      },
      typeof request.body === 'string' ? request.body : '',
    );
    if (status === 429) reply.header('retry-after', RETRY_SECONDS);
    if (location !== undefined) {
      reply.header('location', location);
      // Equal to `meta.location` (RFC 7643 §3.1).
      if (body !== undefined && status < 400) reply.header('content-location', location);
    }
    if (version !== undefined) reply.header('etag', version);
    return send(reply, status, body, text);
  };
}

function send(reply: FastifyReply, status: number, body: JsonObject | undefined, text?: string): FastifyReply {
  reply.code(status).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return body ? reply.type(TYPE).send(text ?? JSON.stringify(body)) : reply.send();
}

const sendError = (reply: FastifyReply, status: number, detail: string, scimType?: ScimType): FastifyReply =>
  send(reply, status, errorBody(new ScimError(status, detail, scimType)));

/** Thrown when requests with an organisation's credentials exceed the limit per minute. */
class TooManyRequests extends Error {
  readonly statusCode = 429;
}

/** Returns true if a request targets SCIM, even if it matches no route. */
export const isScim = ({ url }: Pick<FastifyRequest, 'url'>): boolean => url.startsWith(scimPath(''));

export function refuseScim(
  { log }: Pick<Deps, 'log'>,
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (reason instanceof Refusal) return sendRefusal(reply, reason);
  const status = statusOf(reason);
  if (status === 413) return sendError(reply, 413, 'The body must be 1 MiB or smaller.');
  if (status === 415) return sendError(reply, 415, 'The body must be application/scim+json.');
  if (status === 429) return sendError(reply, 429, 'Too many requests. Try again later.');
  if (status < 500) return sendError(reply, status, 'The request is malformed.', 'invalidSyntax');
  const { status: unsaved = 500, message } = storageRefusal(reason) ?? {};
  log.error({ err: reason, reqId: request.id }, message ?? 'defect');
  return sendError(reply, unsaved, message ?? 'Something went wrong. Try again later.');
}

/**
 * Sends a refusal thrown by code shared with the API, such as the lab. Replaces a success status, which these results
 * usually have, with 400.
 */
function sendRefusal(reply: FastifyReply, refusal: Refusal) {
  const { status = resultOf(refusal.result).status } = refusal;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  const code = Math.max(status, 400);
  const [issue] = refusal.issues ?? [];
  return sendError(reply, code, issue ? `${issue.path}: ${issue.message}` : refusal.message);
}

const statusOf = (reason: unknown): number =>
  reason instanceof Error && 'statusCode' in reason && typeof reason.statusCode === 'number' ? reason.statusCode : 500;
