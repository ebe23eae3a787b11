import { resultOf } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { refusalOf } from '#platform/http/answers/answer-error.ts';
import { errorPage } from './pages.ts';
import { sendPage } from './send-page.ts';

interface OAuthError {
  status: number;
  error: string;
  description: string;
}

/** Errors about an access token, for which the authentication scheme is sent with any status (RFC 6750 §3). */
const TOKEN_ERRORS = ['invalid_token', 'insufficient_scope'];

/** Sends an OAuth error (RFC 6749 §5.2). A 401 includes the authentication scheme. */
export function sendOAuthError(
  reply: FastifyReply,
  issuer: string,
  { status, error, description }: OAuthError,
): FastifyReply {
  const isAboutToken = TOKEN_ERRORS.includes(error);
  if (status === 401 || isAboutToken) {
    const scheme = isAboutToken ? 'Bearer' : 'Basic';
    reply.header('www-authenticate', `${scheme} realm="${issuer}", error="${error}"`);
  }
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error, error_description: description }));
}

/**
 * Sends a refusal that the portal raised outside the library, such as too many requests: as a page to browsers, as an
 * OAuth error to other clients.
 */
export function refuseOAuth(deps: Deps, reason: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(deps, reason, request);
  const { retryAfterSeconds, message: description } = refusal;
  // Some API errors have status 200, but an OAuth error needs an error status.
  const status = Math.max(refusal.status ?? resultOf(refusal.result).status, 400);
  if (retryAfterSeconds !== undefined && !reply.hasHeader('retry-after'))
    reply.header('retry-after', retryAfterSeconds);
  const [path = ''] = request.url.split('?');
  const error = errorOf(status, path);
  if (request.headers.accept?.includes('text/html')) {
    return sendPage(reply, status, errorPage({ error, error_description: description }));
  }
  const issuer = `${deps.publicUrl}${/^\/oidc\/[^/]+/.exec(path)?.[0] ?? ''}`;
  return sendOAuthError(reply, issuer, { status, error, description });
}

function errorOf(status: number, path: string): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  if (status === 401) return TOKEN_ENDPOINTS.test(path) ? 'invalid_token' : 'invalid_client';
  return 'invalid_request';
}

/** Endpoints to which an application sends an access token instead of its secret. */
const TOKEN_ENDPOINTS = /^\/oidc\/[^/]+\/(?:me|reg)(?:\/|$)/;
