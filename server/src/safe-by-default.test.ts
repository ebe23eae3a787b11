import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  createWebhook,
  deleteAppProvisioning,
  listWebhooks,
  type RefusalBody,
  readSamlMetadata,
  replayProvisioning,
  saveAppProvisioning,
  testAppProvisioning,
  testOidcConfiguration,
  testWebhook,
  updateApp,
  updateWebhook,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import request from 'supertest';
import { expect, test, vi } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { CLIENT, foreignProvider } from './features/portal-oidc/foreign-provider-testing.ts';
import { requireLabDecision } from './lab/lab-token-file.ts';
import { authorize, exchange, relyingParty, signInToWiki, USER, WIKI } from './protocols/oidc/relying-party-testing.ts';
import { setScene } from './protocols/saml/service-provider-testing.ts';
import { saveProvider, setUpProvider } from './testing/approving.ts';
import { testBrowser } from './testing/browser.ts';
import { startReceiver } from './testing/receiver.ts';
import { type TestPortal, testPortal } from './testing/test-portal.ts';

const TOKEN = 'Vq7Zt0cXb2LrYd9KfWm3';
const PARAMS = { response_type: 'code', client_id: 'team-wiki', scope: 'openid' };
/** A domain name that resolves to a link-local address. */
const NAMED = 'https://inside.example/';
/**
 * Addresses no portal sends requests to, not even a local portal. See `outgoing-requests.test.ts` for loopback and
 * private networks.
 */
const FORBIDDEN = [
  'https://0.0.0.0/',
  'https://[fe80::7]/',
  'https://169.254.169.254/latest/meta-data',
  'http://example.org/',
  NAMED,
];
const PUBLIC = [
  { HOST: '0.0.0.0' },
  { PUBLIC_URL: 'https://portal.example' },
  { BACKCHANNEL_URL: 'http://portal:3000' },
  { TRUSTED_PROXIES: '10.0.0.1' },
];

test('acceptance 24: binds loopback and refuses unsafe settings, redirects and fetches', async () => {
  const portal = await testPortal();
  try {
    expect(portal.app.server.address()).toMatchObject({ address: '127.0.0.1' });

    const evil = { ...PARAMS, redirect_uri: 'https://evil.example' };
    const refused = await portal.http.get('/oidc/acme/auth').query(evil).redirects(0);
    expect(refused.status).toBe(400);
    expect(refused.headers.location).toBeUndefined();

    await expectNothingFetched(portal);
  } finally {
    await portal.close();
  }

  for (const labToken of [null, TOKEN]) {
    const response = await clockOf({ host: '0.0.0.0', labToken });
    expect(response).toEqual(labToken ? [403, 200] : [403, 403]);
  }

  expect(await startEnd({ NODE_ENV: 'production', HOST: '0.0.0.0' })).toEqual({
    code: 1,
    complaint:
      'NODE_ENV=production requires a lab token on a publicly reachable portal (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES). Set LAB_TOKEN (auto generates one) or LAB=off.\n',
  });
});

test('records no journal while the lab is closed', async () => {
  for (const [labToken, isKept] of [
    [null, false],
    [TOKEN, true],
  ] as const) {
    await using portal = await testPortal({ config: { host: '0.0.0.0', labToken } });
    await portal.http.get('/api/setup');
    expect(portal.deps.journal.last() > 0).toBe(isKept);
  }
});

test.each(PUBLIC)('requires a lab token or LAB=off in production: %o', (env) => {
  const decide = (more: object) => () => requireLabDecision(readConfig({ NODE_ENV: 'production', ...env, ...more }));
  expect(decide({})).toThrow('Set LAB_TOKEN');
  for (const settings of [{ LAB_TOKEN: 'auto' }, { LAB_TOKEN: TOKEN }, { LAB: 'off' }])
    expect(decide(settings)).not.toThrow();
});

test.each([{}, { NODE_ENV: 'development', HOST: '0.0.0.0' }, { HOST: '0.0.0.0' }, { NODE_ENV: 'production' }])(
  'starts with the lab closed outside production if others can reach the portal: %o',
  (env) => {
    expect(() => requireLabDecision(readConfig(env))).not.toThrow();
  },
);

