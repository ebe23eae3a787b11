import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { browserOf, identifyBrowser } from '../../core/sign-in/browser-id.ts';
import type { Deps } from '../../deps.ts';
import { type Redirect, redirect, redirectOutside } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { beginExternal } from './begin-external.ts';
import { exchangeExternal } from './exchange-external.ts';
import { ExternalSignInFailed, pageOf, refusalOf } from './failure.ts';
import { listLinks, removeLink } from './links.ts';
import { createProviders } from './provider.ts';
import { returnExternal } from './return-external.ts';

/** Signing in to the portal through the organisation's external OpenID provider (decision 088). */
export function externalSignIn(app: FastifyInstance, deps: Deps): void {
  const providers = createProviders(deps);

  implement(app, deps, contract.beginExternalSignIn, ({ query: { orgCode }, ip, wantsPage, cookie, setCookie }) =>
    orPage(wantsPage, async () => {
      const identified = identifyBrowser(deps, cookie);
      const page = await beginExternal(deps, providers, { orgCode, browser: identified.browser, ip });
      setCookie(identified.cookie);
      return redirectOutside(page);
    }),
  );

  implement(app, deps, contract.returnFromProvider, ({ query, ip, userAgent, actor, wantsPage, cookie }) =>
    orPage(wantsPage, async () => {
      const requester = { ip, userAgent };
      const returned = { answer: query, browser: browserOf(deps, cookie), requester, actor };
      const { orgCode, code, approval } = await returnExternal(deps, providers, returned);
      // In the fragment, which no server sees.
      const told = new URLSearchParams({
        code,
        ...(approval && { approval: approval.approvalId, number: approval.matchNumber }),
      });
      return redirect(`/${encodeURIComponent(orgCode)}/sign-in?login=success#${told}`);
    }),
  );

  implement(app, deps, contract.exchangeExternalSignIn, ({ body: { code }, ip, userAgent, actor, cookie }) => {
    return exchangeExternal(deps, { code, browser: browserOf(deps, cookie), ip, userAgent, actor });
  });

  implement(app, deps, contract.listExternalIdentities, ({ target }) => ({ identities: listLinks(deps, target) }));

  implement(app, deps, contract.removeExternalIdentity, (call) => {
    removeLink(deps, call, call.body.id);
    return {};
  });
}

/** A failure is shown to a browser as a page, and returned to a program as a refusal. */
async function orPage(wantsPage: boolean, work: () => Promise<Redirect>): Promise<Redirect> {
  try {
    return await work();
  } catch (reason) {
    if (!(reason instanceof ExternalSignInFailed)) throw reason;
    if (wantsPage) return redirect(pageOf(reason));
    throw refusalOf(reason);
  }
}
