import { inflateRawSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { samlId } from './saml-ids.ts';
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

/** Signs a user in through a provider with the given options. */
async function signedIn(options: Record<string, unknown> = signing(scene)) {
  const provider = await scene.provider(options);
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  const { profile } = await provider.validatePostResponseAsync(fields);
  if (!profile) throw new Error('Nobody was signed in.');
  return { provider, profile };
}

test('answers a logout through a redirect, and forgets the browser', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const { url, headers } = await scene.browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));
  expect(url.origin + url.pathname).toBe(SLO);
  expect(url.searchParams.get('RelayState')).toBe('bye');
  const verdict = await provider.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1));
  expect(verdict).toMatchObject({ loggedOut: true });
  expect(String(headers['set-cookie'])).toContain('portal_browser_acme=; Max-Age=0; Path=/api');
});

test('answers in a form if the application’s response binding is POST', { tags: 'whole' }, async () => {
  await enter({ logoutBinding: 'post' });
  const { provider, profile } = await signedIn();
  const page = await scene.browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));
  const { action, fields } = formOf(page);
  expect({ action, relayState: fields.RelayState }).toEqual({ action: SLO, relayState: 'bye' });
  // In posted responses, the library looks for InResponseTo only in the location that sign-in responses use.
  const reading = await scene.provider({ validateInResponseTo: 'never' });
  expect(await reading.validatePostResponseAsync(fields)).toMatchObject({ loggedOut: true });
  expect(xmlOf(fields)).toMatch(/ InResponseTo="_/);
});

test('accepts a posted logout with an enveloped signature until it expires', async () => {
  await enter({ logoutBinding: 'post' });
  const { portal, issuer, keys, browser } = scene;
  portal.clock.setExternalClock('lab');
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
  expect((await post('_3', now + 1, someoneElse)).text).toContain('its signature is invalid');
});

test('shows a page if the application has no response endpoint', { tags: 'whole' }, async () => {
  await enter({ logoutBinding: 'none' });
  const { provider, profile } = await signedIn();
  const page = await scene.browser.open(await provider.getLogoutUrlAsync(profile, '', {}));
  expect(page.text).toContain("You're signed out");
});

test('rejects a modified or replayed logout, and an unsigned logout if there is a key', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const unsigned = await scene.provider();
  const open = async (url: string) => (await scene.browser.open(url)).text;
  expect(await open(await unsigned.getLogoutUrlAsync(profile, '', {}))).toContain('it is not signed');
  const url = await provider.getLogoutUrlAsync(profile, 'here', {});
  expect(await open(url.replace('RelayState=here', 'RelayState=there'))).toContain('its signature is invalid');
  expect((await scene.browser.open(url)).url.origin).toBe(SP);
  expect(await open(url)).toContain('it has been used before');
  expect(await open(`${scene.issuer}/slo`)).toContain('only works with a request from an application');
});

