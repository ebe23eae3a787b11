import { type LoginMode, login as loginEntry, loginState } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement, news } from '../../http/implement.ts';
import { appLogin } from './app-login.ts';
import { beginLogin } from './begin-login.ts';
import { exchangeLogin } from './exchange-login.ts';
import { createExchangeTokens } from './exchange-tokens.ts';
import { serveLogin } from './live.ts';
import { type LoginResult, loginStateOf } from './login-state.ts';
import { requireLogin } from './require-login.ts';

/** Signing in: begun in the browser, approved on a device, exchanged for tokens. */
export function login(app: FastifyInstance, deps: Deps): void {
  const tokens = createExchangeTokens(deps);

  implement(app, deps, loginEntry, ({ body, ip, userAgent }) => {
    if ('loginId' in body) return exchangeLogin(deps, tokens, { ...body, ip });
    return news('LOGIN_INIT', beginLogin(deps, body, { ip, userAgent }));
  });

  implement(app, deps, loginState, ({ params: { loginId } }) => {
    const found = requireLogin(deps, loginId);
    const { state, result, deviceName } = loginStateOf(found, deps.clock.now());
    const exchangeToken = state === 'success' ? tokens.of(loginId) : undefined;
    return news(polledResult(result, found.mode), { state, deviceName, exchangeToken });
  });

  serveLogin(app, deps, tokens);
  appLogin(app, deps, tokens);
}

/** Whoever polls is told what has not been done yet. */
function polledResult(
  result: LoginResult,
  mode: LoginMode,
): LoginResult | 'QR_LOGIN_NOT_DONE' | 'TYPE_CODE_LOGIN_NOT_DONE' {
  if (result !== 'LOGIN_INIT') return result;
  return mode === 'DID' ? 'TYPE_CODE_LOGIN_NOT_DONE' : 'QR_LOGIN_NOT_DONE';
}
