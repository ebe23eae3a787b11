import { inflateRawSync } from 'node:zlib';
import { configureSession, getProfile, getSessionSettings, login, logout } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestBrowser, type TestPage, testBrowser } from '../../testing/browser.ts';
import { receiver } from '../../testing/receiver.ts';
import { approveQr, beginQr } from '../../testing/test-portal.ts';
import { type Scene, type SceneOptions, SLO, SP, setScene, signInBy, signing } from './service-provider-testing.ts';

const USER = 'user@acme.test';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

let expenses: Scene;
beforeEach(async () => {
  expenses = await setScene(Date.now());
});
afterEach(() => expenses.portal.close());

/** Another application, which the same browser signs in to. */
async function another(options: SceneOptions = {}): Promise<Scene> {
  const scene = await setScene(Date.now(), { ...options, portal: expenses.portal, app: { name: 'Trips' } });
  return { ...scene, browser: expenses.browser };
}

async function signedIn(scene: Scene) {
  const provider = await scene.provider(signing(scene));
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  const { profile } = await provider.validatePostResponseAsync(fields);
  if (!profile) throw new Error('Nobody was signed in.');
  return { provider, profile };
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>;
const queryOf = ({ searchParams }: URL) => Object.fromEntries(searchParams);

/** The application reads the request that the browser brings, and sends the browser back with its answer. */
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

test('an application that logs out ends the others too, one after the other, and is then answered', async () => {
  const [first, other] = [await signedIn(expenses), await signedIn(await another())];
  const { url } = await answerAt(await beginLogout(first), other);
  expect([url.origin + url.pathname, url.searchParams.get('RelayState')]).toEqual([SLO, 'bye']);
  const verdict = await first.provider.validateRedirectAsync(queryOf(url), url.search.slice(1));
  expect(verdict).toMatchObject({ loggedOut: true });
});

/** Where the button of a page leads. */
async function next(browser: TestBrowser, { text, url }: TestPage): Promise<TestPage> {
  return browser.open(new URL(/<form action="([^"]+)"/.exec(text)?.[1] ?? '', url));
}

test('one that does not sign out is named, and the answer says that the logout is partial', async () => {
  const [first, other] = [await signedIn(expenses), await signedIn(await another({ logoutBinding: 'redirect' }))];
  const page = await answerAt(await beginLogout(first), other, false);
  expect(page.text).toContain('Trips: could not be signed out');
  const { url } = await next(expenses.browser, page);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
  expect(xml).toContain(
    `Value="${SUCCESS}"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:PartialLogout"`,
  );
});

test('from an application that does not send the browser back one goes on by returning to the page', async () => {
  const [first] = [await signedIn(expenses), await signedIn(await another())];
  const { url } = await beginLogout(first);
  const page = await expenses.browser.open(`/logout/acme/${url.searchParams.get('RelayState')}`);
  expect(page.text).toContain('Trips: could not be signed out');
});

test('an application that takes requests from servers is told by SOAP, without the browser', async () => {
  const server = await receiver();
  const first = await signedIn(expenses);
  const other = await signedIn(await another({ logoutBinding: 'soap', soapAddress: server.url }));
  server.answerWith(({ body }) => ({
    status: 200,
    body: `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><p:LogoutResponse xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" InResponseTo="${/ ID="([^"]+)"/.exec(body)?.[1]}"><p:Status><p:StatusCode Value="${SUCCESS}"/></p:Status></p:LogoutResponse></S:Body></S:Envelope>`,
  }));
  const { url } = await beginLogout(first);
  expect(url.origin + url.pathname).toBe(SLO);
  const [request] = /<samlp:LogoutRequest[\s\S]*<\/samlp:LogoutRequest>/.exec(server.received[0]?.body ?? '') ?? [''];
  const form = { SAMLRequest: Buffer.from(request).toString('base64') };
  expect((await other.provider.validatePostRequestAsync(form)).profile).toMatchObject({ nameID: USER });
  await server.close();
});

test('a server that fails is named', async () => {
  const server = await receiver();
  server.answerWith({ status: 500 });
  const first = await signedIn(expenses);
  await signedIn(await another({ logoutBinding: 'soap', soapAddress: server.url }));
  expect((await beginLogout(first)).text).toContain('Trips: could not be signed out');
  await server.close();
});

test('an answer that is unsigned, or to nothing that was asked, is refused', async () => {
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
  expect(await open(other.provider, { ID: '_other' })).toContain('This logout is over');
});

test('together with the portal: either ends the other', async () => {
  const { portal, browser } = expenses;
  const admin = await portal.signIn('super.admin@acme.test');
  const { resultCode: _code, ...settings } = (await portal.call(getSessionSettings, {}, admin)).body;
  await portal.call(configureSession, { body: { ...settings, logoutTogether: true } }, admin);
  const signInToPortal = async () => {
    const begun = await beginQr(portal, 'acme');
    const exchangeToken = await approveQr(portal, portal.device(USER), begun);
    const { body } = await browser.agent.post(`/api${login.path}`).send({ loginId: begun.loginId, exchangeToken });
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

test('another browser of the same person stays signed in', async () => {
  const there = { ...expenses, browser: testBrowser(expenses.portal) };
  await signedIn({ ...(await another()), browser: there.browser });
  const { url } = await beginLogout(await signedIn(expenses));
  expect(url.origin + url.pathname).toBe(SLO);
});
