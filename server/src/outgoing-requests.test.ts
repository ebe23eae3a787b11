import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import {
  createWebhook,
  listWebhooks,
  type RefusalBody,
  readSamlMetadata,
  saveAppProvisioning,
  testAppProvisioning,
  testOidcConfiguration,
  testWebhook,
  updateApp,
  updateWebhook,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLIENT } from './features/portal-oidc/foreign-provider-testing.ts';
import { authorize, exchange, relyingParty, signInToWiki, USER } from './protocols/oidc/relying-party-testing.ts';
import { setScene } from './protocols/saml/service-provider-testing.ts';
import { saveProvider } from './testing/approving.ts';
import { testBrowser } from './testing/browser.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';
import { type TestPortal, testPortal } from './testing/test-portal.ts';

/** A portal that other machines can reach. */
let portal: TestPortal;
let victim: Receiver;
beforeEach(async () => {
  victim = await startReceiver();
  victim.answerWith({ status: 200, body: 'internal secrets' });
  portal = await testPortal({ config: { host: '0.0.0.0', labToken: 'a-token-of-the-lab' } });
});
afterEach(async () => {
  // No test may reach the loopback service.
  expect(victim.received).toEqual([]);
  await Promise.all([portal.close(), victim.close()]);
});

const INSIDE = 'Loopback and private addresses are allowed only with ALLOW_PRIVATE_NETWORKS';
const RESERVED = 'Link-local and reserved addresses are not allowed';

/** Alternative notations of loopback addresses. */
const LOOPBACK = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST.',
  'victim.localhost',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '127.8.9.10',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
];
const PRIVATE = ['10.0.0.7', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fd00::7]', '[::ffff:10.0.0.7]'];
const NEVER = [
  '0.0.0.0',
  '0',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '198.18.0.1',
  '[::]',
  '[fe80::1]',
  '[ff02::1]',
  '[fec0::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[::127.0.0.1]',
  '[2002:7f00:1::1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[4000::1]',
];

const FORM = { description: '', enabled: true, events: [] };
const APP = { orgCode: 'acme', appId: 'payroll' };

/** URL fields that make the portal send requests, with the call that saves or tests each field. */
const FIELDS: Record<string, (url: string, token: string) => Promise<{ status: number; body: Partial<RefusalBody> }>> =
  {
    url: (url, token) => portal.call(createWebhook, { body: { url, ...FORM } }, { token }),
    'url of SAML metadata': (url, token) =>
      portal.call(readSamlMetadata, { params: { orgCode: 'acme' }, body: { url } }, { token }),
    'url of outbound SCIM': (url, token) =>
      portal.call(saveAppProvisioning, { params: APP, body: { url, secret: 'secret' } }, { token }),
    'url of the outbound SCIM test': (url, token) =>
      portal.call(testAppProvisioning, { params: APP, body: { url, secret: 'secret' } }, { token }),
    'configurationUrl of the OIDC provider test': (configurationUrl, token) =>
      portal.call(testOidcConfiguration, { body: { configurationUrl } }, { token }),
    'configurationUrl of the OIDC provider': (configurationUrl, token) =>
      saveProvider(portal, { ...CLIENT, configurationUrl, buttonLabel: 'Inside', enabled: true }, token),
    'oidcConfiguration.clients.backchannel_logout_uri': (url, token) =>
      portal.call(updateApp, { params: APP, body: clients({ backchannel_logout_uri: url }) }, { token }),
    'oidcConfiguration.clients.jwks_uri': (url, token) =>
      portal.call(updateApp, { params: APP, body: clients({ jwks_uri: url }) }, { token }),
  };

const clients = (of: object) => ({ oidcConfiguration: { clients: of } });

/** Tries every URL in every field and returns the distinct error messages. */
async function complaints(hosts: readonly string[], schemes: readonly string[]) {
  const { token } = await portal.signIn('super.admin@acme.test');
  const results: unknown[] = [];
  const port = new URL(victim.url).port;
  for (const [field, send] of Object.entries(FIELDS)) {
    for (const url of hosts.flatMap((host) => schemes.map((scheme) => `${scheme}://${host}:${port}/hook`))) {
      const { status, body } = await send(url, token);
      const [path] = field.split(' ');
      const [issue] = body.issues ?? [];
      results.push(issue?.path === path && status === 400 ? issue?.message : `${field} accepts ${url}: ${status}`);
    }
  }
  return [...new Set(results)];
}

