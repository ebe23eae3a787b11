import { Socket } from 'node:net';
import { oidcApplicationRepo } from '@orchestrate/db';
import {
  type AnyFault,
  codeOf,
  decodedPath,
  type FaultAnswer,
  type ResultName,
  refusalStatusOf,
  resultOf,
  SECOND,
} from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose/jwt/decode';
import type { Deps } from '#deps.ts';
import { sendJson } from '#platform/http/answers/send-json.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { Refusal } from '#platform/refusal.ts';
import { tooManyRequestsMessage } from '#platform/times.ts';
import { NEEDS_NONCE, sendOAuthError } from '#protocols/oidc/http/oauth-error.ts';
import { PAGE_HEADERS } from '#protocols/oidc/http/send-page.ts';
import { errorBody, ScimError } from '#protocols/scim/scim-error.ts';
import { recordUnansweredRequest } from '../journal/record-http.ts';
import { redactByName } from '../journal/redact.ts';

/** Results that the portal itself returns with each HTTP status. */
const RESULT_OF_STATUS: Readonly<Record<number, ResultName>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'ID_DOESNOT_EXIST',
  415: 'BAD_REQUEST',
  429: 'BAD_REQUEST',
};
const DESCRIPTION = 'The lab made this request fail.';
/** RFC 7644 §3.1. */
const SCIM_TYPE = 'application/scim+json; charset=utf-8';
/** Default `Retry-After` in seconds, the same as for the write limit. */
const RETRY_SECONDS = 60;

/**
 * Applies a fault to a request and records it in the journal. Returns undefined if the real response still follows,
 * delayed or truncated.
 * @throws Refusal for the path's error handler, which uses its own format
 */
export async function answerWithFault(
  deps: Deps,
  answer: FaultAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { delayMs, resultName, status, oauthError, scim, hang, cut } = answer;
  deps.journal.record({ kind: 'fault', path: pathOf(request), what: describeFault(answer) });
  if (hang || cut === true) recordUnansweredRequest(deps, request, reply);
  if (delayMs) await deps.heldRequests.delay(delayMs);
  if (hang || cut === true) {
    reply.hijack();
    // An internal call doesn't have a socket that could be closed later and would wait forever, so end it
    // immediately.
    if (cut === true || !(request.raw.socket instanceof Socket)) endConnection(request, reply);
    else deps.heldRequests.hang(request.raw.socket);
    return reply;
  }
  if (cut === 'body') cutBody(reply);
  if (resultName || scim || oauthError || status) allowPage(request, reply, { isLimited: status === 429 });
  if (resultName) return sendResult(deps, reply, resultName, request);
  if (scim) return sendScimError(reply, scim);
  if (oauthError) return answerOAuthError(deps, reply, oauthError, request);
  if (status) return sendStatus(deps, reply, status, answer);
  return undefined;
}

const OPEN_ID = /^\/(?:oidc|\.well-known)\//;

/**
 * Adds the headers of the OpenID provider's other responses, which also let cross-origin pages read the response.
 * @param isLimited true for a response of the rate limit, which doesn't come from the provider
 */
function allowPage(request: FastifyRequest, reply: FastifyReply, { isLimited }: { isLimited: boolean }): void {
  const { origin } = request.headers;
  if (!OPEN_ID.test(patternOf(request) ?? '') || (isLimited && !origin)) return;
  if (!isLimited) reply.headers(PAGE_HEADERS);
  if (reply.hasHeader('access-control-allow-origin')) return;
  reply.headers({
    'access-control-allow-origin': origin ?? '*',
    ...(origin && { 'access-control-allow-credentials': 'true' }),
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After, DPoP-Nonce',
    vary: 'Origin',
  });
}

/**
 * Maximum length of a fault description. The journal keeps thousands of entries, and a fault body can be as large as
 * a megabyte.
 */
const WHAT_MAX_LENGTH = 1_000;

/** Returns a fault for listing. A long body is truncated, because every listing would repeat it. */
export function truncateFault<Fault extends AnyFault>(fault: Fault): Fault {
  if (!('match' in fault) || fault.answer.body === undefined) return fault;
  const body = typeof fault.answer.body === 'string' ? fault.answer.body : JSON.stringify(fault.answer.body);
  return body.length > WHAT_MAX_LENGTH
    ? { ...fault, answer: { ...fault.answer, body: `${body.slice(0, WHAT_MAX_LENGTH)}…` } }
    : fault;
}

/** Describes a fault for the journal. */
export function describeFault({ body, headers, ...answer }: FaultAnswer): string {
  const shown = {
    ...answer,
    ...(body !== undefined && { body: redactByName(body) }),
    ...(headers && { headers: redactByName(headers) }),
  };
  const what = JSON.stringify(shown);
  return what.length > WHAT_MAX_LENGTH ? `${what.slice(0, WHAT_MAX_LENGTH)}…` : what;
}

function endConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.destroy();
  else reply.raw.destroy();
}

/** Returns a request's path without query, decoded for display. */
export const pathOf = ({ url }: FastifyRequest): string => decodedPath(url.split('?')[0] ?? '');

/** Sends a result in the endpoint's own format. Refusals are thrown, and a success is sent without its fields. */
function sendResult(deps: Deps, reply: FastifyReply, name: ResultName, request: FastifyRequest): FastifyReply {
  const { status, sentence } = resultOf(name);
  const { id, method } = request;
  if (name !== 'SUCCESS') {
    const entry = deps.registered.endpoints.find(
      (one) => one.method === method && `/api${one.path}` === patternOf(request) && one.refuses?.includes(name),
    );
    throw new Refusal(name, { status: (entry && refusalStatusOf(entry, name)) ?? status });
  }
  return sendJson(deps, reply, JSON.stringify({ resultCode: codeOf(name), message: sentence, requestId: id }));
}

