import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { news } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { signUp } from './sign-up.ts';
import { verifySignUp } from './verify-sign-up.ts';

/** Joining an organisation without an invitation. */
export function signup(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.signup, ({ body, actor }) => ({
    ...signUp(deps, { ...body, actor }),
    verificationSent: true,
  }));

  implement(app, deps, contract.verifySignup, ({ body, actor }) => {
    verifySignUp(deps, { ...body, actor });
    return news('EMAIL_VERIFIED', {});
  });
}
