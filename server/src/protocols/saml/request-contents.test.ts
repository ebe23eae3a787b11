import { addressOf, getAppLogin } from '@orchestrate/shared';
import { afterEach, describe, expect, test } from 'vitest';
import { signInAt } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { formOf, type Scene, type SceneOptions, SP, setScene, xmlOf } from './service-provider-testing.ts';

let scene: Scene;
const enter = async (options?: SceneOptions) => {
  scene = await setScene(Date.now(), options);
};
afterEach(() => scene.portal.close());

const USER = 'user@acme.test';
const OTHER = 'manager@acme.test';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const BY_SUID = { samlNameId: 'suid', samlNameIdFormat: PERSISTENT } as const;

let requests = 0;
/** Sends a request with contents that no library writes. @param attributes attributes of the request */
function ask(inside: string, attributes = '') {
  requests += 1;
  const now = new Date(scene.portal.clock.now()).toISOString();
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${requests}" Version="2.0" IssueInstant="${now}" Destination="${scene.issuer}/sso" ${attributes}><saml:Issuer>${SP}/metadata</saml:Issuer>${inside}</samlp:AuthnRequest>`;
  return scene.browser.open(`${scene.issuer}/sso`, { SAMLRequest: Buffer.from(xml).toString('base64') });
}

/** Returns the application's response to a request with these contents, signing in if necessary. */
async function answerTo(inside: string, email = USER): Promise<string> {
  const { portal, browser } = scene;
  const page = await ask(inside);
  if (!page.url.searchParams.has('app')) return xmlOf(formOf(page).fields);
  return xmlOf(
    formOf(await browser.open(await signInAt(portal, portal.device(email), page.url, browser.agent))).fields,
  );
}

const subject = (nameId: string, attributes = '') =>
  `<saml:Subject><saml:NameID ${attributes}>${nameId}</saml:NameID></saml:Subject>`;
const suidOf = (email: string) => memberByEmail(scene.portal, 'acme', email).suid;

describe('a request with a subject', () => {
  test.each([
    ['by email', () => subject(USER, `Format="${EMAIL}"`), {}],
    ['by email in any letter case without a format', () => subject('User@ACME.test'), {}],
    ['by email for an application with another name ID', () => subject(USER, `Format="${EMAIL}"`), BY_SUID],
    ['by name ID', () => subject(suidOf(USER), `Format="${PERSISTENT}" SPNameQualifier="${SP}/metadata"`), BY_SUID],
  ])('gets an assertion only for a user named %s', { tags: 'whole' }, async (_how, inside, app) => {
    await enter({ app });
    expect(await answerTo(inside())).toContain('status:Success');
    const refused = await answerTo(inside(), OTHER);
    expect(refused).toContain('status:AuthnFailed');
    expect(refused).not.toContain('Assertion ');
  });

  test('prefills the sign-in page with the email of the named user', async () => {
    await enter({ app: BY_SUID });
    const hintAt = async (inside: string) => {
      const { url } = await ask(inside);
      const path = addressOf(getAppLogin, { params: { appLoginId: url.searchParams.get('app') ?? '' } });
      return (await scene.browser.agent.get(`/api${path}`)).body.loginHint;
    };
    expect(await hintAt(subject(suidOf(USER)))).toBe(USER);
    expect(await hintAt(subject(USER))).toBe(USER);
    expect(await hintAt('')).toBe('');
  });

  test.each([
    ['with an encrypted ID', '<saml:Subject><saml:EncryptedID>x</saml:EncryptedID></saml:Subject>'],
    ['with a BaseID', '<saml:Subject><saml:BaseID/></saml:Subject>'],
    ['without a name', subject('')],
    ['for another service', subject(USER, 'SPNameQualifier="https://other.example"')],
    ['from another identity provider', subject(USER, 'NameQualifier="https://other.example"')],
  ])('is rejected immediately for a subject %s', async (_how, inside) => {
    await enter();
    expect(await answerTo(inside)).toContain('status:UnknownPrincipal');
  });
});

describe('a request for a name ID format', () => {
  test.each([
    ['that is supported', `Format="${EMAIL}"`, 'status:Success'],
    ['for its own service', `SPNameQualifier="${SP}/metadata" AllowCreate="true"`, 'status:Success'],
    ['that is not supported', `Format="urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos"`, 'InvalidNameIDPolicy'],
    ['that is encrypted', `Format="urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted"`, 'InvalidNameIDPolicy'],
    ['for another service', 'SPNameQualifier="https://other.example"', 'InvalidNameIDPolicy'],
  ])(
    'gets the expected status for a format %s (SAML 2.0 core §3.4.1.1)',
    { tags: 'whole' },
    async (_what, policy, status) => {
      await enter();
      const xml = await answerTo(`<samlp:NameIDPolicy ${policy}/>`);
      expect(xml).toContain(status);
      expect(xml.includes('Assertion ')).toBe(status === 'status:Success');
    },
  );
});