function sendStatus(
  { clock, config: { rateLimit } }: Pick<Deps, 'clock' | 'config'>,
  reply: FastifyReply,
  status: number,
  { body, headers = {} }: FaultAnswer,
): FastifyReply {
  if (status === 429 && rateLimit > 0) {
    const seconds = secondsIn(headers, clock.now());
    reply.headers({ 'x-ratelimit-limit': rateLimit, 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': seconds });
  }
  replaceHeaders(reply, headers);
  if (body === undefined && status >= 400) {
    throw new Refusal(RESULT_OF_STATUS[status] ?? 'FAILED', {
      status,
      ...(status === 429 && {
        message: tooManyRequestsMessage(secondsIn(headers, clock.now())),
        retryAfterSeconds: RETRY_SECONDS,
      }),
    });
  }
  reply.code(status).header('cache-control', 'no-store');
  if (typeof body !== 'string') reply.type('application/json; charset=utf-8');
  else reply.type('text/plain; charset=utf-8');
  return reply.send(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
}

/**
 * Returns the seconds to wait according to the fault's own `Retry-After`, which can be a number or a date (RFC 9110
 * §10.2.3).
 */
function secondsIn(headers: Record<string, string>, now: number): number {
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? '';
  if (/^\d+$/.test(given)) return Number(given);
  const at = Date.parse(given);
  return Number.isNaN(at) ? RETRY_SECONDS : Math.max(Math.ceil((at - now) / SECOND), 0);
}

/** Overrides response headers with the fault's headers at the time of sending, after the server has set its own. */
function replaceHeaders({ raw }: FastifyReply, headers: Record<string, string>): void {
  const { writeHead } = raw;
  const ours = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  raw.writeHead = (status: number, ...given: unknown[]) =>
    writeHead.call(raw, status, { ...Object(given.at(-1)), ...ours });
}

function sendScimError(
  reply: FastifyReply,
  { status, scimType, detail }: NonNullable<FaultAnswer['scim']>,
): FastifyReply {
  if (status === 429) reply.header('retry-after', RETRY_SECONDS);
  const body = errorBody(
    new ScimError(status, detail ?? (status === 429 ? tooManyRequestsMessage(RETRY_SECONDS) : DESCRIPTION), scimType),
  );
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return reply.code(status).type(SCIM_TYPE).send(JSON.stringify(body));
}

/** HTTP status per OAuth error: 401 if client authentication failed (RFC 6749 §5.2), otherwise as in RFC 6750 §3.1. */
const OAUTH_STATUS: Readonly<Record<string, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** The endpoint at which errors about a DPoP proof have status 401 (RFC 9449 §7.1). Elsewhere, it is 400 (§5). */
const USERINFO = /^\/oidc\/[^/]+\/me$/;

function answerOAuthError(
  { db, publicUrl }: Deps,
  reply: FastifyReply,
  error: string,
  { params, query, routeOptions, url, headers, raw }: FastifyRequest,
): FastifyReply | undefined {
  const { orgCode } = fieldsOf(params);
  const [path = ''] = url.split('?');
  if (error === 'use_dpop_nonce' && headers.dpop !== undefined) {
    const nonce = nonceIn(String(headers.dpop));
    // The provider's own response contains a nonce that it accepts in the next proof.
    if (nonce === undefined) {
      NEEDS_NONCE.add(raw);
      return undefined;
    }
    reply.header('dpop-nonce', nonce);
  }
  if (routeOptions.url?.startsWith('/oidc/') && path.endsWith('/auth')) {
    const { client_id: clientId, redirect_uri: redirectUri, state } = fieldsOf(query);
    const client = oidcApplicationRepo.findOidcApplication(db, String(orgCode), String(clientId));
    // Redirect only to a registered redirect URI. Otherwise return the error as the response.
    if (typeof redirectUri === 'string' && client?.redirectUris.includes(redirectUri)) {
      const back = new URL(redirectUri);
      const answer = { error, error_description: DESCRIPTION, iss: `${publicUrl}/oidc/${orgCode}` };
      for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
      if (typeof state === 'string') back.searchParams.set('state', state);
      return reply.header('cache-control', 'no-store').redirect(back.href, 303);
    }
  }
  const status = OAUTH_STATUS[error] ?? (USERINFO.test(path) && /dpop/.test(error) ? 401 : 400);
  return sendOAuthError(reply, `${publicUrl}/oidc/${orgCode}`, { status, error, description: DESCRIPTION });
}

/** Returns the nonce of a DPoP proof, or undefined if it has none or isn't a JWT. */
function nonceIn(proof: string): string | undefined {
  try {
    const { nonce } = decodeJwt(proof);
    return typeof nonce === 'string' ? nonce : undefined;
  } catch {
    return undefined;
  }
}

/** Sends half of the first chunk of the real body, then closes the connection. */
function cutBody(reply: FastifyReply): void {
  const { raw } = reply;
  const { write, socket } = raw;
  const cut = (chunk: unknown): boolean => {
    const bytes = Buffer.from(typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : '');
    // Without Content-Length, only the missing final chunk shows that the body is truncated.
    write.call(raw, bytes.subarray(0, Math.floor(bytes.length / 2)), 'utf8');
    if (socket instanceof Socket) socket.destroySoon();
    else raw.destroy();
    return false;
  };
  raw.write = cut;
  raw.end = (chunk?: unknown) => {
    // The response never ends, so Fastify would consider it unsent and send it again.
    reply.hijack();
    cut(chunk);
    return raw;
  };
}