const WEAK = [
  'eight-ch',
  'a-token-of-the-lab',
  'secret'.repeat(10),
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'Summer2026!Winter2027!',
  'P@ssw0rd-P4$$word-2026',
  '1q2w3e4r5t6z7u8i9o0p',
  'netgear router iloveyou',
];

test.each(WEAK)('refuses the lab token %s, but not on a local portal', (token) => {
  const decide = (more: object) => () => requireLabDecision(readConfig({ LAB_TOKEN: token, ...more }));
  for (const env of PUBLIC) {
    expect(decide(env)).toThrow(
      'LAB_TOKEN is guessable, and this portal is publicly reachable (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES). It needs at least 20 random characters. Set LAB_TOKEN=auto to generate one.',
    );
    expect(decide({ ...env, LAB: 'off' })).not.toThrow();
  }
  expect(decide({})).not.toThrow();
});

test.each(['hex', 'base64', 'base64url'] as const)('accepts 16 random bytes as a lab token in %s', (encoding) => {
  for (let round = 0; round < 100; round += 1) {
    const env = { HOST: '0.0.0.0', LAB_TOKEN: randomBytes(16).toString(encoding) };
    expect(() => requireLabDecision(readConfig(env))).not.toThrow();
  }
});

test('explains in one line why a weak token prevents startup if others can reach the portal', async () => {
  const { code, complaint } = await startEnd({ HOST: '0.0.0.0', LAB_TOKEN: 'open-sesame' });
  expect({ code, complaint }).toEqual({ code: 1, complaint: expect.stringMatching(/^LAB_TOKEN is guessable.*\n$/) });
});

test("requires the token for a space's lab if others can reach the portal", async () => {
  const portal = await testPortal({ config: { publicUrl: 'https://portal.example', labToken: TOKEN } });
  try {
    const address = portal.app.server.address();
    const here = (port: number | string) => `http://localhost:${port}`;
    const own = typeof address === 'object' && address ? address.port : 0;
    const made = await request(here(own)).post('/api/lab/spaces').auth(TOKEN, { type: 'bearer' }).send({});
    expect(made.body.url).toMatch(/^http:\/\/portal\.example:\d+$/);
    const space = here(new URL(made.body.url).port);
    const without = await request(space).get('/api/lab/clock');
    const withToken = await request(space).get('/api/lab/clock').auth(TOKEN, { type: 'bearer' });
    expect([without.status, withToken.status]).toEqual([403, 200]);
    expect(without.headers['strict-transport-security']).toBeUndefined();
  } finally {
    await portal.close();
  }
});

