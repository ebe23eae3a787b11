import { createIdpCertificate, getIdpConfiguration, manageUser, updateSamlApp } from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, describe, expect, test } from 'vitest';
import { signInAt, type TestPage, testBrowser } from '#testing/browser.ts';
import { makeDeviceNew, setOrganisation } from '#testing/device.ts';
import {
  ACS,
  formOf,
  type Scene,
  type SceneOptions,
  SP,
  setScene,
  signInBy,
  signing,
  xmlOf,
} from './service-provider-testing.ts';

let scene: Scene;
const enter = async (options?: SceneOptions) => {
  scene = await setScene(Date.now(), options);
};
afterEach(() => scene.portal.close());

const USER = 'user@acme.test';
const POSTING = { authnRequestBinding: 'HTTP-POST', skipRequestCompression: true };

describe('a strict service provider', () => {
  test('signs a user in through a redirect', async () => {
    await enter();
    const provider = await scene.provider();
    const url = await provider.getAuthorizeUrlAsync('/trips?a=1&b="2"', undefined, {});
    const { action, fields } = await signInBy(scene, url);
    expect(action).toBe(ACS);
    expect(fields.RelayState).toBe('/trips?a=1&b="2"');
    const { profile } = await provider.validatePostResponseAsync(fields);
    expect(profile).toMatchObject({
      issuer: scene.issuer,
      nameID: USER,
      nameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      firstName: expect.stringMatching(/./),
      employeeId: expect.stringMatching(/./),
      roleName: 'Org User',
      sessionIndex: expect.stringMatching(/^_/),
    });
    expect(xmlOf(fields)).toContain('ac:classes:PasswordProtectedTransport<');
  });

  test('signs a user in through a posted form', async () => {
    await enter();
    const provider = await scene.provider(POSTING);
    const form = await provider.getAuthorizeMessageAsync('here');
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`, { form });
    expect(fields.RelayState).toBe('here');
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
  });

  test('can deflate messages in forms', { tags: 'whole' }, async () => {
    await enter();
    const provider = await scene.provider({ ...POSTING, skipRequestCompression: false });
    const form = await provider.getAuthorizeMessageAsync('');
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`, { form });
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
  });

  test('signs its own requests, in redirects and in forms', async () => {
    await enter({ isSigning: true });
    const redirecting = await scene.provider(signing(scene));
    const first = await signInBy(scene, await redirecting.getAuthorizeUrlAsync('', undefined, {}));
    expect((await redirecting.validatePostResponseAsync(first.fields)).profile?.nameID).toBe(USER);
    const posting = await scene.provider({ ...signing(scene), ...POSTING });
    const form = await posting.getAuthorizeMessageAsync('');
    const second = await signInBy(scene, `${scene.issuer}/sso`, { form });
    expect((await posting.validatePostResponseAsync(second.fields)).profile?.nameID).toBe(USER);
  });

  test('works with either key during a rollover', {
    tags: 'whole',
  }, async () => {
    await enter();
    const before = await scene.provider();
    const admin = await scene.portal.signIn('super.admin@acme.test');
    await scene.portal.call(createIdpCertificate, { body: {} }, admin);
    const url = await before.getAuthorizeUrlAsync('', undefined, {});
    await expect(before.validatePostResponseAsync((await signInBy(scene, url)).fields)).rejects.toThrow('signature');
    const after = await scene.provider();
    const again = await after.getAuthorizeUrlAsync('', undefined, {});
    expect((await after.validatePostResponseAsync((await signInBy(scene, again)).fields)).profile?.nameID).toBe(USER);
    const metadata = (await request(scene.issuer).get('/metadata')).text;
    expect((await request(scene.issuer).get('')).text).toBe(metadata);
    const { certificates } = (await scene.portal.call(getIdpConfiguration, {}, admin)).body;
    expect(certificates).toHaveLength(2);
    expect(metadata.match(/<md:KeyDescriptor/g)).toHaveLength(2);
  });
});