test('requires an application without a key to identify the sign-in', async () => {
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

/** Returns a redirected response's status codes, outermost first, without their common prefix. */
function statusOf({ searchParams }: URL): string[] {
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
  return [...xml.matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2\.0:status:(\w+)"/g)].map(
    ([, code]) => code ?? '',
  );
}

test('rejects a signed logout that identifies no sign-in, without ending any sign-in', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const end = async (change: object) => {
    const { url, headers } = await scene.browser.open(
      await provider.getLogoutUrlAsync({ ...profile, ...change }, '', {}),
    );
    return { status: statusOf(url), forgets: headers['set-cookie'] !== undefined };
  };
  const refused = (...status: string[]) => ({ status, forgets: false });
  expect(await end({ nameID: 'manager@acme.test' })).toEqual(refused('Requester'));
  expect(await end({ sessionIndex: '_guessed' })).toEqual(refused('Requester'));
  expect(await end({ sessionIndex: `${profile.sessionIndex}x` })).toEqual(refused('Requester'));
  expect(await end({ nameID: 'nobody@acme.test' })).toEqual(refused('Requester', 'UnknownPrincipal'));
  const unknown = { nameID: 'nobody@acme.test', sessionIndex: undefined };
  expect(await end(unknown)).toEqual(refused('Requester', 'UnknownPrincipal'));
  expect(await end({})).toEqual({ status: ['Success'], forgets: true });
});

test('accepts a logout for a sign-in that has already ended', async () => {
  await enter();
  const { provider, profile } = await signedIn();
  const end = async (change: object = {}) =>
    statusOf((await scene.browser.open(await provider.getLogoutUrlAsync({ ...profile, ...change }, '', {}))).url);
  expect(await end()).toEqual(['Success']);
  expect(await end()).toEqual(['Success']);
  expect(await end({ sessionIndex: undefined })).toEqual(['Success']);
  expect(await end({ nameID: 'manager@acme.test' })).toEqual(['Requester']);
});

/** Posts a signed logout with contents that no library writes. @returns the XML of the response */
async function logOutBy(inside: string, attributes = ''): Promise<string> {
  const { portal, issuer, keys, browser } = scene;
  const instant = new Date(portal.clock.now()).toISOString();
  const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${samlId(portal.deps)}" Version="2.0" IssueInstant="${instant}" Destination="${issuer}/slo" ${attributes}><saml:Issuer>${SP}/metadata</saml:Issuer>${inside}</samlp:LogoutRequest>`;
  const SAMLRequest = Buffer.from(signElement(xml, ['LogoutRequest'], keys)).toString('base64');
  return xmlOf(formOf(await browser.open(`${issuer}/slo`, { SAMLRequest })).fields);
}
const statusIn = (xml: string) => [...xml.matchAll(/StatusCode Value="[^"]*:(\w+)"/g)].map(([, code]) => code);
const named = (nameId: string, attributes = '') => `<saml:NameID ${attributes}>${nameId}</saml:NameID>`;

test('rejects a logout with an unknown user or an invalid schema, and ends no sign-in', async () => {
  await enter({ logoutBinding: 'post' });
  const { profile } = await signedIn();
  const index = `<samlp:SessionIndex>${profile.sessionIndex}</samlp:SessionIndex>`;
  const name = named(profile.nameID);
  for (const inside of [
    named(profile.nameID, 'SPNameQualifier="https://other.example"') + index,
    named(profile.nameID, 'NameQualifier="https://other.example"') + index,
    named('') + index,
    `<saml:EncryptedID>x</saml:EncryptedID>${index}`,
    `<saml:BaseID/>${index}`,
  ])
    expect(statusIn(await logOutBy(inside))).toEqual(['Requester', 'UnknownPrincipal']);
  for (const [inside, why] of [
    [index, 'LogoutRequest must name a user.'],
    [`<saml:BaseID/>${name}${index}`, 'LogoutRequest cannot have saml:NameID at this position.'],
    [index + name, 'LogoutRequest cannot have saml:NameID at this position.'],
    [`${name}${index}<samlp:NameIDPolicy/>`, 'LogoutRequest has an unexpected element.'],
  ] as const) {
    const xml = await logOutBy(inside);
    expect(statusIn(xml)).toEqual(['Requester']);
    expect(xml).toContain(`<samlp:StatusMessage>${why}<`);
  }
  expect(await logOutBy(name + index, 'NotOnOrafter="2020-01-01T00:00:00Z"')).toContain('the attribute NotOnOrafter.<');
  const own = `NameQualifier="${scene.issuer}" SPNameQualifier="${SP}/metadata"`;
  expect(statusIn(await logOutBy(named(profile.nameID, own) + index + index))).toEqual(['Success']);
});

test('ends a member’s sign-ins even if the logout uses another identifier', async () => {
  await enter();
  const first = scene;
  await signedIn();
  const app = { samlNameId: 'suid', samlNameIdFormat: PERSISTENT, name: 'Trips' } as const;
  scene = { ...(await setScene(Date.now(), { portal: first.portal, app })), browser: first.browser };
  const { provider, profile } = await signedIn();
  const byEmail = { ...profile, nameID: 'User@ACME.test', nameIDFormat: EMAIL, sessionIndex: undefined };
  const { url } = await scene.browser.open(await provider.getLogoutUrlAsync(byEmail as never, '', {}));
  // The browser is next sent to the other application.
  expect(`${url.origin}${url.pathname}`).toBe(`${SP}/logout`);
  expect(url.searchParams.has('SAMLRequest')).toBe(true);
});

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

test('issues a pseudonym per application as persistent name ID, and accepts it for logout', async () => {
  await enter({ app: { samlNameIdFormat: '' } });
  const asking = { ...signing(scene), identifierFormat: PERSISTENT };
  const { provider, profile } = await signedIn(asking);
  expect(profile).toMatchObject({ nameIDFormat: PERSISTENT, nameID: expect.stringMatching(/^_[\w-]{22}$/) });
  const { suid } = memberByEmail(scene.portal, 'acme', 'user@acme.test');
  expect(profile.nameID).not.toContain(suid);
  expect((await signedIn(asking)).profile.nameID).toBe(profile.nameID);
  const manager = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}), {
    email: 'manager@acme.test',
  });
  expect((await provider.validatePostResponseAsync(manager.fields)).profile?.nameID).not.toBe(profile.nameID);
  const first = scene;
  const app = { samlNameIdFormat: '' as const, name: 'Trips' };
  scene = { ...(await setScene(Date.now(), { portal: first.portal, app })), browser: first.browser };
  expect((await signedIn({ ...signing(scene), identifierFormat: PERSISTENT })).profile.nameID).not.toBe(profile.nameID);
  const { url } = await scene.browser.open(
    await provider.getLogoutUrlAsync({ ...profile, sessionIndex: undefined } as never, '', {}),
  );
  expect(`${url.origin}${url.pathname}`).toBe(`${SP}/logout`);
});

test('accepts a logout by pseudonym for a sign-in that has already ended', async () => {
  await enter({ app: { samlNameIdFormat: '' } });
  const { provider, profile } = await signedIn({ ...signing(scene), identifierFormat: PERSISTENT });
  const end = async (change: object) => {
    const user = { ...profile, sessionIndex: undefined, ...change } as never;
    return statusOf((await scene.browser.open(await provider.getLogoutUrlAsync(user, '', {}))).url);
  };
  expect(await end({})).toEqual(['Success']);
  expect(await end({})).toEqual(['Success']);
  expect(await end({ sessionIndex: '_guessed' })).toEqual(['Requester']);
  expect(await end({ nameID: `_${'A'.repeat(22)}` })).toEqual(['Requester', 'UnknownPrincipal']);
});

test.each([
  ['format', { samlNameIdFormat: PERSISTENT }, 'user@acme.test'],
  ['template', { samlNameIdFormat: '', samlNameIdTransformationTemplate: 'x-${firstName}' }, 'x-Daniel'],
] as const)('issues the persistent name ID that the administrator configured by %s', async (_how, app, nameID) => {
  await enter({ app });
  const { profile } = await signedIn({ ...signing(scene), identifierFormat: PERSISTENT });
  expect(profile).toMatchObject({ nameID });
});
