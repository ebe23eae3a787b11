import { contract, type LoginMode } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { destinationOf } from '../../core/sign-in/begin/destination.ts';
import { requireOrganisation } from '../../core/sign-in/begin/require-organisation.ts';
import { readBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import { browserOf } from '../../core/sign-in/browser-id.ts';
import { createExchangeTokens } from '../../core/sign-in/challenges/exchange-tokens.ts';
import { withdraw } from '../../core/sign-in/challenges/withdraw.ts';
import { rememberedCookie } from '../../core/sign-in/remember-browser.ts';
import type { Deps } from '../../deps.ts';
import { news } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { appLogin, requireNoConfirmation } from './app-login.ts';
import { approveLoginByPasskey } from './approve-by-passkey.ts';
import { beginLogin } from './begin-login.ts';
import { beginRemembered } from './begin-remembered.ts';
import { browsers } from './browsers.ts';
import { exchangeLogin } from './exchange-login.ts';
import { serveLogin } from './live.ts';
import { type LoginResult, loginStateOf } from './login-state.ts';
import { requireLogin } from './require-login.ts';

/** Signing in: begun in the browser, approved on a device, exchanged for tokens. */
export function login(app: FastifyInstance, deps: Deps): void {
  const tokens = createExchangeTokens(deps);

  implement(app, deps, contract.login, ({ body, ip, userAgent, cookie, setCookie }) => {
    const requester = { ip, userAgent, browser: browserOf(deps, cookie) };
    if ('loginId' in body) {
      const { orgCode, joined, remembered, ...state } = exchangeLogin(deps, tokens, { ...body, ...requester, cookie });
      if (remembered) setCookie(rememberedCookie(deps, orgCode, remembered));
      setCookie(joined);
      return { ...state, rememberedUntil: remembered && isoOf(remembered.expiresAt) };
    }
    const { mode } = body;
    if (mode !== 'COOKIE') return news('LOGIN_INIT', beginLogin(deps, { ...body, mode }, requester));
    const { orgCode, appLoginId, confirmed } = body;
    if (orgCode === undefined) throw new Refusal('ORG_MISSING');
    const organisation = requireOrganisation(deps, orgCode, requester);
    const destination = destinationOf(deps, organisation, body, requester);
    if (appLoginId !== undefined && !confirmed) {
      requireNoConfirmation(deps, { ...requester, id: appLoginId }, cookie);
    }
    const shown = readBrowserCookie(deps, cookie, orgCode);
    const { loginId, remembered } = beginRemembered(deps, organisation, destination, shown, requester);
    if (remembered) setCookie(rememberedCookie(deps, orgCode, remembered));
    return news('LOGIN_SUCCESS', { loginId, mode: 'COOKIE', exchangeToken: tokens.of(loginId) });
  });

  implement(app, deps, contract.loginState, ({ params: { loginId } }) => {
    const found = requireLogin(deps, loginId);
    const { state, result, deviceName } = loginStateOf(found, deps.clock.now());
    const exchangeToken = state === 'success' ? tokens.of(loginId) : undefined;
    return news(polledResult(result, found.mode), { state, deviceName, exchangeToken });
  });

  implement(app, deps, contract.withdrawLogin, ({ body: { loginId } }) => {
    withdraw(deps, requireLogin(deps, loginId).orgCode, loginId);
    return {};
  });

  implement(app, deps, contract.approveByPasskey, async ({ body: { loginId, credential }, ip, cookie }) => {
    const browser = browserOf(deps, cookie);
    const { deviceName } = await approveLoginByPasskey(deps, { loginId, assertion: credential, ip, browser });
    return news('LOGIN_SUCCESS', { exchangeToken: tokens.of(loginId), deviceName });
  });

  serveLogin(app, deps, tokens);
  appLogin(app, deps, tokens);
  browsers(app, deps);
}

/** Callers that poll are told what has not been done yet. */
function polledResult(
  result: LoginResult,
  mode: LoginMode,
): LoginResult | 'QR_LOGIN_NOT_DONE' | 'TYPE_CODE_LOGIN_NOT_DONE' {
  if (result !== 'LOGIN_INIT' || mode === 'WEBAUTHN') return result;
  return mode === 'DID' ? 'TYPE_CODE_LOGIN_NOT_DONE' : 'QR_LOGIN_NOT_DONE';
}