describe('on a portal that other machines can reach', () => {
  // covers: security 1.3.6
  test('every URL field refuses loopback and private addresses, however they are written', async () => {
    expect(await complaints(LOOPBACK, ['http', 'https'])).toEqual([INSIDE]);
    expect(await complaints(PRIVATE, ['https'])).toEqual([INSIDE]);
  });

  test('every URL field refuses link-local, translated and reserved addresses', async () => {
    expect(await complaints(NEVER, ['https'])).toEqual([RESERVED]);
  });

  test('every URL field refuses http', async () => {
    expect(await complaints(['example.org'], ['http'])).toEqual(['Only https addresses are allowed']);
  });

  // covers: security T8
  test('testing a saved loopback webhook sends nothing and reveals nothing about its port', async () => {
    const webhooks = LOOPBACK.map((host) => ({ url: `http://${host}:${new URL(victim.url).port}/hook` }));
    const people = [{ email: 'boss@inside.test', role: 'SUPER_ADMIN' as const }];
    await portal.lab.reset({ seed: { organisations: [{ code: 'inside', people, webhooks }] } });
    const { token } = await portal.lab.session({ email: 'boss@inside.test' });
    const saved = (await portal.call(listWebhooks, {}, { token })).body.webhooks;
    expect(saved).toHaveLength(LOOPBACK.length);
    for (const { id } of saved) {
      const { delivery } = (await portal.call(testWebhook, { params: { webhookId: id }, body: {} }, { token })).body;
      expect(delivery).toMatchObject({ responseStatus: null, responseBody: '', error: INSIDE });
    }
  });

  // covers: security 1.3.6
  test('refuses a hostname that resolves to a loopback or private address', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    const lookup = vi.spyOn(dns, 'lookup');
    try {
      const { webhook } = (
        await portal.call(createWebhook, { body: { url: 'https://hooks.example/', ...FORM } }, { token })
      ).body;
      const params = { webhookId: webhook.id };
      const answers = ['127.0.0.1', '::1', '10.0.0.7', '::ffff:127.0.0.1', '169.254.169.254', '64:ff9b::7f00:1'];
      const errors = [];
      for (const address of answers) {
        const both = [{ address: '93.184.216.34' }, { address }].map((one) => ({ ...one, family: 4 }));
        lookup.mockImplementation((async () => both) as never);
        syncBuiltinESMExports();
        const { delivery } = (await portal.call(testWebhook, { params, body: {} }, { token })).body;
        errors.push(delivery.error);
      }
      expect(errors).toEqual([INSIDE, INSIDE, INSIDE, INSIDE, RESERVED, RESERVED]);
    } finally {
      lookup.mockRestore();
      syncBuiltinESMExports();
    }
  });

  // covers: security 13.2.4, security 13.2.5
  test('refuses a redirect from an allowed address to loopback', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    const path = '/oidc/globex/.well-known/openid-configuration';
    const configurationUrl = `${portal.url}/oidc/globex`;
    const tryIt = async () =>
      (await portal.call(testOidcConfiguration, { body: { configurationUrl } }, { token })).body;
    // The demo's provider is at the portal's own address, which must stay allowed.
    expect(await tryIt()).toMatchObject({ resultCode: 0, issuer: configurationUrl });
    await portal.lab.fault({ match: { path }, answer: { status: 302, headers: { location: victim.url } } });
    expect(await tryIt()).toMatchObject({ issues: [{ path: 'configurationUrl' }] });
  });

  test('never calls an application’s saved loopback URLs but lets them be saved unchanged', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    portal.deps.db.$client
      .prepare("UPDATE oidc_clients SET backchannelLogoutUri = ? WHERE appId IN ('team-wiki', 'payroll')")
      .run(victim.url);
    const { config, browser, tokens } = await signInToWiki(portal);
    const page = await browser.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }));
    expect((await browser.submit(page)).text).toContain("Team Wiki: couldn't be signed out");
    const save = (name: string) =>
      portal.call(
        updateApp,
        { params: APP, body: { name, ...clients({ backchannel_logout_uri: victim.url }) } },
        { token },
      );
    expect((await save('Payroll two')).status).toBe(200);
  });

  test('sends no SAML SOAP logout to a loopback address', async () => {
    const scene = { portal, logoutBinding: 'soap', soapAddress: victim.url, app: { name: 'Inside' } } as const;
    const { issuer } = await setScene(0, scene);
    const config = await relyingParty(portal);
    const browser = testBrowser(portal, USER);
    await browser.open(`${issuer}/sso`);
    const tokens = await exchange(config, await authorize(config, browser));
    const page = await browser.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }));
    expect((await browser.submit(page)).text).toContain("Inside: couldn't be signed out");
  });

  test('accepts an unchanged loopback webhook but refuses a different loopback URL', async () => {
    const people = [{ email: 'boss@inside.test', role: 'SUPER_ADMIN' as const }];
    await portal.lab.reset({ seed: { organisations: [{ code: 'inside', people, webhooks: [{ url: victim.url }] }] } });
    const { token } = await portal.lab.session({ email: 'boss@inside.test' });
    const [saved] = (await portal.call(listWebhooks, {}, { token })).body.webhooks;
    const save = (url: string) =>
      portal.call(
        updateWebhook,
        { params: { webhookId: saved?.id ?? '' }, body: { ...FORM, url, description: 'Old' } },
        { token, ifMatch: '*' },
      );
    expect((await save(victim.url)).status).toBe(200);
    expect((await save(`${victim.url}/other`)).body.issues).toEqual([{ path: 'url', message: INSIDE }]);
  });
});