/** Calls that make the server request a user-supplied URL, by source file. All of them must be refused. */
const FETCHES: Record<string, (portal: TestPortal, url: string) => Promise<void>> = {
  async 'features/applications/saml/read-metadata.ts'(portal, url) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const moved = await startReceiver();
    moved.answerWith({ status: 302, headers: { location: url } });
    for (const given of [url, moved.url]) {
      const wanted = { params: { orgCode: 'acme' }, body: { url: given } };
      refusedOn('url', await portal.call(readSamlMetadata, wanted, { token }));
    }
    expect(moved.received).toHaveLength(1);
    await moved.close();
  },
  async 'features/applications/create-app.ts'(portal, url) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const params = { orgCode: 'acme', appId: 'payroll' };
    const body = { oidcConfiguration: { clients: { backchannel_logout_uri: url } } };
    const saved = await portal.call(updateApp, { params, body }, { token });
    // A host name is resolved only when it is used, so saving it succeeds. The calls below must be refused.
    if (url !== NAMED) refusedOn('oidcConfiguration.clients.backchannel_logout_uri', saved);
  },
  async 'protocols/oidc/provider/create-provider.ts'(portal, url) {
    if (!/^https?:/.test(url)) return;
    // Write the setting directly, because the form would reject it.
    const set = portal.deps.db.$client.prepare(
      "UPDATE oidc_clients SET backchannelLogoutUri = ? WHERE appId = 'team-wiki'",
    );
    set.run(url);
    const { config, browser, tokens } = await signInToWiki(portal);
    const page = await browser.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }));
    expect((await browser.submit(page)).text).toContain("Team Wiki: couldn't be signed out");
    set.run(null);
  },
  async 'protocols/saml/end-sessions.ts'(portal, url) {
    if (!/^https?:/.test(url)) return;
    const name = `Inside ${FORBIDDEN.indexOf(url)}`;
    const scene = { portal, logoutBinding: 'soap', soapAddress: url, app: { name } } as const;
    const { issuer } = await setScene(0, scene);
    const config = await relyingParty(portal);
    const browser = testBrowser(portal, USER);
    await browser.open(`${issuer}/sso`);
    const tokens = await exchange(config, await authorize(config, browser));
    const page = await browser.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }));
    expect((await browser.submit(page)).text).toContain(`${name}: couldn't be signed out`);
  },
  async 'features/portal-oidc/configuration-routes.ts'(portal, url) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const wanted = { body: { configurationUrl: url } };
    refusedOn('configurationUrl', await portal.call(testOidcConfiguration, wanted, { token }));
  },
  async 'features/portal-oidc/settings.ts'(portal, url) {
    const body = { ...CLIENT, configurationUrl: url, buttonLabel: 'Inside', enabled: true };
    const { token } = await portal.signIn('super.admin@acme.test');
    const saved = await saveProvider(portal, body, token);
    // A host name is resolved only when it is used, so saving it succeeds. The calls below must be refused.
    if (url !== NAMED) refusedOn('configurationUrl', saved);
  },
  async 'core/sign-in/external-provider.ts'(portal, url) {
    const ended = async (orgCode: string) => {
      const { pathname, search } = await testBrowser(portal).walk(`/api/oidc/login?orgCode=${orgCode}`);
      return `${pathname}${search}`;
    };
    // Write the settings directly, because the form would reject them.
    const provider = { configurationUrl: url, clientId: 'portal', clientSecret: 'secret' };
    await portal.lab.reset({ seed: { organisations: [{ code: 'inside', provider }] } });
    expect(await ended('inside')).toBe('/static/sso-provider-down?org=inside');
    await portal.lab.reset({ seed: 'demo' });

    // A permitted provider that refers to forbidden addresses.
    const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
    foreign.person = { sub: 'u-1', email: 'user@acme.test', email_verified: true };
    const document: object = (await request(foreign.issuer).get(DISCOVERY)).body;
    await setUpProvider(portal, {
      ...CLIENT,
      configurationUrl: foreign.issuer,
      buttonLabel: 'Foreign',
      enabled: true,
    });
    expect(await ended('acme')).toBe('/acme/sign-in?login=success');
    for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
      foreign.instead.set(DISCOVERY, { status: 200, json: { ...document, [endpoint]: url } });
      // Expires the cached discovery document.
      portal.clock.advance(600);
      expect(await ended('acme'), endpoint).not.toContain('success');
    }
    await foreign.close();
  },
  async 'features/webhooks/write-webhook.ts'(portal, url) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const form = (to: string) => ({ url: to, description: '', enabled: true, events: [] });
    const made = (await portal.call(createWebhook, { body: form('https://hooks.example/') }, { token })).body.webhook;
    const created = await portal.call(createWebhook, { body: form(url) }, { token });
    const changed = await portal.call(
      updateWebhook,
      { params: { webhookId: made.id }, body: form(url) },
      { token, ifMatch: '*' },
    );
    if (url !== NAMED) for (const answer of [created, changed]) refusedOn('url', answer);
  },
  async 'protocols/webhook-delivery/attempt-delivery.ts'(portal, url) {
    const [code, email] = ['inside', 'boss@inside.test'];
    const people = [{ email, role: 'SUPER_ADMIN' as const }];
    await portal.lab.reset({ seed: { organisations: [{ code, people, webhooks: [{ url }] }] } });
    const { token } = await portal.lab.session({ email });
    const [webhook] = (await portal.call(listWebhooks, {}, { token })).body.webhooks;
    const params = { webhookId: webhook?.id ?? '' };
    const { delivery } = (await portal.call(testWebhook, { params, body: {} }, { token })).body;
    expect(delivery).toMatchObject({ responseStatus: null, error: expect.stringContaining('allowed') });
    await portal.lab.reset({ seed: 'demo' });
  },
  async 'lab/provisioning/routes.ts'(portal, url) {
    const tried = await portal.call(replayProvisioning, { body: { dialect: 'okta', url } });
    if (url !== NAMED) refusedOn('url', tried);
  },
  async 'features/outbound-provisioning/write-target.ts'(portal, url) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const params = { orgCode: 'acme', appId: 'payroll' };
    const saved = await portal.call(saveAppProvisioning, { params, body: { url, secret: 'secret' } }, { token });
    // A host name is resolved only when it is used, so saving it succeeds. The calls below must be refused.
    if (url !== NAMED) refusedOn('url', saved);
    else await portal.call(deleteAppProvisioning, { params }, { token });
  },
  async 'protocols/scim/client/ask-service.ts'(portal, url) {
    if (url !== NAMED) return;
    const { token } = await portal.signIn('super.admin@acme.test');
    const params = { orgCode: 'acme', appId: 'payroll' };
    const tried = await portal.call(testAppProvisioning, { params, body: { url, secret: 'secret' } }, { token });
    expect(tried.body).toMatchObject({ ok: false, checks: [{ status: null }, { status: null }] });
    const { steps } = (await portal.call(replayProvisioning, { body: { dialect: 'okta', url } })).body;
    expect(new Set(steps.map(({ status, ok }) => `${status} ${ok}`))).toEqual(new Set(['null false']));
  },
};

