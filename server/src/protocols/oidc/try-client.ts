import { oidcApplicationRepo } from '@orchestrate/db';
import { authMethodOf } from '@orchestrate/shared';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { callItself } from '../../platform/http/own-call.ts';
import { readBoundedJson } from '../../platform/http/requests/bounded-json.ts';

/** An answer of the provider; `status` is 0 where none came, `body` is undefined unless it is a JSON object. */
export interface Answer {
  status: number;
  body: Record<string, unknown> | undefined;
}

/** Acts as the client that an application would be; it talks to this provider only. */
export interface TryClient {
  ask(address: string, request?: Pick<InjectOptions, 'method' | 'headers'>): Promise<Answer>;
  /** Posts a form as the application: with its newest valid secret, or as a public client. */
  post(address: string, form: Readonly<Record<string, string>>): Promise<Answer>;
  /** How it authenticates. */
  authentication: 'secret' | 'keys' | 'none' | 'expired';
  /** The administrators' name of the secret; '' without one. */
  secretName: string;
}

const json = z.record(z.string(), z.unknown());

/**
 * The requests go through the server's own routes and not over the network: the portal need not be able to reach itself
 * under the name that browsers use.
 */
export function tryClient(
  app: FastifyInstance,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { orgCode, appId }: { orgCode: string; appId: string },
): TryClient {
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  const method = application ? authMethodOf(application) : 'client_secret_basic';
  const secrets = oidcApplicationRepo.listSecretsOfClient(db, orgCode, appId);
  const secret = secrets.find(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  const basic =
    secret && `Basic ${Buffer.from([appId, secret.secret].map(encodeURIComponent).join(':')).toString('base64')}`;

  async function send(address: string, options: InjectOptions): Promise<Answer> {
    const { pathname, search } = new URL(address);
    const answer = await callItself(app, { ...options, url: pathname + search });
    const parsed = json.safeParse(answer && readBoundedJson(answer.body));
    return { status: answer?.statusCode ?? 0, body: parsed.data };
  }

  return {
    ask: (address, request = {}) => send(address, { method: 'GET', ...request }),
    post: (address, form) =>
      send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(basic && { authorization: basic }) },
        payload: String(new URLSearchParams(basic ? form : { ...form, client_id: appId })),
      }),
    authentication: authenticationOf(method, secret !== undefined),
    secretName: secret?.name ?? '',
  };
}

function authenticationOf(method: ReturnType<typeof authMethodOf>, hasSecret: boolean): TryClient['authentication'] {
  if (method === 'private_key_jwt') return 'keys';
  if (method === 'none') return 'none';
  return hasSecret ? 'secret' : 'expired';
}
