import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { refuseField } from '#platform/refusal.ts';
import { recordLabAction } from '../record-in-lab.ts';

/**
 * Registers the routes that issue tokens, and that decode a token or SAML response and report whether a strict client
 * should accept it.
 */
export function tokens(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.inspectToken, async ({ body: { token, nonce } }) => {
    const { inspect } = await import('./inspect.ts');
    const inspected = await inspect(deps, token, nonce);
    if (nonce === undefined || inspected.kind === 'id-token') return inspected;
    const message = 'Only ID tokens have a nonce. Omit it for this token';
    refuseField('nonce', message);
  });

  implement(app, deps, contract.issueTokens, async ({ body, actor }) => {
    const { issue } = await import('./issue.ts');
    const { orgCode, ...issued } = await issue(deps, body);
    recordLabAction(deps, actor, 'lab.tokens-issued', {
      orgCode,
      client: body.client,
      ...(body.as && { email: body.as }),
    });
    return issued;
  });
}