test('declares WantAuthnRequestsSigned only if unsigned requests are rejected', async () => {
  for (const isSigning of [true, false]) {
    await enter({ isSigning });
    const { text } = await request(scene.issuer).get('/metadata');
    expect(text).toContain(`<md:IDPSSODescriptor WantAuthnRequestsSigned="${isSigning}"`);
    const provider = await scene.provider();
    const page = await scene.browser.open(await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(page.status).toBe(isSigning ? 400 : 302);
    if (isSigning) await scene.portal.close();
  }
});

test('lists the accepted signature algorithms in the metadata, best first', { tags: 'whole' }, async () => {
  await enter();
  const { text } = await scene.browser.open(scene.issuer);
  const methods = [...text.matchAll(/<alg:SigningMethod Algorithm="[^"]+#([^"]+)"/g)].map(([, name]) => name);
  expect(methods).toEqual(['rsa-sha256', 'rsa-sha384', 'rsa-sha512', 'ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512']);
});

describe('a sign-in request', () => {
  test('can be IdP-initiated, and then ends at the configured URL', async () => {
    await enter();
    const { action, fields } = await signInBy(scene, `${scene.issuer}/sso`);
    expect({ action, relayState: fields.RelayState }).toEqual({ action: ACS, relayState: `${SP}/start` });
    expect(xmlOf(fields)).not.toContain('InResponseTo');
    expect(xmlOf(fields)).toContain('ac:classes:MobileTwoFactorContract<');
    const provider = await scene.provider({ validateInResponseTo: 'ifPresent' });
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
  });

  test('can be IdP-initiated with a RelayState that specifies where it ends', async () => {
    await enter();
    const there = { RelayState: '/trips?a=1&b="2"' };
    const { action, fields } = await signInBy(scene, `${scene.issuer}/sso?${new URLSearchParams(there)}`);
    expect({ action, ...there }).toEqual({ action: ACS, RelayState: fields.RelayState });
    const long = new URLSearchParams({ RelayState: 'x'.repeat(2_049) });
    expect((await scene.browser.open(`${scene.issuer}/sso?${long}`)).status).toBe(400);
  });

  test('can direct the response to another registered ACS URL', async () => {
    await enter();
    const provider = await scene.provider({ callbackUrl: `${SP}/other` });
    const { action } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(action).toBe(`${SP}/other`);
    const elsewhere = await scene.provider({ callbackUrl: 'https://attacker.example/acs' });
    const { status, text } = await scene.browser.open(await elsewhere.getAuthorizeUrlAsync('', undefined, {}));
    expect(status).toBe(400);
    expect(text).toContain('a URL that isn&#39;t registered for it (https://attacker.example/acs).');
  });

  test('can contain the registered ACS URL with its host in capitals', async () => {
    await enter();
    const provider = await scene.provider({
      callbackUrl: `${SP}/other`.replace(/^https:\/\/[^/]+/, (it) => it.toUpperCase()),
    });
    const { action } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(action).toBe(`${SP}/other`);
    const elsewhere = await scene.provider({ callbackUrl: `${SP}/OTHER` });
    expect((await scene.browser.open(await elsewhere.getAuthorizeUrlAsync('', undefined, {}))).status).toBe(400);
  });

  test('gets NoPassive if it is passive and there is no session', async () => {
    await enter({ app: { maxCookieLife: 3_600 } });
    const provider = await scene.provider({ passive: true });
    const { url } = await scene.browser.open(await provider.getAuthorizeUrlAsync('state', undefined, {}));
    // The page detects that this browser is not remembered.
    const id = url.searchParams.get('app') ?? '';
    const body = { orgCode: 'acme', mode: 'COOKIE', appLoginId: id };
    expect((await scene.browser.agent.post('/api/user/login').send(body)).body.resultName).toBe('COOKIE_ABSENT');
    const back = `/saml/acme/continue?id=${id}`;
    expect((await testBrowser(scene.portal).open(back)).status).toBe(400);
    const { action, fields } = formOf(await scene.browser.open(back));
    expect((await scene.browser.open(back)).status).toBe(400);
    expect({ action, state: fields.RelayState }).toEqual({ action: ACS, state: 'state' });
    expect(xmlOf(fields)).toContain('status:NoPassive');
    expect(xmlOf(fields)).not.toContain('Assertion ');
    // The library accepts this response as the answer to its request.
    expect((await provider.validatePostResponseAsync(fields)).profile).toBeNull();
  });

  test('signs in a remembered browser without a prompt if it is passive', async () => {
    await enter({ app: { maxCookieLife: 3_600 } });
    const { browser } = scene;
    const api = async (path: string, sent: object) => (await browser.agent.post(`/api/user/${path}`).send(sent)).body;
    const { url: first } = await browser.open(`${scene.issuer}/sso`);
    await browser.open(await signInAt(scene.portal, scene.portal.device(USER), first, browser.agent));

    const provider = await scene.provider({ passive: true });
    const { url } = await browser.open(await provider.getAuthorizeUrlAsync('state', undefined, {}));
    expect(url.searchParams.get('passive')).toBe('saml');
    const id = url.searchParams.get('app') ?? '';
    const { loginId, exchangeToken: token } = await api('login', { orgCode: 'acme', mode: 'COOKIE', appLoginId: id });
    const { redirectTo } = await api(`app-login/${id}`, { loginId, exchangeToken: token });
    const { fields } = formOf(await browser.open(redirectTo));
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
  });

  test('gets NoPassive if it is passive and a remembered browser isn’t enough', async () => {
    await enter();
    const provider = await scene.provider({ passive: true, forceAuthn: true });
    const page = await scene.browser.open(await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(xmlOf(formOf(page).fields)).toContain('status:NoPassive');
  });

  test('is rejected with an unknown authentication context', async () => {
    await enter();
    const kerberos = ['urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos'];
    const provider = await scene.provider({ authnContext: kerberos });
    const page = await scene.browser.open(await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(xmlOf(formOf(page).fields)).toContain('status:NoAuthnContext');
  });

  test('needs step-up if the organisation requires it, and the response declares step-up', async () => {
    await enter();
    const { portal } = scene;
    setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`);
    expect(xmlOf(fields)).toContain('<saml:AuthnContextClassRef>https://refeds.org/profile/mfa<');
    makeDeviceNew(portal, portal.device(USER));
    const again = await signInBy(scene, `${scene.issuer}/sso`);
    expect(xmlOf(again.fields)).toContain('ac:classes:MobileTwoFactorContract<');
  });

  test('is rejected if a new device performs the step-up', async () => {
    await enter();
    const { portal } = scene;
    const provider = await scene.provider({ authnContext: ['https://refeds.org/profile/mfa'] });
    makeDeviceNew(portal, portal.device(USER));
    const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(xmlOf(fields)).toContain('status:NoAuthnContext');
  });

  test('asks for the step-up number if authentication is forced', async () => {
    await enter();
    const provider = await scene.provider({ forceAuthn: true });
    const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
  });
});

describe('an assertion', () => {
  const samlOf = async (app: SceneOptions['app'], options: Record<string, unknown> = {}) => {
    await enter({ ...(app && { app }) });
    const provider = await scene.provider(options);
    const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    const { profile } = await provider.validatePostResponseAsync(fields);
    return { profile, xml: xmlOf(fields) };
  };

  test('contains a templated name ID, and attributes with formats and transforms', async () => {
    const { profile, xml } = await samlOf({
      name: 'Templates',
      samlNameId: 'suid',
      samlNameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      samlNameIdTransformationTemplate: '${roleCode|lower}:${email|upper}',
      samlAttributes: ['greeting', 'primaryEmail'],
      samlAttributesConfig: [
        { name: 'greeting', format: 'urn:example:greeting', transform: '<Hello> & "${firstName}" ${fullName|upper}' },
      ],
    });
    expect(profile).toMatchObject({
      nameID: 'user:USER@ACME.TEST',
      nameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      greeting: expect.stringMatching(/^<Hello> & "\w+" [A-Z' -]+$/),
      primaryEmail: USER,
    });
    expect(xml).toContain('Name="greeting" NameFormat="urn:example:greeting"');
    expect(xml).toContain('Name="primaryEmail" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"');
  });

  test('contains a new transient name ID each time', { tags: 'whole' }, async () => {
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    const { profile } = await samlOf({ samlNameIdFormat: format });
    expect(profile).toMatchObject({ nameIDFormat: format, nameID: expect.stringMatching(/^_[\w-]{22}$/) });
    const provider = await scene.provider();
    const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
    const again = await provider.validatePostResponseAsync(fields);
    expect(again.profile?.nameID).not.toBe(profile?.nameID);
  });

  test.each([
    'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
    'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  ])('uses the first format in the metadata by default: %s', { tags: 'whole' }, async (format) => {
    await enter({
      app: { samlNameIdFormat: '' },
      nameIdFormats: ['urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos', format],
    });
    const formatFor = async (provider: Awaited<ReturnType<Scene['provider']>>, address: string) => {
      const { profile } = await provider.validatePostResponseAsync((await signInBy(scene, address)).fields);
      expect(profile?.nameIDFormat).toBe(format);
      return profile?.nameID.replace(/^_[\w-]{22}$/, 'a transient one');
    };
    const open = await scene.provider({ identifierFormat: null, validateInResponseTo: 'ifPresent' });
    const asking = await scene.provider({ identifierFormat: format });
    const here = await formatFor(open, `${scene.issuer}/sso`);
    expect(await formatFor(open, await open.getAuthorizeUrlAsync('', undefined, {}))).toBe(here);
    expect(await formatFor(asking, await asking.getAuthorizeUrlAsync('', undefined, {}))).toBe(here);
  });

  test('omits an attribute for which the user has no value', { tags: 'whole' }, async () => {
    const { profile } = await samlOf({ samlAttributes: ['mobileNumber', 'firstName'], samlNameId: 'primaryAttr' });
    expect(profile).toHaveProperty('firstName');
    expect(Object.values(profile ?? {})).not.toContain('');
  });
});

describe('issues no assertion to', () => {
  const begin = async () => {
    await enter();
    const provider = await scene.provider();
    return scene.browser.open(await provider.getAuthorizeUrlAsync('', undefined, {}));
  };
  const signedIn = ({ url }: TestPage) => signInAt(scene.portal, scene.portal.device(USER), url, scene.browser.agent);

  test('a browser other than the one that started the sign-in', async () => {
    const page = await begin();
    const stolen = await testBrowser(scene.portal).open(await signedIn(page));
    expect(stolen.status).toBe(400);
    expect(stolen.text).toContain('started in another browser');
    const id = page.url.searchParams.get('app') ?? '';
    expect(formOf(await scene.browser.open(`/saml/acme/continue?id=${id}`)).action).toBe(ACS);
    expect((await scene.browser.open(`/saml/acme/continue?id=${id}`)).status).toBe(400);
  });

  test('a user who hasn’t signed in yet', async () => {
    const { url } = await begin();
    const page = await scene.browser.open(`/saml/acme/continue?id=${url.searchParams.get('app')}`);
    expect(page.status).toBe(400);
  });

  test('a member of another organisation', async () => {
    const { url } = await begin();
    const { portal } = scene;
    await expect(signInAt(portal, portal.device('admin@globex.test'), url, scene.browser.agent)).rejects.toThrow();
    const page = await scene.browser.open(`${portal.url}/saml/globex/${scene.appId}/sso`);
    expect(page.status).toBe(404);
  });

  test('a user who was disabled during the sign-in', async () => {
    const page = await begin();
    const { portal, browser } = scene;
    await signedIn(page);
    const admin = await portal.signIn('super.admin@acme.test');
    const { suid } = portal.device(USER);
    await portal.call(manageUser, { body: { suid, action: 'pause' } }, admin);
    const id = page.url.searchParams.get('app') ?? '';
    const xml = xmlOf(formOf(await browser.open(`/saml/acme/continue?id=${id}`)).fields);
    expect(xml).toContain('status:RequestDenied');
    expect(xml).not.toContain('Assertion ');
  });

  test('an application whose ACS URL changed during the sign-in', async () => {
    const page = await begin();
    const { portal, browser, appId } = scene;
    await signedIn(page);
    const admin = await portal.signIn('super.admin@acme.test');
    const moved = await request(scene.issuer).get('/metadata');
    expect(moved.headers['content-type']).toBe('application/samlmetadata+xml; charset=utf-8');
    const { metadata } = (
      await portal.call(
        updateSamlApp,
        {
          params: { orgCode: 'acme', appId },
          body: { metadata: MOVED },
        },
        admin,
      )
    ).body.app.samlConfiguration ?? { metadata: '' };
    expect(metadata).toBe(MOVED);
    const id = page.url.searchParams.get('app') ?? '';
    expect((await browser.open(`/saml/acme/continue?id=${id}`)).status).toBe(400);
  });
});

const MOVED = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${SP}/metadata"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${SP}/moved" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>`;

// covers: security 1.2.1
test('serves a form page that runs only its own script and posts only to the application', async () => {
  await enter();
  const page = await testBrowser(scene.portal, USER).open(`${scene.issuer}/sso`);
  const policy = page.headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`form-action ${ACS} ${SP}`);
  expect(policy).toMatch(/script-src 'sha256-[^']+'/);
  expect(policy).not.toContain('unsafe');
  expect(page.headers['cache-control']).toBe('no-store');
  // With `no-referrer`, browsers would post the form with `Origin: null`.
  expect(page.headers['referrer-policy']).toBe('origin');
});
