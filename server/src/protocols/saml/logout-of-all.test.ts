import { sign } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { logoutNoticeRepo } from '@orchestrate/db';
import {
  configureSession,
  endSession,
  getProfile,
  getSessionSettings,
  login,
  logout,
  SECOND,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestBrowser, type TestPage, testBrowser } from '#testing/browser.ts';
import { type ReceivedRequest, startReceiver } from '#testing/receiver.ts';
import { approveQr, beginQr } from '#testing/test-portal.ts';
import { type Scene, type SceneOptions, SLO, SP, setScene, signInBy, signing } from './service-provider-testing.ts';

const USER = 'user@acme.test';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

let expenses: Scene;
beforeEach(async () => {
  expenses = await setScene(Date.now());
});
afterEach(() => expenses.portal.close());

/** Adds another application to which the same browser signs in. */
async function another(options: SceneOptions = {}): Promise<Scene> {
  const scene = await setScene(Date.now(), {
    ...options,
    portal: expenses.portal,
    app: { name: 'Trips', ...options.app },
  });
  return { ...scene, browser: expenses.browser };
}

async function signedIn(scene: Scene, email = USER) {
  const provider = await scene.provider(signing(scene));
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}), { email });
  const { profile } = await provider.validatePostResponseAsync(fields);
  if (!profile) throw new Error('Nobody was signed in.');
  return { provider, profile };
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>;
const queryOf = ({ searchParams }: URL) => Object.fromEntries(searchParams);

/** Reads the request at the application and sends the browser back with the response. */
async function answerAt({ url }: TestPage, { provider }: SignedIn, isDone = true): Promise<TestPage> {
  expect(url.origin + url.pathname).toBe(`${SP}/logout`);
  const { profile } = await provider.validateRedirectAsync(queryOf(url), url.search.slice(1));
  expect(profile).toMatchObject({ nameID: USER });
  const relayState = url.searchParams.get('RelayState') ?? '';
  const back = await provider.getLogoutResponseUrlAsync(
    { ...(profile as SignedIn['profile']) },
    relayState,
    {},
    isDone,
  );
  return expenses.browser.open(back);
}

const beginLogout = async ({ provider, profile }: SignedIn) =>
  expenses.browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));

test('logs out the other applications one by one, then answers the initiator', async () => {
  const [first, other] = [await signedIn(expenses), await signedIn(await another())];
  const { url } = await answerAt(await beginLogout(first), other);
  expect([url.origin + url.pathname, url.searchParams.get('RelayState')]).toEqual([SLO, 'bye']);
  const verdict = await first.provider.validateRedirectAsync(queryOf(url), url.search.slice(1));
  expect(verdict).toMatchObject({ loggedOut: true });
});

/** Opens the target of the page's button and returns the resulting page. */
async function next(browser: TestBrowser, { text, url }: TestPage): Promise<TestPage> {
  return browser.open(new URL(/<form action="([^"]+)"/.exec(text)?.[1] ?? '', url));
}

test('names an application that failed to sign out, and responds with PartialLogout', async () => {
  const [first, other] = [await signedIn(expenses), await signedIn(await another({ logoutBinding: 'redirect' }))];
  const page = await answerAt(await beginLogout(first), other, false);
  expect(page.text).toContain("Trips: couldn't be signed out");
  const { url } = await next(expenses.browser, page);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
  expect(xml).toContain(
    `Value="${SUCCESS}"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:PartialLogout"`,
  );
});

test('skips an application that doesn’t redirect back, once the user returns', {
  tags: 'whole',
}, async () => {
  const [first] = [await signedIn(expenses), await signedIn(await another())];
  const { url } = await beginLogout(first);
  const page = await expenses.browser.open(`/logout/acme/${url.searchParams.get('RelayState')}`);
  expect(page.text).toContain("Trips: couldn't be signed out");
});

/** Returns the response from an application with a SOAP endpoint. */
const soapAnswer = (request: string) => ({
  status: 200,
  body: `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><p:LogoutResponse xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" InResponseTo="${/ ID="([^"]+)"/.exec(request)?.[1]}"><p:Status><p:StatusCode Value="${SUCCESS}"/></p:Status></p:LogoutResponse></S:Body></S:Envelope>`,
});

