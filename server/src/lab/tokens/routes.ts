import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inspectJwt, isJwt } from './inspect-jwt.ts';
import { inspectSaml, samlIn } from './inspect-saml.ts';

/** The token desk: what is inside a token or SAML response, and whether a careful client would take it. */
export function tokens(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.inspectToken, async ({ body: { token, nonce } }) => {
    const inspected = await inspect(deps, token, nonce);
    if (nonce === undefined || inspected.kind === 'id-token') return inspected;
    const message = 'Only an ID token has a nonce, and this is none: leave it out';
    throw new Refusal('INVALID_REQUEST', { message, issues: [{ path: 'nonce', message }] });
  });
}

/** @throws Refusal INVALID_REQUEST where it is nothing of the kind */
async function inspect(deps: Deps, token: string, nonce: string | undefined) {
  if (isJwt(token)) return inspectJwt(deps, token, nonce);
  const xml = samlIn(token);
  if (xml !== undefined) return inspectSaml(deps, xml);
  const message = 'This is neither a JSON Web Token nor a SAML response';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'token', message }] });
}
