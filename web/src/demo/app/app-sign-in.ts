import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { DEMO_APPS } from '../world/demo-world.ts';

export interface AppUser {
  name: string;
  email: string;
}

type App = (typeof DEMO_APPS)[number];

/** Creates a public OpenID Connect client for the browser (authorization code with PKCE). */
function managerOf({ id, path }: App, orgCode: string): UserManager {
  return new UserManager({
    authority: `${window.location.origin}/oidc/${orgCode}`,
    client_id: id,
    redirect_uri: `${window.location.origin}${path}`,
    scope: 'openid profile email',
    loadUserInfo: true,
    automaticSilentRenew: false,
    // Use session storage to make the next scene start signed out.
    userStore: new WebStorageStateStore({ store: window.sessionStorage }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
}

/** Redirects to the organisation's sign-in page. */
export async function startSignIn(app: App, orgCode: string): Promise<void> {
  await managerOf(app, orgCode).signinRedirect();
}

/** URL of the last processed response. A code can be redeemed only once, even if the page renders twice. */
let answeredAddress = '';
let answer: Promise<AppUser | undefined> = Promise.resolve(undefined);

/** Returns the signed-in user if the current URL is a sign-in response. */
export function finishSignIn(app: App, orgCode: string): Promise<AppUser | undefined> {
  const { href, search } = window.location;
  if (href === answeredAddress) return answer;
  if (!new URLSearchParams(search).has('state')) return Promise.resolve(undefined);
  answeredAddress = href;
  answer = managerOf(app, orgCode)
    .signinRedirectCallback(href)
    .then(({ profile }) => ({ name: profile.name ?? profile.sub, email: profile.email ?? '' }));
  return answer;
}
