import assert from 'node:assert/strict';
import type { Browser, BrowserOptions, Page, Portal } from '@orchestrate/server/testing-api';
import type { JournalEntry } from '@orchestrate/shared';
import type { OidcClient, OidcFlow, OidcSettings, ResourceFlow } from './foreign-client.ts';

/** Email address of a demo user with a phone. */
export const PERSON_EMAIL = 'user@acme.test';
const TOKEN = '/oidc/acme/token';
const AUTHORIZE = '/oidc/acme/auth';

/** A running client and its portal. */
export interface OidcStage {
  portal: Portal;
  client: OidcClient;
  url: string;
  /** Restarts the client with other settings. */
  restart(settings: Partial<OidcSettings>): Promise<void>;
}

async function signIn({ portal, client, url }: OidcStage, options: BrowserOptions = {}) {
  const browser = portal.browser({ as: PERSON_EMAIL, ...options });
  const page = await (client.signIn?.(browser, url) ?? browser.open(`${url}/login`));
  return { browser, page };
}

export async function requireSignedIn(browser: Browser, url: string, last: Page): Promise<void> {
  const me = await browser.open(`${url}/me`);
  const found = `/me returned ${me.status} ${excerptOf(me)}; the sign-in ended at ${last.url.pathname} with ${last.status} ${excerptOf(last)}`;
  assert.ok(me.status === 200 && me.text.includes(PERSON_EMAIL), found);
}

export async function requireSignedOut(browser: Browser, url: string): Promise<void> {
  const me = await browser.open(`${url}/me`);
  assert.ok(me.url.origin === url && !me.text.includes(PERSON_EMAIL), `/me returned ${me.status} ${excerptOf(me)}`);
}

/** Throws unless the client reports an error and has no session. */
export async function requireRefusal(browser: Browser, url: string, page: Page): Promise<void> {
  assert.equal(page.url.origin, url, `the browser is at ${page.url}`);
  const hasReported = page.status >= 400 || /error|exception/i.test(page.url.search + excerptOf(page));
  assert.ok(hasReported, `the client reports no error: ${page.status} ${excerptOf(page)}`);
  await requireSignedOut(browser, url);
}

/** Returns the beginning of a page's text, without markup. */
export const excerptOf = ({ text }: Page): string =>
  text
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** Returns the query parameters of a request in the journal. */
export const queryOf = (entry: JournalEntry): Record<string, unknown> =>
  entry.kind === 'http' && typeof entry.query === 'object' ? { ...entry.query } : {};

async function signedIn(stage: OidcStage): Promise<Browser> {
  const { browser, page } = await signIn(stage);
  await requireSignedIn(browser, stage.url, page);
  return browser;
}