/** Returns the user named in a received SOAP request. */
async function receiveSoapRequest({ provider }: SignedIn, { body = '' }: Partial<ReceivedRequest> = {}) {
  const [request] = /<samlp:LogoutRequest[\s\S]*<\/samlp:LogoutRequest>/.exec(body) ?? [''];
  const form = { SAMLRequest: Buffer.from(request).toString('base64') };
  return (await provider.validatePostRequestAsync(form)).profile;
}

test('notifies applications with a SOAP endpoint directly instead of through the browser', {
  tags: 'whole',
}, async () => {
  const server = await startReceiver();
  const first = await signedIn(expenses);
  const other = await signedIn(await another({ logoutBinding: 'soap', soapAddress: server.url }));
  server.answerWith(({ body }) => soapAnswer(body));
  const { url } = await beginLogout(first);
  expect(url.origin + url.pathname).toBe(SLO);
  expect(await receiveSoapRequest(other, server.received[0])).toMatchObject({ nameID: USER });
  await server.close();
});

test('retries SOAP logout when an administrator ends all sessions, then uses the browser', async () => {
  const { portal } = expenses;
  const server = await startReceiver();
  const first = await signedIn(expenses);
  const trips = await signedIn(await another({ logoutBinding: 'soap', soapAddress: server.url }));
  const hotels = await signedIn(await another({ app: { name: 'Hotels' } }));
  server.answerWith({ status: 500 });
  const admin = await portal.signIn('super.admin@acme.test');
  await portal.call(endSession, { body: { suid: portal.device(USER).suid, what: 'all' } }, admin);
  await server.until(1);
  const next = () => logoutNoticeRepo.findNextNoticeTime(portal.deps.db);
  await expect.poll(next).toBeLessThan(portal.clock.now() + 10 * SECOND);
  server.answerWith(({ body }) => soapAnswer(body));
  await portal.clock.advance(10);
  await server.until(2);
  const { sessionIndex } = trips.profile;
  expect(await receiveSoapRequest(trips, server.received[1])).toMatchObject({ nameID: USER, sessionIndex });
  await expect.poll(next).toBeNull();
  const { url } = await answerAt(await beginLogout(first), hotels);
  expect(url.origin + url.pathname).toBe(SLO);
  expect(server.received).toHaveLength(2);
  await server.close();
});

test('names an application whose server fails', { tags: 'whole' }, async () => {
  const server = await startReceiver();
  server.answerWith({ status: 500 });
  const first = await signedIn(expenses);
  await signedIn(await another({ logoutBinding: 'soap', soapAddress: server.url }));
  expect((await beginLogout(first)).text).toContain("Trips: couldn't be signed out");
  await server.close();
});

test('rejects a response that is unsigned or unsolicited', async () => {
  const trips = await another();
  const [first, other] = [await signedIn(expenses), await signedIn(trips)];
  const { url } = await beginLogout(first);
  const { profile } = await other.provider.validateRedirectAsync(queryOf(url), url.search.slice(1));
  const relayState = url.searchParams.get('RelayState') ?? '';
  const open = async (by: SignedIn['provider'], change: object) => {
    const request = { ...(profile as SignedIn['profile']), ...change };
    return (await expenses.browser.open(await by.getLogoutResponseUrlAsync(request, relayState, {}, true))).text;
  };
  expect(await open(await trips.provider(), {})).toContain('it is not signed');
  expect(await open(other.provider, { ID: '_other' })).toContain('This sign-out has ended');
});

test('signs out of the application and the portal together, from either side', async () => {
  const { portal, browser } = expenses;
  const admin = await portal.signIn('super.admin@acme.test');
  const { resultCode: _code, ...settings } = (await portal.call(getSessionSettings, {}, admin)).body;
  await portal.call(configureSession, { body: { ...settings, logoutTogether: true } }, admin);
  const signInToPortal = async () => {
    const started = await beginQr(portal, 'acme');
    const exchangeToken = await approveQr(portal, portal.device(USER), started);
    const { body } = await browser.agent.post(`/api${login.path}`).send({ loginId: started.loginId, exchangeToken });
    return { token: String(body.token) };
  };
  const here = await signInToPortal();
  await beginLogout(await signedIn(expenses));
  expect((await portal.call(getProfile, {}, here)).status).toBe(401);

  const again = await signInToPortal();
  const application = await signedIn(expenses);
  const { body } = await portal.call(logout, { body: {} }, again);
  const page = await answerAt(await browser.open(body.continueAt ?? ''), application);
  expect(page.text).toContain('Expenses: signed out');
});

