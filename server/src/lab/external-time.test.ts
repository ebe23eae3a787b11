import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhook,
  DAY,
  readClock,
  resetLab,
  restoreSnapshot,
  SECOND,
  setClock,
  takeSnapshot,
  testWebhook,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import {
  authorize,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '#protocols/oidc/relying-party-testing.ts';
import { type Scene, SLO, setScene, signInBy, signing, xmlOf } from '#protocols/saml/service-provider-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const YEAR = 365 * DAY;

let portal: TestPortal;
afterEach(async () => {
  vi.useRealTimers();
  await portal.close();
});

/** Starts a portal with a shifted clock. All other clocks are correct. */
async function portalAt(difference: number): Promise<void> {
  portal = await testPortal();
  const freezeAt = new Date(Date.now() + difference).toISOString();
  const { status } = await portal.call(setClock, { body: { freezeAt } });
  expect(status).toBe(200);
}

const useLabTime = () => portal.call(setClock, { body: { tokens: 'lab' } });

/** Returns true if a time in seconds is within a minute of a time in milliseconds. */
const near = (seconds: number | undefined, milliseconds: number): boolean =>
  Math.abs((seconds ?? 0) - milliseconds / SECOND) < 60;

async function signInAtProvider(scene: Scene) {
  const provider = await scene.provider(signing(scene));
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  return { provider, fields };
}

describe.each([
  ['one year ahead', YEAR],
  ['one year behind', -YEAR],
])('with the clock %s', (_, difference) => {
  test('issues tokens that an OpenID client with a correct clock accepts', async () => {
    await portalAt(difference);
    const { config, tokens } = await signInToWiki(portal);
    const { iat, auth_time: authTime } = tokens.claims() ?? {};
    expect([near(iat, Date.now()), near(authTime, Date.now())]).toEqual([true, true]);
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(again.claims()?.sub).toBe(tokens.claims()?.sub);
    const { exp = 0 } = await client.tokenIntrospection(config, again.access_token);
    expect(near(exp - (again.expires_in ?? 0), Date.now())).toBe(true);
    // Tokens expire by the lab clock, so advance it past their lifetime.
    portal.clock.advance(again.expires_in ?? 0);
    expect(await client.tokenIntrospection(config, again.access_token)).toEqual({ active: false });
  });

  test('signs in and out at a service provider with a correct clock', async () => {
    await portalAt(difference);
    const scene = await setScene(Date.now(), { portal });
    const { provider, fields } = await signInAtProvider(scene);
    const { profile } = await provider.validatePostResponseAsync(fields);
    expect(profile?.nameID).toBe(USER);
    expect(near(Date.parse(/ AuthnInstant="([^"]+)"/.exec(xmlOf(fields))?.[1] ?? '') / SECOND, Date.now())).toBe(true);
    if (!profile) return;
    const { url } = await scene.browser.open(await provider.getLogoutUrlAsync(profile, '', {}));
    expect(url.origin + url.pathname).toBe(SLO);
    const verdict = await provider.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1));
    expect(verdict).toMatchObject({ loggedOut: true });
    const [{ certificate }] = await idpKeys(portal.deps, 'acme');
    const { validFromDate, validToDate } = new X509Certificate(certificate);
    expect([validFromDate.getTime() < Date.now(), validToDate.getTime() > Date.now()]).toEqual([true, true]);
  });

  test('signs webhooks so that a receiver with a correct clock accepts them', async () => {
    await portalAt(difference);
    const sent: { headers: Record<string, string>; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      sent.push({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { token } = await portal.signIn('security.admin@acme.test');
    const made = await portal.call(createWebhook, { body: { url } }, { token });
    const { webhook, secret } = made.body;
    await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
    await new Promise((resolve) => server.close(resolve));
    // `verify` throws if the times differ by more than five minutes.
    const accepted = sent.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(accepted).toContainEqual(expect.objectContaining({ type: 'webhook.test' }));
  });

  test('issues tokens that only clients with the same clock accept (tokens: lab)', {
    tags: 'whole',
  }, async () => {
    await portalAt(difference);
    await useLabTime();
    const seconds = difference / SECOND;
    const browser = testBrowser(portal, USER);
    const config = new client.Configuration(
      (await relyingParty(portal)).serverMetadata(),
      WIKI.appId,
      { [client.clockSkew]: seconds },
      client.ClientSecretBasic(secretOf(portal, WIKI.appId)),
    );
    client.allowInsecureRequests(config);
    client.enableNonRepudiationChecks(config);
    const tokens = await exchange(config, await authorize(config, browser));
    expect([
      near(tokens.claims()?.iat, Date.now() + difference),
      near(tokens.claims()?.auth_time, Date.now() + difference),
    ]).toEqual([true, true]);
    const { iat } = await client.tokenIntrospection(config, tokens.access_token);
    expect(near(iat, Date.now() + difference)).toBe(true);

    const scene = await setScene(Date.now(), { portal });
    const provider = await scene.provider({ validateInResponseTo: 'never' });
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`);
    await expect(provider.validatePostResponseAsync(fields)).rejects.toThrow(
      difference > 0 ? 'SAML assertion not yet valid' : 'SAML assertion expired',
    );
    // The library reads the system clock, so fake it while the portal is idle.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + difference });
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(USER);
    const loginUrl = await provider.getAuthorizeUrlAsync('', undefined, {});
    vi.useRealTimers();
    expect((await scene.browser.open(loginUrl)).url.searchParams.has('app')).toBe(true);
    const late = await (await scene.provider()).getAuthorizeUrlAsync('', undefined, {});
    expect((await scene.browser.open(late)).text).toContain('it has expired');
  });
});

test('lets a client with a correct clock reject last year’s tokens from the lab clock', async () => {
  await portalAt(-YEAR);
  await useLabTime();
  const config = await relyingParty(portal);
  const call = exchange(config, await authorize(config, testBrowser(portal, USER)));
  await expect(call).rejects.toMatchObject({ cause: { message: expect.stringContaining('"exp"') } });
});

test('expires authorization codes by the lab clock even if tokens use real time', async () => {
  await portalAt(YEAR);
  const config = await relyingParty(portal);
  const authorization = await authorize(config, testBrowser(portal, USER));
  portal.clock.advance(61);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
});

test('returns, snapshots and resets the token clock setting', async () => {
  portal = await testPortal();
  const externalClock = async () => (await portal.call(readClock, {})).body.tokens;
  expect(await externalClock()).toBe('machine');
  const both = await portal.call(setClock, { body: { advance: '10m', tokens: 'lab' } });
  expect(both.body).toMatchObject({ tokens: 'lab', mode: 'frozen' });
  const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
  await portal.call(resetLab, { body: {} });
  expect(await externalClock()).toBe('machine');
  await portal.call(restoreSnapshot, { params: { snapshotId } });
  expect(await externalClock()).toBe('lab');
  await portal.call(setClock, { body: { tokens: 'machine' } });
  expect(await externalClock()).toBe('machine');
  const { status, body } = await portal.http.post('/api/lab/clock').send({ tokens: 'mine' });
  expect({ status, resultName: body.resultName }).toEqual({ status: 400, resultName: 'INVALID_REQUEST' });
});
