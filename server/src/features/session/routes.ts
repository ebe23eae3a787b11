import { browserRepo, memberRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { noBrowserCookie, readBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import { browserOf } from '../../core/sign-in/browser-id.ts';
import { profileOf } from '../../core/sign-in/profile-of.ts';
import { endSessions, findSessionOf, refreshSession } from '../../core/sign-in/sessions.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { disownLogin } from './disown-login.ts';
import { endSignIn } from './end-sign-in.ts';
import { signInsOf } from './list-sessions.ts';
import { logoutTogether } from './logout-together.ts';

/** Session and profile, apart from how a session begins. */
export function session(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.refresh, ({ body, ip }) => refreshSession(deps, body.refreshToken, ip));

  implement(app, deps, contract.logout, ({ caller, body, cookie, setCookie }) => {
    endSessions(deps, caller.orgCode, { sid: caller.sid });
    const named = body.refreshToken ? findSessionOf(deps, body.refreshToken) : undefined;
    if (named?.suid === caller.suid) endSessions(deps, caller.orgCode, { sid: named.sid });
    // A person who logs out expects the next one at this browser to have to sign in.
    const browser = readBrowserCookie(deps, cookie, caller.orgCode);
    if (browser) {
      browserRepo.revokeBrowser(deps.db, caller.orgCode, { id: browser.id, suid: caller.suid }, deps.clock.now());
      setCookie(noBrowserCookie(deps, caller.orgCode));
    }
    return { continueAt: logoutTogether(deps, caller, browserOf(deps, cookie)) };
  });

  implement(app, deps, contract.listSessions, ({ caller, target }) => signInsOf(deps, caller, target));

  implement(app, deps, contract.endSession, ({ caller, actor, target, body: { what, id = '' } }) => ({
    ended: endSignIn(deps, { caller, actor }, target, { what, id }),
  }));

  implement(app, deps, contract.disownLogin, ({ caller, actor, body }) =>
    disownLogin(deps, { caller, actor }, body.id),
  );

  implement(app, deps, contract.getProfile, ({ caller }) => ({ profile: profileOf(caller) }));

  implement(app, deps, contract.setLanguage, ({ caller, body: { language } }) => {
    memberRepo.setLanguage(deps.db, caller.orgCode, caller.suid, language);
    return { profile: { ...profileOf(caller), language } };
  });

  app.get('/.well-known/jwks.json', (_request, reply) =>
    // Public keys, readable by every program and page.
    reply
      .headers({ 'cache-control': 'public, max-age=300', 'cross-origin-resource-policy': 'cross-origin' })
      .send(deps.tokens.jwks),
  );
}