test('keeps the user signed in in other browsers', { tags: 'whole' }, async () => {
  const there = { ...expenses, browser: testBrowser(expenses.portal) };
  await signedIn({ ...(await another()), browser: there.browser });
  const { url } = await beginLogout(await signedIn(expenses));
  expect(url.origin + url.pathname).toBe(SLO);
});

/** Signs a member in to Expenses and to another application, in a separate browser. */
async function elsewhere(name: string, email = USER) {
  const browser = testBrowser(expenses.portal);
  const [here, other] = [
    { ...expenses, browser },
    { ...(await another({ app: { name } })), browser },
  ];
  return { browser, first: await signedIn(here, email), other: await signedIn(other, email), issuer: other.issuer };
}

const isRemembered = async ({ browser }: Elsewhere): Promise<boolean> => {
  const { body } = await browser.agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'COOKIE' });
  return body.resultName !== 'COOKIE_ABSENT';
};

type Elsewhere = Awaited<ReturnType<typeof elsewhere>>;

/**
 * Answers every logout request until the browser is back at Expenses.
 * @returns the applications that received a logout request
 */
async function answerAll(first: TestPage, all: readonly Elsewhere[]): Promise<string[]> {
  const requested: string[] = [];
  let page = first;
  while (page.url.origin + page.url.pathname !== SLO) {
    const xml = inflateRawSync(Buffer.from(page.url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const one = all.find(({ issuer }) => xml.includes(`>${issuer}</saml:Issuer>`));
    if (!one) throw new Error(`Nobody answers ${page.status}: ${page.url}${xml}`);
    requested.push(one.issuer);
    page = await answerAt(page, one.other);
  }
  return requested.toSorted();
}

const issuersOf = (...all: Elsewhere[]) => all.map(({ issuer }) => issuer).toSorted();

test('ends all of the user’s sign-ins to the application if there is no SessionIndex', {
  tags: 'whole',
}, async () => {
  const [one, two] = [await elsewhere('One'), await elsewhere('Two')];
  const otherUser = await elsewhere('Four', 'super.admin@acme.test');
  expect(await Promise.all([one, two, otherUser].map(isRemembered))).toEqual([true, true, true]);
  const { sessionIndex: _, ...profile } = one.first.profile;
  const page = await beginLogout({ ...one.first, profile: { ...profile } as SignedIn['profile'] });
  expect(await answerAll(page, [one, two, otherUser])).toEqual(issuersOf(one, two));
  // The browsers must be forgotten too, or the next user of a browser would be signed in without a prompt.
  expect(await Promise.all([one, two, otherUser].map(isRemembered))).toEqual([false, false, true]);
});

test('ends every SessionIndex in the request, except another user’s or application’s', {
  tags: 'whole',
}, async () => {
  const [one, two, three] = [await elsewhere('One'), await elsewhere('Two'), await elsewhere('Three')];
  const otherUser = await elsewhere('Four', 'super.admin@acme.test');
  const { issuer, keys, browser, portal } = expenses;
  const named = [one.first, two.first, otherUser.first, three.other].map(
    ({ profile }) => `<samlp:SessionIndex>${profile.sessionIndex}</samlp:SessionIndex>`,
  );
  const instant = new Date(portal.clock.now()).toISOString();
  const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_several" Version="2.0" IssueInstant="${instant}" Destination="${issuer}/slo"><saml:Issuer>${SP}/metadata</saml:Issuer><saml:NameID>${USER}</saml:NameID>${named.join('')}</samlp:LogoutRequest>`;
  const signed = deflateRawSync(xml).toString('base64');
  const query = `SAMLRequest=${encodeURIComponent(signed)}&SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}`;
  const signature = sign('sha256', Buffer.from(query), keys.privateKey).toString('base64');
  const page = await browser.open(`${issuer}/slo?${query}&Signature=${encodeURIComponent(signature)}`);
  expect(await answerAll(page, [one, two, three, otherUser])).toEqual(issuersOf(one, two));
  expect(await Promise.all([one, two, three, otherUser].map(isRemembered))).toEqual([false, false, true, true]);
});