export const oidcFlows: Record<OidcFlow, (stage: OidcStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    await signedIn(stage);
    await stage.portal.verify({ method: 'POST', path: TOKEN, count: 1 });
  },
  async PKCE(stage) {
    await signedIn(stage);
    const entries = await stage.portal.journal({ path: AUTHORIZE });
    assert.deepEqual(
      entries.map((entry) => queryOf(entry).code_challenge_method),
      ['S256'],
    );
  },
  async 'denied on the phone'(stage) {
    const { browser, page } = await signIn(stage, { answer: 'deny' });
    assert.equal(page.url.href.split('?')[0], `${stage.portal.url}/acme/sign-in`);
    await requireSignedOut(browser, stage.url);
  },
  async access_denied(stage) {
    await stage.portal.fault({ match: { path: AUTHORIZE }, answer: { oauthError: 'access_denied' } });
    const { browser, page } = await signIn(stage);
    await requireRefusal(browser, stage.url, page);
    await stage.portal.verify({ path: AUTHORIZE, count: 1 });
  },
  async 'invalid ID token'(stage) {
    await stage.portal.fault({ match: { path: TOKEN }, answer: { token: 'wrong-audience' } });
    const { browser, page } = await signIn(stage);
    await requireRefusal(browser, stage.url, page);
    await stage.portal.verify({ method: 'POST', path: TOKEN, count: 1 });
  },
  async userinfo(stage) {
    const browser = await signedIn(stage);
    const { text } = await browser.open(`${stage.url}/userinfo`);
    assert.match(text, /Daniel/);
    await stage.portal.verify({ path: '/oidc/acme/me', atLeast: 1 });
  },
  async refresh(stage) {
    const browser = await signedIn(stage);
    const page = await browser.open(`${stage.url}/refresh`);
    assert.equal(page.status, 200, excerptOf(page));
    await stage.portal.verify({ method: 'POST', path: TOKEN, count: 2 });
    await requireSignedIn(browser, stage.url, page);
  },
  async revocation(stage) {
    const browser = await signedIn(stage);
    const page = await browser.open(`${stage.url}/revoke`);
    assert.equal(page.status, 200, excerptOf(page));
    await stage.portal.verify({ method: 'POST', path: '/oidc/acme/token/revocation', count: 2 });
    const refreshed = await browser.open(`${stage.url}/refresh`);
    assert.equal(refreshed.status, 401, excerptOf(refreshed));
  },
  async logout(stage) {
    const { portal, url } = stage;
    const browser = await signedIn(stage);
    const page = await browser.open(`${url}/logout`);
    assert.equal(page.url.origin, url, `the browser is at ${page.url}: ${excerptOf(page)}`);
    await requireSignedOut(browser, url);
    // The portal's session must have ended too: the next sign-in has to send the phone another request.
    await portal.emptyJournal();
    await (stage.client.signIn?.(browser, url) ?? browser.open(`${url}/login`));
    await portal.verify({ path: '/api/user/login', count: 1 });
  },
  async 'wrong secret'(stage) {
    await stage.restart({ clientSecret: 'a-secret-that-is-wrong' });
    const { browser, page } = await signIn(stage);
    await requireRefusal(browser, stage.url, page);
    await stage.portal.verify({ method: 'POST', path: TOKEN, atLeast: 1 });
  },
};

/** A running service, and a client that calls it. */
export interface ResourceStage {
  portal: Portal;
  caller: OidcSettings;
  url: string;
}

/** Posts a form to one of the portal's endpoints as the calling client. */
function post(
  { caller: { issuer, clientId, clientSecret } }: ResourceStage,
  path: string,
  form: Record<string, string>,
) {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return fetch(`${issuer}/${path}`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
}

async function accessToken(stage: ResourceStage): Promise<string> {
  const answer = await post(stage, 'token', { grant_type: 'client_credentials' });
  const { access_token: token } = await answer.json();
  return String(token);
}

async function callApi({ url }: ResourceStage, token?: string) {
  const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
  const answer = await fetch(`${url}/api`, { headers });
  return { status: answer.status, text: await answer.text(), challenge: answer.headers.get('www-authenticate') };
}

export const resourceFlows: Record<ResourceFlow, (stage: ResourceStage) => Promise<void>> = {
  async 'accepts a token'(stage) {
    const { status, text } = await callApi(stage, await accessToken(stage));
    assert.ok(status === 200 && text.includes(stage.caller.clientId), `${status} ${text}`);
    await stage.portal.verify({ method: 'POST', path: '/oidc/acme/token/introspection', count: 1 });
  },
  async 'rejects other tokens'(stage) {
    for (const token of [undefined, 'of-nobody', `${await accessToken(stage)}x`]) {
      const { status, challenge } = await callApi(stage, token);
      assert.equal(status, 401);
      assert.match(challenge ?? '', /^Bearer/);
    }
  },
  async 'rejects a revoked token'(stage) {
    const token = await accessToken(stage);
    assert.equal((await post(stage, 'token/revocation', { token })).status, 200);
    assert.equal((await callApi(stage, token)).status, 401);
  },
};
