import { createRequire } from 'node:module';
import { createSamlApp, type InputOf } from '@orchestrate/shared';
import { createIdpKey, idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { signInAt, type TestBrowser, type TestPage, testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** A user as the service provider sees them. */
export interface SpProfile {
  issuer: string;
  nameID: string;
  nameIDFormat: string;
  sessionIndex?: string;
  [attribute: string]: unknown;
}

interface Verdict {
  profile: SpProfile | null;
  loggedOut: boolean;
}

/** The subset of node-saml that we use. Its bundled types include DOM types, which would redefine `fetch`. */
interface NodeSaml {
  getAuthorizeUrlAsync(relayState: string, host: undefined, options: object): Promise<string>;
  getAuthorizeMessageAsync(relayState: string): Promise<Record<string, string>>;
  getLogoutUrlAsync(user: SpProfile, relayState: string, options: object): Promise<string>;
  getLogoutResponseUrlAsync(user: SpProfile, relayState: string, options: object, isDone: boolean): Promise<string>;
  validatePostRequestAsync(form: Record<string, string>): Promise<Verdict>;
  validatePostResponseAsync(form: Record<string, string>): Promise<Verdict>;
  validateRedirectAsync(query: Record<string, string>, originalQuery: string): Promise<Verdict>;
}

const { SAML }: { SAML: new (options: Record<string, unknown>) => NodeSaml } = createRequire(import.meta.url)(
  '@node-saml/node-saml',
);

export const SP = 'https://expenses.example';
export const ACS = `${SP}/acs`;
export const SLO = `${SP}/slo`;
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

export interface Keys {
  privateKey: string;
  /** PEM. */
  certificate: string;
}

export interface Scene {
  portal: TestPortal;
  browser: TestBrowser;
  /** The service provider's keys. */
  keys: Keys;
  appId: string;
  /** Our entity ID for this application. */
  issuer: string;
  /** Creates a service provider that is as strict as the library allows. */
  provider(options?: Record<string, unknown>): Promise<NodeSaml>;
}

type NewApp = InputOf<typeof createSamlApp>['body'];

export interface SceneOptions {
  /** Portal to use instead of starting a new one. */
  portal?: TestPortal;
  app?: Partial<NewApp>;
  /** True if the metadata also declares signed requests, the signing key and the logout endpoint. */
  isSigning?: boolean;
  hasKey?: boolean;
  logoutBinding?: 'redirect' | 'post' | 'soap' | 'none';
  /** URL of the SOAP logout endpoint. */
  soapAddress?: string;
  /** Name ID formats to declare in the metadata. */
  nameIdFormats?: readonly string[];
}

const body = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, '');

export function metadataOf(
  { certificate }: Keys,
  { isSigning, hasKey = true, logoutBinding = 'redirect', soapAddress = '', nameIdFormats = [] }: SceneOptions,
) {
  const key = `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${body(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const binding = logoutBinding === 'post' ? POST : REDIRECT;
  const soap = `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="${soapAddress}"/>`;
  const byBrowser = `<md:SingleLogoutService Binding="${binding}" Location="${SP}/logout" ResponseLocation="${SLO}"/>`;
  const logout = logoutBinding === 'soap' ? soap : byBrowser;
  const formats = nameIdFormats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join('');
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${SP}/metadata"><md:SPSSODescriptor${isSigning ? ' AuthnRequestsSigned="true"' : ''} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${hasKey ? key : ''}${logoutBinding === 'none' ? '' : logout}${formats}<md:AssertionConsumerService Binding="${POST}" Location="${SP}/other" index="3"/><md:AssertionConsumerService Binding="${POST}" Location="${ACS}" index="7" isDefault="true"/></md:SPSSODescriptor></md:EntityDescriptor>`;
}

/**
 * Starts a portal with an application for the test's service provider.
 * @param now current real time, because the library supports no other clock
 */
export async function setScene(now: number, options: SceneOptions = {}): Promise<Scene> {
  const portal = options.portal ?? (await testPortal({ now }));
  const keys = await createIdpKey(portal.deps, 'expenses');
  const admin = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme' };
  const created = await portal.call(
    createSamlApp,
    {
      params,
      body: {
        orgCode: 'acme',
        name: 'Expenses',
        metadata: metadataOf(keys, options),
        redirectUrl: `${SP}/start`,
        samlNameId: 'primaryEmail',
        samlAttributes: ['firstName', 'employeeId', 'roleName'],
        flags: { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false },
        ...options.app,
      },
    },
    admin,
  );
  const { appId } = created.body;
  const issuer = `${portal.url}/saml/acme/${appId}`;
  return {
    portal,
    keys,
    appId,
    issuer,
    browser: testBrowser(portal),
    async provider(more = {}) {
      const certificates = await idpKeys(portal.deps, 'acme');
      return new SAML({
        idpCert: certificates.map(({ certificate }) => certificate),
        issuer: `${SP}/metadata`,
        callbackUrl: ACS,
        entryPoint: `${issuer}/sso`,
        logoutUrl: `${issuer}/slo`,
        logoutCallbackUrl: SLO,
        audience: `${SP}/metadata`,
        idpIssuer: issuer,
        wantAssertionsSigned: true,
        wantAuthnResponseSigned: true,
        validateInResponseTo: 'always',
        acceptedClockSkewMs: 0,
        signatureAlgorithm: 'sha256',
        digestAlgorithm: 'sha256',
        ...more,
      });
    },
  };
}

/** Returns the options for signing the service provider's requests. */
export const signing = ({ keys }: Scene) => ({ privateKey: keys.privateKey, publicCert: keys.certificate });

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Returns the form that a page submits automatically. */
export function formOf({ text, status }: TestPage): { action: string; fields: Record<string, string> } {
  const plain = (value = ''): string => value.replace(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) throw new Error(`Expected a form, but got ${status}: ${text}`);
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return { action: plain(action), fields: Object.fromEntries(fields.map(([, name, value]) => [name, plain(value)])) };
}

export const xmlOf = ({ SAMLResponse = '' }: Record<string, string>): string =>
  Buffer.from(SAMLResponse, 'base64').toString();

/**
 * Signs a user in, starting from a URL or form of the service provider, and returns the form that is finally posted
 * to it.
 */
export async function signInBy(
  { portal, browser }: Scene,
  address: string,
  { email = 'user@acme.test', form }: { email?: string; form?: Record<string, string> } = {},
) {
  const { url } = await browser.open(address, form);
  return formOf(await browser.open(await signInAt(portal, portal.device(email), url, browser.agent)));
}
