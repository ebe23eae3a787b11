import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS, text } from '@orchestrate/shared';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { refusalOf } from '#platform/http/answers/answer-error.ts';
import { writeLimit } from '#platform/http/callers/rate-limit.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { isRequestedByPage } from '#protocols/oidc/http/discovery.ts';
import { refuseOAuth } from '#protocols/oidc/http/oauth-error.ts';
import { ClientMetadataError } from './client-metadata.ts';
import { deleteClient, readClient, registerClient, updateClient } from './register-client.ts';
import { useRegistrationToken } from './registration-tokens.ts';

interface OfClient {
  Params: { orgCode: string; appId: string };
}

/**
 * Registers the endpoints for dynamic client registration (RFC 7591, OpenID Connect Dynamic Client Registration 1.0),
 * which requires an administrator's token, and for client management (RFC 7592).
 */
export function registration(app: FastifyInstance, deps: Deps): void {
  const scope: FastifyPluginAsync = async (at) => {
    at.setErrorHandler((reason, request, reply) => refuse(deps, reason, request, reply));
    at.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      // Browser clients can register from any origin, because registration doesn't use cookies.
      if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*');
    });
    const limited = { bodyLimit: LIMITS.publicBodyBytes, ...writeLimit(at, deps.config) };

    for (const url of ['', '/:appId']) {
      at.options(url, async (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
          .header('access-control-allow-headers', 'authorization, content-type')
          .send(),
      );
    }
    // Returns the same origin as the registration endpoint in discovery.
    const originFor = (headers: IncomingHttpHeaders) =>
      isRequestedByPage(headers) ? deps.publicUrl : (deps.backchannelUrl ?? deps.publicUrl);
    const registeredOf = ({ params, headers }: FastifyRequest<OfClient>) => ({
      ...params,
      origin: originFor(headers),
      access: tokenOf(headers),
    });

    at.post<{ Params: { orgCode: string } }>('', limited, async ({ params, body, ip, headers }, reply) => {
      const { orgCode } = params;
      const token = useRegistrationToken(deps, orgCode, tokenOf(headers));
      if (!token) throw new InvalidToken();
      return reply.code(201).send(registerClient(deps, { origin: originFor(headers), orgCode, ip, body }, token.name));
    });
    at.get<OfClient>('/:appId', async (request) => requireClient(readClient(deps, registeredOf(request))));
    at.put<OfClient>('/:appId', limited, async (request) =>
      requireClient(updateClient(deps, registeredOf(request), { ip: request.ip, body: request.body })),
    );
    at.delete<OfClient>('/:appId', limited, async (request, reply) => {
      if (!deleteClient(deps, registeredOf(request), request.ip)) throw new InvalidToken();
      return reply.code(204).send();
    });
  };
  app.register(scope, { prefix: `${oidcPath(':orgCode')}/reg` });
}

/** Thrown if the token is missing, wrong or issued for another purpose (RFC 6750 §3.1). */
class InvalidToken extends Error {}

function requireClient(information: object | undefined): object {
  if (information === undefined) throw new InvalidToken();
  return information;
}

const tokenOf = ({ authorization = '' }: { authorization?: string | undefined }): string =>
  bearer.safeParse(/^bearer +(\S+)$/i.exec(authorization.trim())?.[1]).data ?? '';
const bearer = text(500);

/** Sends an error in the RFC 7591 §3.2.2 format. */
function refuse(deps: Deps, reason: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (reason instanceof InvalidToken) {
    const error = 'invalid_token';
    return reply
      .code(401)
      .header('www-authenticate', `Bearer error="${error}"`)
      .send({ error, error_description: 'the token is missing, not valid, or for another client' });
  }
  const [issue] = reason instanceof Refusal ? (reason.issues ?? []) : [];
  const bad = issue ? ClientMetadataError.from(issue) : reason;
  if (bad instanceof ClientMetadataError) {
    return reply.code(400).send({ error: bad.error, error_description: bad.message });
  }
  const { status, description } = clientErrorOf(deps, reason, request);
  if (status === undefined || status === 401 || status === 429 || status >= 500) {
    return refuseOAuth(deps, reason, request, reply);
  }
  return reply.code(status).send({ error: 'invalid_client_metadata', error_description: description });
}

const withStatus = z.object({ statusCode: z.number().min(400).max(499) });

/**
 * Returns the status and description of a refusal by the portal or of an error from the body parser. Returns an empty
 * object for a bug in the portal.
 */
function clientErrorOf(
  deps: Deps,
  reason: unknown,
  request: FastifyRequest,
): { status?: number; description?: string } {
  if (reason instanceof Refusal) return { status: reason.status ?? 400, description: reason.message };
  const { data } = withStatus.safeParse(reason);
  return data ? { status: data.statusCode, description: refusalOf(deps, reason, request).message } : {};
}
