import { inflateRawSync } from 'node:zlib';
import { getLoginHistory, type InputOf, login, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  authorize,
  createApplication,
  errorOf,
  exchange,
  relyingParty,
  WIKI,
} from '#protocols/oidc/relying-party-testing.ts';
import { setScene } from '#protocols/saml/service-provider-testing.ts';
import { browserCookieIn, signInAt, type TestBrowser, testBrowser } from '#testing/browser.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const NOA = 'noa.berg@consulting.test';
const PAYROLL = { appId: 'payroll', callback: 'https://payroll.acme.test/callback' };
const FROM_ANOTHER_SITE = { 'sec-fetch-site': 'cross-site', 'user-agent': 'Mozilla/5.0' };

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

async function changePayroll(body: InputOf<typeof updateApp>['body']): Promise<void> {
  const admin = await portal.signIn('super.admin@acme.test');
  const { status } = await portal.call(updateApp, { params: { orgCode: 'acme', appId: PAYROLL.appId }, body }, admin);
  expect(status).toBe(200);
}

/** Returns a browser that remembers its member and has signed in to the portal without a device. */
async function rememberedBrowser(email = USER, orgCode = 'acme'): Promise<TestBrowser> {
  const browser = testBrowser(portal, email);
  const started = await beginQr(portal, orgCode);
  const exchangeToken = await approveQr(portal, portal.device(email), started);
  const answer = await browser.agent.post('/api/user/login').send({ loginId: started.loginId, exchangeToken });
  expect(answer.body.rememberedUntil).toBeDefined();
  return browser;
}

/** Attempts every step of the sign-in page in a browser that followed a link to another browser's sign-in. */
async function followLink({ agent }: TestBrowser, page: URL): Promise<void> {
  const [, orgCode] = page.pathname.split('/');
  const appLoginId = page.searchParams.get('app') ?? '';
  const refused = { resultName: 'ID_DOESNOT_EXIST' };
  expect((await agent.get(`/api/user/app-login/${appLoginId}`)).body).toMatchObject(refused);
  for (const mode of ['COOKIE', 'QID', 'DID', 'WEBAUTHN', 'PUSH']) {
    const person = mode === 'PUSH' ? { primaryAttr: USER } : {};
    const body = { orgCode, mode, appLoginId, confirmed: true, ...person };
    expect((await agent.post('/api/user/login').send(body)).body).toMatchObject(refused);
  }
}