const DISCOVERY = '/.well-known/openid-configuration';

function refusedOn(path: string, { status, body }: { status: number; body: Partial<RefusalBody> }): void {
  expect({ status, resultName: body.resultName, paths: body.issues?.map((issue) => issue.path) }).toEqual({
    status: 400,
    resultName: 'INVALID_REQUEST',
    paths: [path],
  });
}

/** Passes all forbidden addresses to all calls and expects no connections. */
async function expectNothingFetched(portal: TestPortal): Promise<void> {
  // Matches the functions that send outgoing requests. Type imports send none.
  const asks =
    /import (?!type )[^;]*\b(?:requestOutside|fetchOutside|createOutsideFetch|requireOutsideAddress)\b[^;]* from/;
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|^platform.adapters/.test(path),
  );
  const asking = sources.filter((path) => asks.test(readFileSync(join(import.meta.dirname, path), 'utf8')));
  expect(asking.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual(Object.keys(FETCHES).toSorted());

  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation((async () => [{ address: '169.254.169.254', family: 4 }]) as never);
  syncBuiltinESMExports();
  const connected = new Set<string>();
  const note = (message: unknown) => connected.add((message as { request: ClientRequest }).request.host);
  subscribe('http.client.request.start', note);
  try {
    for (const url of FORBIDDEN) {
      for (const drive of Object.values(FETCHES)) await drive(portal, url);
      // Requests can be passed by URL (OpenID Connect Core 1.0 §6.2).
      const params = { ...PARAMS, redirect_uri: WIKI.callback, request_uri: url };
      const { headers } = await portal.http.get('/oidc/acme/auth').query(params).redirects(0);
      expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('request_uri_not_supported');
    }
  } finally {
    unsubscribe('http.client.request.start', note);
    lookup.mockRestore();
    syncBuiltinESMExports();
  }
  expect([...connected].filter((host) => host !== 'localhost' && host !== '127.0.0.1')).toEqual([]);
}

/** Returns the lab's status codes without and with the token, in that order. */
async function clockOf(config: Partial<Config>): Promise<number[]> {
  const portal = await testPortal({ config });
  try {
    const without = await request(portal.url).get('/api/lab/clock');
    // Without the token, an unknown endpoint gets the same status as an existing one.
    expect((await request(portal.url).post('/api/lab/clok')).status).toBe(403);
    const withToken = await request(portal.url).get('/api/lab/clock').auth(TOKEN, { type: 'bearer' });
    return [without.status, withToken.status];
  } finally {
    await portal.close();
  }
}

/** Starts a portal that is expected to exit. */
async function startEnd(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.js'), '--json'], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_FILE: ':memory:', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, complaint };
}
