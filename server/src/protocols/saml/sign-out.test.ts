import { afterEach, expect, test } from 'vitest';
import {
  formOf,
  type Scene,
  type SceneOptions,
  SLO,
  SP,
  setScene,
  signInBy,
  signing,
  xmlOf,
} from './service-provider-testing.ts';
import { signElement } from './sign-response.ts';

let scene: Scene;
const enter = async (options?: SceneOptions) => {
  scene = await setScene(Date.now(), options);
};
afterEach(() => scene.portal.close());

/** Signs somebody in through a provider with these options. */
async function signedIn(options: Record<string, unknown> = signing(scene)) {
  const provider = await scene.provider(options);
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  const { profile } = await provider.validatePostResponseAsync(fields);
  if (!profile) throw new Error('Nobody was signed in.');
  return { provider, profile };
}

test('an application that logs somebody out is answered by redirect, and the browser is no longer remembered', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const { url, headers } = await scene.browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));
  expect(url.origin + url.pathname).toBe(SLO);
  expect(url.searchParams.get('RelayState')).toBe('bye');
  const verdict = await provider.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1));
  expect(verdict).toMatchObject({ loggedOut: true });
  expect(String(headers['set-cookie'])).toContain('portal_browser_acme=; Max-Age=0; Path=/api');
});

test('where the application takes answers as a form, it gets one', { tags: 'whole' }, async () => {
  await enter({ logoutBinding: 'post' });
  const { provider, profile } = await signedIn();
  const page = await scene.browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));
  const { action, fields } = formOf(page);
  expect({ action, relayState: fields.RelayState }).toEqual({ action: SLO, relayState: 'bye' });
  // In a posted answer the library looks for InResponseTo where only sign-ins have it.
  const reading = await scene.provider({ validateInResponseTo: 'never' });
  expect(await reading.validatePostResponseAsync(fields)).toMatchObject({ loggedOut: true });
  expect(xmlOf(fields)).toMatch(/ InResponseTo="_/);
});

test('a logout posted as a form, signed inside, is accepted until it expires', async () => {
  await enter({ logoutBinding: 'post' });
  const { portal, issuer, keys, browser } = scene;
  portal.clock.tell('lab');
  const post = async (id: string, notOnOrAfter: number, change = (xml: string) => xml) => {
    const instant = new Date(portal.clock.now()).toISOString();
    const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant}" NotOnOrAfter="${new Date(notOnOrAfter).toISOString()}" Destination="${issuer}/slo"><saml:Issuer>${SP}/metadata</saml:Issuer><saml:NameID>user@acme.test</saml:NameID></samlp:LogoutRequest>`;
    const signed = signElement(xml, ['LogoutRequest'], keys);
    return browser.open(`${issuer}/slo`, { SAMLRequest: Buffer.from(change(signed)).toString('base64') });
  };
  const now = portal.clock.now();
  expect(xmlOf(formOf(await post('_1', now + 1)).fields)).toContain('InResponseTo="_1"');
  expect((await post('_2', now)).text).toContain('it has expired');
  const someoneElse = (xml: string) => xml.replace('user@acme.test', 'manager@acme.test');
  expect((await post('_3', now + 1, someoneElse)).text).toContain('its signature is wrong');
});

test('if the application takes no answer, a page says so', { tags: 'whole' }, async () => {
  await enter({ logoutBinding: 'none' });
  const { provider, profile } = await signedIn();
  const page = await scene.browser.open(await provider.getLogoutUrlAsync(profile, '', {}));
  expect(page.text).toContain('You are signed out');
});

test('a logout is refused if it is unsigned despite a key, changed, or repeated', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const unsigned = await scene.provider();
  const open = async (url: string) => (await scene.browser.open(url)).text;
  expect(await open(await unsigned.getLogoutUrlAsync(profile, '', {}))).toContain('it is not signed');
  const url = await provider.getLogoutUrlAsync(profile, 'here', {});
  expect(await open(url.replace('RelayState=here', 'RelayState=there'))).toContain('its signature is wrong');
  expect((await scene.browser.open(url)).url.origin).toBe(SP);
  expect(await open(url)).toContain('it has been used before');
  expect(await open(`${scene.issuer}/slo`)).toContain('No application has sent a request');
});

test('an application without a key has to name the sign-in', async () => {
  await enter({ hasKey: false });
  const { provider, profile } = await signedIn({});
  const known = await scene.browser.open(await provider.getLogoutUrlAsync(profile, '', {}));
  const query = Object.fromEntries(known.url.searchParams);
  expect(await provider.validateRedirectAsync(query, known.url.search.slice(1))).toMatchObject({ loggedOut: true });
  const guessed = { ...profile, sessionIndex: '_guessed' };
  const { url, headers } = await scene.browser.open(await provider.getLogoutUrlAsync(guessed, '', {}));
  expect(headers['set-cookie']).toBeUndefined();
  await expect(
    provider.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1)),
  ).rejects.toThrow();
});