describe('a sign-in started in another browser', () => {
  // covers: security T1, security 10.1.2
  test('can’t be seen or joined at an OpenID application, and yields no code', async () => {
    const attacker = testBrowser(portal);
    const { callback: page } = await authorize(await relyingParty(portal), attacker);
    await followLink(await rememberedBrowser(), page);
    const { status, text } = await attacker.open(`/oidc/acme/continue?id=${page.searchParams.get('app')}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('started in another browser') });
  });

  test('can’t be completed with an approval from another browser', async () => {
    const attacker = testBrowser(portal);
    const { callback: page } = await authorize(await relyingParty(portal), attacker);
    const appLoginId = page.searchParams.get('app') ?? '';
    const victim = await rememberedBrowser();
    const started = await attacker.agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'QID', appLoginId });
    const exchangeToken = await approveQr(portal, portal.device(USER), started.body);
    const body = { loginId: started.body.loginId, exchangeToken };
    const completed = await victim.agent.post(`/api/user/app-login/${appLoginId}`).send(body);
    expect(completed.body.resultName).toBe('ID_DOESNOT_EXIST');
  });

  test('can’t be seen or joined at a SAML application, and yields no assertion', async () => {
    const scene = await setScene(portal.clock.now());
    const own = portal;
    portal = scene.portal;
    await own.close();
    const provider = await scene.provider();
    const { url: page } = await scene.browser.open(await provider.getAuthorizeUrlAsync('', undefined, {}));
    await followLink(await rememberedBrowser(), page);
    expect((await scene.browser.open(`/saml/acme/continue?id=${page.searchParams.get('app')}`)).status).toBe(400);
  });

  test('doesn’t create a portal session through another provider', async () => {
    const attacker = testBrowser(portal);
    const atGlobex = await attacker.walk('/api/oidc/login?orgCode=acme');
    expect(atGlobex.pathname).toBe('/globex/sign-in');
    await followLink(testBrowser(portal), atGlobex);
    const end = await attacker.open(`/oidc/globex/continue?id=${atGlobex.searchParams.get('app')}`);
    expect(end.status).toBe(400);
  });

  test('doesn’t approve a device authorisation request', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    const addresses = { redirect_uris: [], post_logout_redirect_uris: [] };
    await createApplication(portal, token, 'Television', { kind: 'native', ...addresses });
    const config = await relyingParty(portal, { appId: 'television', auth: client.None() });
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const attacker = testBrowser(portal);
    const confirmPage = await attacker.submit(await attacker.open('/oidc/acme/device'), {
      user_code: device.user_code,
    });
    const { url: page } = await attacker.submit(confirmPage, { confirm: 'yes' });
    await followLink(await rememberedBrowser(), page);
    const grant = 'urn:ietf:params:oauth:grant-type:device_code';
    const poll = client.genericGrantRequest(config, grant, { device_code: device.device_code });
    expect(await errorOf(poll)).toBe('authorization_pending');
  });

  test('is rejected with a forged cookie', async () => {
    const { callback: page } = await authorize(await relyingParty(portal), testBrowser(portal));
    const guesser = testBrowser(portal);
    guesser.agent.set('cookie', `browser_id=${'a'.repeat(43)}`);
    await followLink(guesser, page);
  });
});

test('lets only the browser that started a logout follow it', async () => {
  // Nothing listens on this port, so the page has a failure to report.
  await changePayroll({ oidcConfiguration: { clients: { backchannel_logout_uri: 'http://localhost:9/' } } });
  const browser = testBrowser(portal, USER);
  const wiki = await relyingParty(portal);
  const tokens = await exchange(wiki, await authorize(wiki, browser));
  const payroll = await relyingParty(portal, { appId: PAYROLL.appId });
  await authorize(payroll, browser, { redirect_uri: PAYROLL.callback });
  const page = await browser.open(client.buildEndSessionUrl(wiki, { id_token_hint: tokens.id_token ?? '' }));
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
  const sent = await browser.agent
    .post(new URL(action, portal.url).pathname)
    .type('form')
    .send({ xsrf, logout: 'yes' });
  const { location = '' } = sent.headers;
  expect(location).toMatch(/^\/logout\/acme\//);
  for (const path of [location, `${location}/end`]) {
    const elsewhere = await testBrowser(portal).open(path);
    expect({ status: elsewhere.status, text: elsewhere.text }).toEqual({
      status: 400,
      text: expect.stringContaining('started in another browser'),
    });
  }
  expect((await browser.open(location)).status).toBe(200);
});

describe('a form posted by another site', () => {
  /** Browsers omit `SameSite=Lax` cookies from cross-site form posts. */
  async function post(scene: Awaited<ReturnType<typeof setScene>>) {
    const address = new URL(await (await scene.provider()).getAuthorizeUrlAsync('', undefined, {}));
    const deflated = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64');
    const SAMLRequest = inflateRawSync(deflated).toString('base64');
    const path = `/saml/acme/${scene.appId}/sso`;
    return portal.http.post(path).type('form').set(FROM_ANOTHER_SITE).send({ SAMLRequest });
  }

  test('starts a SAML sign-in only in a browser that already has a cookie', async () => {
    const scene = await setScene(portal.clock.now());
    await portal.close();
    portal = scene.portal;
    const browser = await rememberedBrowser();
    const { status, headers } = await post(scene);
    expect({ status, location: headers.location }).toEqual({
      status: 302,
      location: expect.stringMatching(/^\/saml\/acme\/continue\?id=.*start/),
    });
    const location = headers.location ?? '';
    expect((await testBrowser(portal).open(location)).status).toBe(400);
    const [started] = [headers['set-cookie'] ?? []].flat();
    browser.agent.jar.setCookies([String(started)], 'localhost', '/');
    const before = browser.agent.jar.getCookies({ domain: 'localhost', path: '/', secure: false, script: false });
    const [known] = before.map(({ name, value }) => `${name}=${value}`).filter((pair) => pair.startsWith('browser_id'));
    const taken = await browser.agent.get(location);
    expect(taken.headers.location).toMatch(/^\/acme\/sign-in\?app=/);
    expect(browserCookieIn(taken)).toBe(known);
    const page = new URL(taken.headers.location ?? '', portal.url);
    const back = await browser.open(await signInAt(portal, portal.device(USER), page, browser.agent));
    expect(back.text).toContain('SAMLResponse');
  });
});

describe('a remembered browser sent to an application by another site', () => {
  beforeEach(() => changePayroll({ maxCookieLife: 28_800 }));

  const addressOf = async (appId: string, redirect_uri: string, more: Record<string, string> = {}) => {
    const config = await relyingParty(portal, { appId });
    const challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier());
    const params = { redirect_uri, scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256', ...more };
    const { pathname, search } = client.buildAuthorizationUrl(config, params);
    return pathname + search;
  };

  test('signs in without a device after a one-time confirmation', async () => {
    const { agent } = await rememberedBrowser();
    const visit = async () => {
      const address = await addressOf(PAYROLL.appId, PAYROLL.callback);
      const { headers } = await agent.get(address).set(FROM_ANOTHER_SITE);
      return new URL(headers.location ?? '', portal.url).searchParams.get('app') ?? '';
    };
    const signIn = async (appLoginId: string, more = {}) =>
      (await agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'COOKIE', appLoginId, ...more })).body;
    const first = await visit();
    const displayed = { appName: 'Payroll', needsConfirmation: true };
    expect((await agent.get(`/api/user/app-login/${first}`)).body).toMatchObject(displayed);
    expect(await signIn(first)).toMatchObject({
      resultName: 'AUTHENTICATION_INCOMPLETE',
      message: 'Confirm that you want to sign in to Payroll.',
    });
    const { loginId, exchangeToken } = await signIn(first, { confirmed: true });
    const completed = await agent.post(`/api/user/app-login/${first}`).send({ loginId, exchangeToken });
    await agent.get(completed.body.redirectTo);
    const second = await visit();
    expect((await agent.get(`/api/user/app-login/${second}`)).body.needsConfirmation).toBe(false);
    expect(await signIn(second)).toMatchObject({ loginId: expect.any(String) });
  });

  test('doesn’t ask for confirmation if the user opened the address directly', async () => {
    const { agent } = await rememberedBrowser();
    for (const site of ['none', 'same-origin']) {
      const address = await addressOf(PAYROLL.appId, PAYROLL.callback);
      const { headers } = await agent.get(address).set({ ...FROM_ANOTHER_SITE, 'sec-fetch-site': site });
      const id = new URL(headers.location ?? '', portal.url).searchParams.get('app');
      expect((await agent.get(`/api/user/app-login/${id}`)).body.needsConfirmation).toBe(false);
    }
  });

  test('isn’t redirected to a portal URL that an application registered', async () => {
    const own = `${portal.url}/oidc/acme/auth?client_id=team-wiki`;
    const clients = { redirect_uris: [PAYROLL.callback, own], post_logout_redirect_uris: [own] };
    await changePayroll({ oidcConfiguration: { clients } });
    const browser = testBrowser(portal, USER);
    const config = await relyingParty(portal, { appId: PAYROLL.appId });
    await authorize(config, browser, { redirect_uri: PAYROLL.callback });
    const { text } = await browser.open(await addressOf(PAYROLL.appId, own));
    expect(text).toContain('invalid_redirect_uri');
    const query = new URLSearchParams({ client_id: PAYROLL.appId, post_logout_redirect_uri: own });
    const ended = await browser.open(`/oidc/acme/session/end?${query}`);
    expect({ status: ended.status, text: ended.text }).toEqual({
      status: 400,
      text: expect.stringContaining('post_logout_redirect_uri'),
    });
  });

  describe('with an OpenID session', () => {
    let browser: TestBrowser;
    beforeEach(async () => {
      browser = testBrowser(portal, USER);
      await authorize(await relyingParty(portal), browser);
      browser.agent.set(FROM_ANOTHER_SITE);
    });
    const openPayroll = async (more: Record<string, string> = {}) =>
      browser.open(await addressOf(PAYROLL.appId, PAYROLL.callback, more));

    test('shows which application is asking and signs in with one click', async () => {
      const page = await openPayroll();
      expect(page.text).toContain('<h1>Continue to Payroll?</h1>');
      expect(page.text).toContain(USER);
      browser.agent.set('sec-fetch-site', 'same-origin');
      const done = await browser.submit(page);
      expect(done.url.searchParams.has('code')).toBe(true);
      browser.agent.set('sec-fetch-site', 'cross-site');
      expect((await openPayroll()).url.searchParams.has('code')).toBe(true);
    });

    test('asks the next member in the same browser again', async () => {
      browser.agent.set('sec-fetch-site', 'same-origin');
      expect((await openPayroll()).url.searchParams.has('code')).toBe(true);
      const db = portal.deps.db.$client;
      expect(db.prepare("SELECT count(*) FROM used_applications WHERE appId = 'team-wiki'").pluck().get()).toBe(1);
      db.exec(`UPDATE used_applications SET suid = '${portal.device('manager@acme.test').suid}'`);
      browser.agent.set('sec-fetch-site', 'cross-site');
      const { text } = await browser.open(await addressOf(WIKI.appId, WIKI.callback));
      expect(text).toContain('Continue to Team Wiki?');
    });

    test('returns access_denied to the application if the member declines', async () => {
      const page = await openPayroll();
      expect((await browser.submit(page, { cancel: 'yes' })).url.searchParams.get('error')).toBe('access_denied');
    });

    test('returns interaction_required if the application allows no prompt', async () => {
      const { url } = await openPayroll({ prompt: 'none' });
      expect(url.searchParams.get('error')).toBe('interaction_required');
      const wiki = await browser.open(await addressOf(WIKI.appId, WIKI.callback, { prompt: 'none' }));
      expect(wiki.url.searchParams.has('code')).toBe(true);
    });

    test('can’t be confirmed with a guessed ID or by skipping the prompt', async () => {
      await openPayroll();
      const { status } = await browser.open('/oidc/acme/confirm', { uid: 'guessed' });
      expect(status).toBe(400);
      const { text } = await openPayroll();
      expect(text).toContain('Continue to Payroll?');
      expect((await testBrowser(portal).open('/oidc/acme/confirm')).status).toBe(400);
    });
  });
});

describe('preventing sign-in to an attacker’s account', () => {
  test('rejects a form from another site without starting a session or remembering the browser', async () => {
    const started = await beginQr(portal);
    const exchangeToken = await approveQr(portal, portal.device(USER), started);
    const sent = JSON.stringify({ loginId: started.loginId, exchangeToken, padding: '=' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await portal.http.post('/api/user/login').set('content-type', type).send(sent);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    const { body } = await portal.call(login, { body: { loginId: started.loginId, exchangeToken } });
    const history = await portal.call(getLoginHistory, { query: { count: 1 } }, { token: body.token ?? '' });
    expect(history.body.records).toHaveLength(1);
  });

  test('rejects another browser’s code from an external provider', async () => {
    const attacker = testBrowser(portal);
    const atGlobex = await attacker.walk('/api/oidc/login?orgCode=acme');
    const phone = portal.device(NOA);
    const end = await attacker.walk(await signInAt(portal, { ...phone, orgCode: 'globex' }, atGlobex, attacker.agent));
    const code = new URLSearchParams(end.hash.slice(1)).get('code');
    const answer = await testBrowser(portal).agent.post('/api/oidc/exchange').send({ code });
    expect(answer.body.resultName).toBe('EXPIRED');
  });
});
