import assert from 'node:assert/strict';
import type { BrowserOptions, Portal } from '@orchestrate/server/testing-api';
import type { SamlClient, SamlFlow, SamlSettings } from './foreign-client.ts';
import { excerptOf, PERSON_EMAIL, queryOf, requireRefusal, requireSignedIn, requireSignedOut } from './oidc-flows.ts';

/** A running service provider and its application at the portal. */
export interface SamlStage {
  portal: Portal;
  client: SamlClient;
  url: string;
  /** The identity provider's entity ID. */
  idp: string;
  /** Restarts the service provider with other settings, and updates its metadata at the portal. */
  restart(settings: Partial<SamlSettings>): Promise<void>;
}

async function signIn({ portal, url }: SamlStage, options: BrowserOptions = {}) {
  const browser = portal.browser({ as: PERSON_EMAIL, ...options });
  const page = await browser.open(`${url}/login`);
  return { browser, page };
}

async function signedIn(stage: SamlStage) {
  const { browser, page } = await signIn(stage);
  await requireSignedIn(browser, stage.url, page);
  return browser;
}

const pathOf = ({ idp }: SamlStage, end: 'sso' | 'slo') => `${new URL(idp).pathname}/${end}`;

export const samlFlows: Record<SamlFlow, (stage: SamlStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    await signedIn(stage);
    await stage.portal.verify({ method: 'GET', path: pathOf(stage, 'sso'), count: 1 });
  },
  async 'started at the portal'(stage) {
    const browser = stage.portal.browser({ as: PERSON_EMAIL });
    const page = await browser.open(`${stage.idp}/sso`);
    await requireSignedIn(browser, stage.url, page);
  },
  async 'denied on the phone'(stage) {
    const { browser, page } = await signIn(stage, { answer: 'deny' });
    assert.equal(page.url.href.split('?')[0], `${stage.portal.url}/acme/sign-in`);
    await requireSignedOut(browser, stage.url);
  },
  async RequestDenied(stage) {
    await stage.portal.fault({ match: { path: pathOf(stage, 'sso') }, answer: { assertion: 'denied' } });
    const { browser, page } = await signIn(stage);
    await requireRefusal(browser, stage.url, page);
    await stage.portal.verify({ path: pathOf(stage, 'sso'), count: 1 });
  },
  async 'invalid response'(stage) {
    await stage.portal.fault({ match: { path: pathOf(stage, 'sso') }, answer: { assertion: 'bad-signature' } });
    const { browser, page } = await signIn(stage);
    await requireRefusal(browser, stage.url, page);
    await stage.portal.verify({ path: pathOf(stage, 'sso'), count: 1 });
  },
  async logout(stage) {
    const browser = await signedIn(stage);
    const page = await browser.open(`${stage.url}/logout`);
    assert.equal(page.url.origin, stage.url, `the browser is at ${page.url}: ${excerptOf(page)}`);
    assert.ok(page.status < 400, `the service provider returned ${page.status} ${excerptOf(page)}`);
    await stage.portal.verify({ path: pathOf(stage, 'slo'), count: 1 });
    await requireSignedOut(browser, stage.url);
  },
  async 'signed request'(stage) {
    await stage.restart({ isSigning: true });
    await signedIn(stage);
    const [entry] = await stage.portal.journal({ path: pathOf(stage, 'sso') });
    assert.ok(entry && 'SigAlg' in queryOf(entry), 'its request has no signature');
  },
  async 'request by POST'(stage) {
    await stage.restart({ binding: 'post' });
    await signedIn(stage);
    await stage.portal.verify({ method: 'POST', path: pathOf(stage, 'sso'), count: 1 });
  },
  async 'EC key'(stage) {
    for (const binding of ['redirect', 'post'] as const) {
      await stage.restart({ isSigning: true, keyType: 'ec', binding });
      const browser = await signedIn(stage);
      await browser.open(`${stage.url}/logout`);
      await requireSignedOut(browser, stage.url);
    }
    for (const method of ['GET', 'POST'] as const) {
      await stage.portal.verify({ method, path: pathOf(stage, 'sso'), count: 1 });
    }
  },
};

/** Returns the metadata for creating the application before the service provider can generate its own. */
export const placeholderMetadata = ({ entityId, acs }: SamlClient, url: string, isSigning = false): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId(url)}"><SPSSODescriptor AuthnRequestsSigned="${isSigning}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}${acs}" index="0"/></SPSSODescriptor></EntityDescriptor>`;
