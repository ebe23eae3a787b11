import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { STAGE_APPS } from '../world/demo-world.ts';

export interface AppPerson {
  name: string;
  email: string;
}

type App = (typeof STAGE_APPS)[number];

/** A public client in the browser (OpenID Connect, code with PKCE), as any other application would be one. */
function managerOf({ id, path }: App, orgCode: string): UserManager {
  return new UserManager({
    authority: `${window.location.origin}/oidc/${orgCode}`,
    client_id: id,
    redirect_uri: `${window.location.origin}${path}`,
    scope: 'openid profile email',
    loadUserInfo: true,
    automaticSilentRenew: false,
    // Nothing of it outlives the page: the next scene begins signed out.
    userStore: new WebStorageStateStore({ store: window.sessionStorage }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
}

/** Leaves for the organisation's sign-in page. */
export async function startSignIn(app: App, orgCode: string): Promise<void> {
  await managerOf(app, orgCode).signinRedirect();
}

/** An address is answered once, even if the page asks twice. */
let answeredAddress = '';
let answer: Promise<AppPerson | undefined> = Promise.resolve(undefined);

/** Who has signed in, where the browser has just come back from there; else undefined. */
export function finishSignIn(app: App, orgCode: string): Promise<AppPerson | undefined> {
  const { href, search } = window.location;
  if (href === answeredAddress) return answer;
  if (!new URLSearchParams(search).has('state')) return Promise.resolve(undefined);
  answeredAddress = href;
  answer = managerOf(app, orgCode)
    .signinRedirectCallback(href)
    .then(({ profile }) => ({ name: profile.name ?? profile.sub, email: profile.email ?? '' }));
  return answer;
}
