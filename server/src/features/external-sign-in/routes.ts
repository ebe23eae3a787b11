import { beginExternalSignIn, exchangeExternalSignIn, returnFromProvider, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement, type Redirect, redirect, redirectOutside } from '../../http/implement.ts';
import { beginExternal, LIFETIME } from './begin-external.ts';
import { browserSecretCookie, readBrowserSecret } from './browser-secret.ts';
import { exchangeExternal } from './exchange-external.ts';
import { ExternalSignInFailed, pageOf, refusalOf } from './failure.ts';
import { createProviders } from './provider.ts';
import { returnExternal } from './return-external.ts';

/** Signing in to the portal through the organisation's external OpenID provider (decision 124). */
export function externalSignIn(app: FastifyInstance, deps: Deps): void {
  const providers = createProviders(deps);

  implement(app, deps, beginExternalSignIn, ({ query: { orgCode }, ip, wantsPage, cookie, setCookie }) =>
    orPage(wantsPage, async () => {
      const browserSecret = readBrowserSecret(deps, cookie) ?? deps.random.secret();
      const page = await beginExternal(deps, providers, { orgCode, browserSecret, ip });
      setCookie(browserSecretCookie(deps, browserSecret, LIFETIME / SECOND));
      return redirectOutside(page);
    }),
  );

  implement(app, deps, returnFromProvider, ({ query, ip, wantsPage, cookie }) =>
    orPage(wantsPage, async () => {
      const returned = { answer: query, browserSecret: readBrowserSecret(deps, cookie), ip };
      const { orgCode, code } = await returnExternal(deps, providers, returned);
      return redirect(`/${encodeURIComponent(orgCode)}/sign-in?login=success#code=${code}`);
    }),
  );

  implement(app, deps, exchangeExternalSignIn, ({ body: { code }, ip, cookie }) =>
    exchangeExternal(deps, { code, browserSecret: readBrowserSecret(deps, cookie), ip }),
  );
}

/** A browser is shown why nobody was signed in, a program is told. */
async function orPage(wantsPage: boolean, work: () => Promise<Redirect>): Promise<Redirect> {
  try {
    return await work();
  } catch (reason) {
    if (!(reason instanceof ExternalSignInFailed)) throw reason;
    if (wantsPage) return redirect(pageOf(reason));
    throw refusalOf(reason);
  }
}
