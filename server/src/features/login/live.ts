import { codeOf, loginLive } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { ExchangeTokens } from '../../core/sign-in/challenges/exchange-tokens.ts';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { loginStateOf } from './login-state.ts';
import { requireLogin } from './require-login.ts';

/** Shows a sign-in to its browser, from init to success. */
export function serveLogin(app: FastifyInstance, deps: Deps, tokens: ExchangeTokens): void {
  serveChannel(app, deps, loginLive, {
    open({ query: { loginId } }) {
      requireLogin(deps, loginId);
      return {
        topics: [TOPIC.challenge(loginId)],
        state: () => liveState(deps, tokens, loginId),
      };
    },
  });
}

function liveState(deps: Deps, tokens: ExchangeTokens, loginId: string) {
  const { state, result, deviceName, expiresAt } = loginStateOf(requireLogin(deps, loginId), deps.clock.now());
  const exchangeToken = state === 'success' ? tokens.of(loginId) : undefined;
  return {
    message: { op: 'LOGIN' as const, state, resultCode: codeOf(result), deviceName, exchangeToken },
    expiresAt,
  };
}