describe('a request for an authentication context (SAML 2.0 core §3.3.2.2.1)', () => {
  const NAMES: Readonly<Record<string, string>> = { mfa: 'https://refeds.org/profile/mfa' };
  const nameOf = (name: string) => NAMES[name] ?? `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`;
  const DEVICE = 'MobileTwoFactorContract';

  const answersWith = async (comparison: string, classes: string[], answered: string) => {
    await enter();
    const refs = classes.map((name) => `<saml:AuthnContextClassRef>${nameOf(name)}</saml:AuthnContextClassRef>`);
    const xml = await answerTo(
      `<samlp:RequestedAuthnContext Comparison="${comparison}">${refs.join('')}</samlp:RequestedAuthnContext>`,
    );
    if (answered === 'NoAuthnContext') expect(xml).toContain('status:NoAuthnContext');
    else expect(xml).toContain(`<saml:AuthnContextClassRef>${nameOf(answered)}<`);
  };
  const TITLE = 'with the comparison %s and the classes %j returns %s';

  test.each<[string, string[], string]>([
    ['exact', ['Kerberos', 'Password', DEVICE], 'Password'],
    ['minimum', ['mfa', DEVICE], DEVICE],
    ['better', ['Password', DEVICE], 'mfa'],
    ['maximum', ['Password', DEVICE, 'Kerberos'], DEVICE],
    ['strange', ['Password'], 'NoAuthnContext'],
  ])(TITLE, answersWith);

  test.each<[string, string[], string]>([
    ['exact', ['Kerberos'], 'NoAuthnContext'],
    ['minimum', ['Password'], DEVICE],
    ['minimum', ['mfa'], 'mfa'],
    ['minimum', ['Kerberos'], 'NoAuthnContext'],
    ['better', ['Password', 'PreviousSession'], DEVICE],
    ['better', ['mfa'], 'NoAuthnContext'],
    ['better', ['Password', 'Kerberos'], 'NoAuthnContext'],
    ['maximum', ['Password'], 'Password'],
    ['maximum', ['PreviousSession'], 'PreviousSession'],
    ['maximum', ['Kerberos'], 'NoAuthnContext'],
  ])(TITLE, { tags: 'whole' }, answersWith);

  test('is rejected if it uses a declaration', async () => {
    await enter();
    const ref = '<saml:AuthnContextDeclRef>https://sp.example/declaration</saml:AuthnContextDeclRef>';
    const xml = await answerTo(`<samlp:RequestedAuthnContext>${ref}</samlp:RequestedAuthnContext>`);
    expect(xml).toContain('status:NoAuthnContext');
  });
});

describe('the check against the schema and the profile', () => {
  const confirmed = `<saml:Subject><saml:NameID>${USER}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/></saml:Subject>`;

  test.each([
    ['ForceAuthn="yes"', ''],
    ['ForceAuthn="TRUE"', ''],
    ['IsPassive=""', ''],
    ['AttributeConsumingServiceIndex="first"', ''],
    ['AttributeConsumingServiceIndex="65536"', ''],
    ['', '<samlp:NameIDPolicy AllowCreate="yes"/>'],
    ['', '<samlp:NameIDPolicy/><samlp:NameIDPolicy/>'],
    ['', confirmed],
    ['', confirmed.replace(/<saml:NameID>.*<\/saml:NameID>/, '')],
    ['ForceAuth="true"', ''],
    ['', '<samlp:NameIDPolicy format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"/>'],
    ['', '<samlp:RequestedAuthnContext comparison="minimum"/>'],
    ['', '<samlp:RequestedAuthnContext/><samlp:NameIDPolicy/>'],
    ['', '<samlp:ForceAuthn>true</samlp:ForceAuthn>'],
    ['', '<NameIDPolicy xmlns="urn:example"/>'],
  ])('returns Requester for a request with %s %s', async (attributes, inside) => {
    await enter();
    const xml = xmlOf(formOf(await ask(inside, attributes)).fields);
    expect(xml).toMatch(/status:Requester"\/><samlp:StatusMessage>[A-Z][^<]+\.<\/samlp:StatusMessage><\/samlp:Status>/);
    expect(xml).not.toContain('Assertion ');
  });

  test('accepts unknown content in signatures, extensions and attributes with a namespace', async () => {
    await enter();
    const inside = '<samlp:Extensions><x xmlns="urn:example" y="z"/></samlp:Extensions><samlp:NameIDPolicy/>';
    const attributes = 'xmlns:x="urn:example" x:y="z" Consent="urn:x" ProviderName="x"';
    expect((await ask(inside, attributes)).url.searchParams.has('app')).toBe(true);
  });

  test.each(['true', 'false', '1', '0', ' true '])('accepts ForceAuthn="%s" (xs:boolean)', async (value) => {
    await enter();
    expect((await ask('', `ForceAuthn="${value}"`)).url.searchParams.has('app')).toBe(true);
  });
});

test('resolves a pseudonym in a request, and names the user on the sign-in page', async () => {
  await enter({ app: { samlNameIdFormat: '' } });
  const policy = `<samlp:NameIDPolicy Format="${PERSISTENT}"/>`;
  const nameId = /<saml:NameID[^>]*>([^<]*)</.exec(await answerTo(policy))?.[1] ?? '';
  for (const named of [subject(nameId, `Format="${PERSISTENT}"`), subject(nameId) + policy]) {
    const { url } = await ask(named);
    const path = addressOf(getAppLogin, { params: { appLoginId: url.searchParams.get('app') ?? '' } });
    expect((await scene.browser.agent.get(`/api${path}`)).body.loginHint).toBe(USER);
    expect(await answerTo(named)).toContain('status:Success');
    expect(await answerTo(named, OTHER)).toContain('status:AuthnFailed');
  }
});
