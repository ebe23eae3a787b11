import { appLoginRepo, organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { requireAppLogin } from '../../core/sign-in/app-logins/require-app-login.ts';
import { browserSignIns } from '../../core/sign-in/browser-sign-ins.ts';
import { claimApproved } from '../../core/sign-in/challenges/exchange.ts';
import type { ExchangeTokens } from '../../core/sign-in/challenges/exchange-tokens.ts';
import { loginPolicyOf } from '../../core/sign-in/login-policy.ts';
import { rememberedCookie } from '../../core/sign-in/remember-browser.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { continuePath } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { rememberAfter } from './exchange-login.ts';

/** Signing in to an application: what the sign-in page is told, and the way back once somebody has signed in. */
export function appLogin(app: FastifyInstance, deps: Deps, tokens: ExchangeTokens): void {
  implement(app, deps, contract.getAppLogin, ({ params: { appLoginId } }) => {
    const { appLogin: found, application } = requireAppLogin(deps, appLoginId);
    const organisation = organisationRepo.findOrganisation(deps.db, found.orgCode);
    if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
    const { didEnabled, webAuthnEnabled } = loginPolicyOf(organisation, application);
    return {
      orgCode: found.orgCode,
      appName: application.name,
      didEnabled,
      webAuthnEnabled,
      loginHint: found.loginHint,
      expiresAt: isoOf(found.expiresAt),
    };
  });

  implement(
    app,
    deps,
    contract.completeAppLogin,
    ({ params: { appLoginId }, body, ip, userAgent, cookie, setCookie }) => {
      const request = { ...body, ip, userAgent, cookie };
      const { orgCode, protocol, remembered, joined } = deps.db.transaction((tx) => {
        const signIn = claimApproved(deps, tx, tokens, request, 'app-login');
        const { mode, suid, zid } = signIn;
        if (signIn.appLoginId !== appLoginId) throw new Refusal('EXPIRED');
        const { browser, cookie: joined } = browserSignIns(deps, cookie, signIn.orgCode);
        const person = { suid, zid, mode, browser };
        const completed = appLoginRepo.authenticateAppLogin(tx, appLoginId, person, deps.clock.now());
        // What RADIUS and LDAP have begun ends there: no browser goes on with it.
        const protocol = completed?.protocol;
        if (protocol !== 'oidc' && protocol !== 'saml') throw new Refusal('EXPIRED');
        const remembered = rememberAfter(deps, tx, signIn, { ...request, browser });
        return { orgCode: signIn.orgCode, protocol, joined, remembered };
      });
      if (remembered) setCookie(rememberedCookie(deps, orgCode, remembered));
      setCookie(joined);
      const rememberedUntil = remembered && isoOf(remembered.expiresAt);
      return { redirectTo: `${continuePath(protocol, orgCode)}?id=${encodeURIComponent(appLoginId)}`, rememberedUntil };
    },
  );
}
