import type { IncomingMessage } from 'node:http';
import { resultOf } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { refusalOf } from '#platform/http/answers/answer-error.ts';
import { refusalReasons } from '#platform/journal.ts';
import { errorPage } from './pages.ts';
import { sendOidcPage } from './send-page.ts';

/** Requests for which the lab requires a DPoP nonce. */
export const NEEDS_NONCE = new WeakSet<IncomingMessage>();

interface OAuthError {
  status: number;
  error: string;
  description: string;
}

/** Errors about an access token, for which the authentication scheme is sent with any status (RFC 6750 §3). */
const TOKEN_ERRORS = ['invalid_token', 'insufficient_scope'];
/** Errors about a DPoP proof (RFC 9449 §7.1 and §9). */
const PROOF_ERRORS = ['invalid_dpop_proof', 'use_dpop_nonce'];

/** Sends an OAuth error (RFC 6749 §5.2). A 401 includes the authentication scheme. */
export function sendOAuthError(
  reply: FastifyReply,
  issuer: string,
  { status, error, description }: OAuthError,
): FastifyReply {
  const isAboutToken = TOKEN_ERRORS.includes(error);
  if (status === 401 || isAboutToken) {
    const scheme = PROOF_ERRORS.includes(error) ? 'DPoP' : isAboutToken ? 'Bearer' : 'Basic';
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
  refusalReasons.set(request.raw, description);
  if (request.headers.accept?.includes('text/html')) {
    return sendOidcPage(reply, status, errorPage({ error, error_description: description }));
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
