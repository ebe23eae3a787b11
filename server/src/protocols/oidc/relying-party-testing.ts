import { clientSecretRepo } from '@orchestrate/db';
import { createApp, type InputOf } from '@orchestrate/shared';
import * as client from 'openid-client';
import { type TestBrowser, testBrowser } from '#testing/browser.ts';
import type { TestPortal } from '#testing/test-portal.ts';

export const USER = 'user@acme.test';
/** A seeded application and its redirect URI. It remembers browsers for eight hours. */
export const WIKI = { orgCode: 'acme', appId: 'team-wiki', callback: 'http://localhost:8080/oidc/callback' };
export const SCOPE = 'openid profile email offline_access';

export interface RelyingPartyOptions {
  orgCode?: string;
  appId?: string;
  /** Client authentication. Defaults to the newest secret in the Authorization header. */
  auth?: client.ClientAuth;
}

/** Returns an independent client library, configured only with an issuer, client ID and secret. */
export function relyingParty(
  portal: TestPortal,
  {
    orgCode = WIKI.orgCode,
    appId = WIKI.appId,
    auth = client.ClientSecretBasic(secretOf(portal, appId)),
  }: RelyingPartyOptions = {},
): Promise<client.Configuration> {
  const issuer = new URL(`${portal.url}/oidc/${orgCode}`);
  return client.discovery(issuer, appId, undefined, auth, { execute: [client.allowInsecureRequests] });
}

/** Returns an application's newest secret. */
export const secretOf = ({ deps }: TestPortal, appId: string, orgCode = 'acme'): string =>
  clientSecretRepo.listClientSecrets(deps.db, orgCode, appId)[0]?.secret ?? '';

export interface Authorization {
  /** Redirect URI that the client received with the response, or the portal URL that shows the error. */
  callback: URL;
  verifier: string;
}

/**
 * Sends a browser to the provider and back.
 * @param params added to the default parameters, or replacing them
 */
export async function authorize(
  config: client.Configuration,
  browser: TestBrowser,
  params: Record<string, string> = {},
): Promise<Authorization> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: WIKI.callback,
    scope: SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...params,
  });
  return { callback: (await browser.open(url)).url, verifier };
}

/** Exchanges an authorization's code for tokens. */
export const exchange = (config: client.Configuration, { callback, verifier }: Authorization) =>
  client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier });

/** Signs the user in to the wiki and returns the tokens. */
export async function signInToWiki(portal: TestPortal, params?: Record<string, string>) {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, USER);
  const tokens = await exchange(config, await authorize(config, browser, params));
  return { config, browser, tokens };
}

/** Returns the OAuth error code of a rejected call. */
export async function errorOf(call: Promise<unknown>): Promise<string> {
  const reason: unknown = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (reason instanceof client.ResponseBodyError || reason instanceof client.AuthorizationResponseError) {
    return reason.error;
  }
  if (reason instanceof client.WWWAuthenticateChallengeError) {
    return reason.cause[0]?.parameters.error ?? 'no error named';
  }
  throw new Error('Expected the call to fail with an OAuth error.', { cause: reason });
}

type Clients = NonNullable<NonNullable<InputOf<typeof createApp>['body']>['oidcConfiguration']>['clients'];

const ADDRESSES = {
  redirect_uris: ['http://localhost:8080/oidc/callback'],
  post_logout_redirect_uris: ['http://localhost:8080/'],
};

/** Creates an application through the portal, as an administrator would. */
export async function createApplication(
  portal: TestPortal,
  token: string,
  name: string,
  clients: Clients,
  orgCode = 'acme',
) {
  const addresses = clients.kind === 'machine' ? {} : ADDRESSES;
  const body = { orgCode, name, oidcConfiguration: { clients: { ...addresses, ...clients } } };
  const { body: answer } = await portal.call(createApp, { params: { orgCode }, body }, { token });
  return answer.app;
}
