import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getApp, MINUTE, updateApp } from '@orchestrate/shared';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  createApplication,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

async function makeKey(alg = 'ES256', kid = 'one') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, use: 'sig' };
  return { kid, alg, privateKey, jwk, auth: client.PrivateKeyJwt({ key: privateKey, kid }) };
}
type Key = Awaited<ReturnType<typeof makeKey>>;

const keySet = (...keys: Key[]) => ({ keys: keys.map(({ jwk }) => ({ ...jwk, kty: jwk.kty ?? '' })) });

const errorIn = z.object({ error: z.string().optional() });

type Clients = Parameters<typeof createApplication>[3];

const change = (appId: string, clients: Partial<Clients>) =>
  portal.call(updateApp, { params: { orgCode: 'acme', appId }, body: { oidcConfiguration: { clients } } }, { token });

/** Starts a server that publishes an application's keys, and returns the keys' URL. */
async function publish(
  answer: () => { status: number; headers?: Record<string, string>; body: string },
): Promise<string> {
  const server = createServer((_request, response) => {
    const { status, headers, body } = answer();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

const SIGNS = 'signs members in to an application that authenticates with a %s key';
const signsByKey = async (alg: string) => {
  const key = await makeKey(alg);
  const app = await createApplication(portal, token, 'Signing wiki', { jwks: keySet(key) });
  expect(app.oidcConfiguration).toMatchObject({
    isClosed: false,
    clients: { token_endpoint_auth_method: 'private_key_jwt', client_secret: '', jwks: { keys: [{ kid: 'one' }] } },
    clientSecrets: [],
  });
  const config = await relyingParty(portal, { appId: 'signing-wiki', auth: key.auth });
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
  expect(tokens.claims()?.email).toBe(USER);
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).not.toBe('');
};

test.each(['RS256', 'ES256'])(SIGNS, signsByKey);
test.each(['PS256', 'ES384', 'Ed25519'])(SIGNS, { tags: 'whole' }, signsByKey);

test('issues tokens to a service client that authenticates with its key', async () => {
  const key = await makeKey();
  await createApplication(portal, token, 'Night job', { kind: 'machine', jwks: keySet(key) });
  const config = await relyingParty(portal, { appId: 'night-job', auth: key.auth });
  const { access_token: given } = await client.clientCredentialsGrant(config);
  expect(await client.tokenIntrospection(config, given)).toMatchObject({ active: true, client_id: 'night-job' });
});

test('accepts a pushed authorization request with a client assertion', async () => {
  const key = await makeKey();
  await change(WIKI.appId, { jwks: keySet(key) });
  const config = await relyingParty(portal, { auth: key.auth });
  const verifier = client.randomPKCECodeVerifier();
  const url = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: WIKI.callback,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { url: callback } = await testBrowser(portal, USER).open(url);
  expect((await exchange(config, { callback, verifier })).id_token).toBeDefined();
});

// covers: openid fapi2-security-profile-final-par-ensure-pkce-required
test('requires PKCE from clients with keys, with or without a pushed request', async () => {
  const key = await makeKey();
  await change(WIKI.appId, { jwks: keySet(key) });
  const config = await relyingParty(portal, { auth: key.auth });
  const request = { redirect_uri: WIKI.callback, scope: 'openid' };
  expect(await errorOf(client.buildAuthorizationUrlWithPAR(config, request))).toBe('invalid_request');
  const { url } = await testBrowser(portal, USER).open(client.buildAuthorizationUrl(config, request));
  expect(url.searchParams.get('error')).toBe('invalid_request');
});

describe("keys at an application's jwks_uri", () => {
  test('are accepted, while other keys are rejected', async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    const address = await publish(() => ({ status: 200, body: JSON.stringify(keySet(key)) }));
    await change(WIKI.appId, { jwks_uri: address });
    const config = await relyingParty(portal, { auth: key.auth });
    const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
    const thief = await relyingParty(portal, { auth: other.auth });
    expect(await errorOf(client.refreshTokenGrant(thief, tokens.refresh_token ?? ''))).toBe('invalid_client');
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).not.toBe('');
  });

  /** Returns `accepted`, or the error that a client gets when it signs with this key. */
  async function proofBy({ auth }: Key): Promise<string> {
    const introspection = client.tokenIntrospection(await relyingParty(portal, { auth }), 'x');
    return introspection.then(
      () => 'accepted',
      () => errorOf(introspection),
    );
  }

  /** Publishes keys with headers that let caches keep them for a year. */
  async function publishForEver(...first: Key[]) {
    const publisher = { keys: first, asked: 0 };
    const headers = { 'cache-control': 'max-age=31536000' };
    const address = await publish(() => {
      publisher.asked += 1;
      return { status: 200, headers, body: JSON.stringify(keySet(...publisher.keys)) };
    });
    await change(WIKI.appId, { jwks_uri: address });
    return publisher;
  }

  test('are accepted once published, and fetched again only if needed', async () => {
    const [old, next] = [await makeKey('ES256', 'old'), await makeKey('ES256', 'next')];
    const publisher = await publishForEver(old);
    expect(await proofBy(old)).toBe('accepted');
    publisher.keys = [next];
    expect(await proofBy(next)).toBe('accepted');
    expect(await proofBy(old)).toBe('invalid_client');
    const { asked } = publisher;
    for (const _ of Array.from({ length: 3 })) expect(await proofBy(next)).toBe('accepted');
    expect(publisher.asked).toBe(asked);
  });

  test('are rejected a minute after they are removed', async () => {
    const [stolen, next] = [await makeKey('ES256', 'stolen'), await makeKey('ES256', 'next')];
    const publisher = await publishForEver(stolen);
    expect(await proofBy(stolen)).toBe('accepted');
    publisher.keys = [next];
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE });
    expect(await proofBy(stolen)).toBe('invalid_client');
  });

  test('are fetched at most ten times a minute, whatever key IDs the assertions contain', async () => {
    const key = await makeKey();
    const publisher = await publishForEver(key);
    for (let attempt = 0; attempt < 15; attempt += 1)
      expect(await proofBy(await makeKey('ES256', `x${attempt}`))).toBe('invalid_client');
    expect(publisher.asked).toBeLessThanOrEqual(10);
    expect(await proofBy(key)).toBe('accepted');
  });

  test.each([
    ['an error', { status: 500, body: '{}' }],
    ['HTML', { status: 200, body: '<p>Hello</p>' }],
    ['an empty key set', { status: 200, body: '{"keys":[]}' }],
    ['only a private key', { status: 200, body: '{"keys":[{"kty":"EC","d":"x"}]}' }],
  ])("don't authenticate the client if the URL returns %s", { tags: 'whole' }, async (_what, answer) => {
    const key = await makeKey();
    await change(WIKI.appId, { jwks_uri: await publish(() => answer) });
    const config = await relyingParty(portal, { auth: key.auth });
    expect(await errorOf(client.refreshTokenGrant(config, 'x'))).toBe('invalid_client');
  });
});

describe('a client assertion', () => {
  let key: Key;
  beforeEach(async () => {
    key = await makeKey();
    await createApplication(portal, token, 'Night job', { kind: 'machine', jwks: keySet(key) });
  });

  const issuer = () => `${portal.url}/oidc/acme`;

  const send = async (
    assertion: string,
    path = '/token',
    params: Record<string, string> = { grant_type: 'client_credentials' },
  ) => {
    const response = await fetch(`${issuer()}${path}`, {
      method: 'POST',
      body: new URLSearchParams({
        ...params,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      }),
    });
    const text = await response.text();
    const { error } = errorIn.parse(text === '' ? {} : JSON.parse(text));
    return { status: response.status, error };
  };

  const sign = (claims: Record<string, unknown>, header: object = {}) =>
    new SignJWT({
      iss: 'night-job',
      sub: 'night-job',
      aud: issuer(),
      jti: crypto.randomUUID(),
      exp: soon(60),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .sign(key.privateKey);

  const soon = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  const granted = { status: 200, error: undefined };

  test('can be used only once, even by concurrent requests', async () => {
    const assertion = await sign({});
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await send(assertion)).status).toBe(401);
  });

  test('can be used only once, even if the lab changes the clock between uses', { tags: 'whole' }, async () => {
    portal.clock.freeze(Date.now());
    const assertion = await sign({});
    expect(await send(assertion)).toEqual(granted);
    // The second jump is long enough for the cleanup to delete expired models.
    for (const seconds of [600, 3 * 86_400]) {
      portal.clock.advance(seconds);
      expect(await send(assertion)).toEqual({ status: 401, error: 'invalid_client' });
    }
  });

  test('can name the issuer or the token endpoint as its audience', async () => {
    expect(await send(await sign({ aud: issuer() }))).toEqual(granted);
    expect(await send(await sign({ aud: `${issuer()}/token` }))).toEqual(granted);
    expect(await send(await sign({ aud: [issuer(), `${issuer()}/token`] }))).toEqual(granted);
  });

  test('is rejected if its audience also contains another provider', {
    tags: 'whole',
  }, async () => {
    for (const other of ['https://elsewhere.test', `${portal.url}/oidc/globex`]) {
      expect(await send(await sign({ aud: [issuer(), other] }))).toEqual({ status: 401, error: 'invalid_client' });
    }
  });

  // covers: openid fapi2-security-profile-final-ensure-client-assertion-with-wrong-aud-fails
  // covers: openid fapi2-security-profile-final-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails
  test.each<[string, Record<string, unknown>]>([
    ['has another audience', { aud: 'https://elsewhere.test' }],
    ['has another issuer', { iss: 'team-wiki' }],
    ['has expired', { exp: soon(-60) }],
    ['doesn’t expire', { exp: undefined }],
    ['expires in a year', { exp: soon(365 * 86_400) }],
    ['is not valid yet', { nbf: soon(600) }],
    ['was issued in the future', { iat: soon(600) }],
    ['doesn’t have a jti', { jti: undefined }],
  ])('is rejected if it %s', async (_what, claims) => {
    expect(await send(await sign(claims))).toEqual({ status: 401, error: 'invalid_client' });
  });

  test.each(['dpop+jwt', 'at+jwt', 'logout+jwt', 'APPLICATION/secevent+jwt', '', 1])(
    'is rejected with the type %j (RFC 8725 §3.12)',
    async (typ) => {
      expect(await send(await sign({}, { typ }))).toEqual({ status: 401, error: 'invalid_client' });
    },
  );

  test.each(['JWT', 'jwt', 'application/jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])(
    'is accepted with the type %s',
    { tags: 'whole' },
    async (typ) => {
      expect(await send(await sign({}, { typ }))).toEqual(granted);
    },
  );

  test.each<[string, Record<string, string>]>([
    ['/token', { grant_type: 'client_credentials' }],
    ['/request', { redirect_uri: WIKI.callback, response_type: 'code', scope: 'openid' }],
    ['/token/introspection', { token: 'unknown' }],
    ['/token/revocation', { token: 'unknown' }],
    ['/device-authorization', { scope: 'openid' }],
  ])('is verified at %s and accepted there only once', async (path, params) => {
    const at = async (assertion: string) => (await send(assertion, path, params)).error;
    for (const claims of [
      { aud: 'https://elsewhere.test' },
      { iss: 'team-wiki' },
      { sub: 'team-wiki' },
      { exp: soon(-60) },
    ])
      expect(await at(await sign(claims))).toBe('invalid_client');
    const assertion = await sign({ aud: `${issuer()}${path}` });
    expect(await at(assertion)).not.toBe('invalid_client');
    expect(await at(assertion)).toBe('invalid_client');
    expect(await send(assertion)).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('tolerates a clock that is a few seconds off', async () => {
    expect(await send(await sign({ exp: soon(-10), iat: soon(-70) }))).toEqual(granted);
    expect(await send(await sign({ nbf: soon(10), iat: soon(10) }))).toEqual(granted);
    expect(await send(await sign({ nbf: soon(30) }))).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('follows external time when the lab controls it', { tags: 'whole' }, async () => {
    const refused = { status: 401, error: 'invalid_client' };
    const inLab = (seconds: number) => Math.floor(portal.clock.now() / 1_000) + seconds;
    portal.clock.advance(86_400);
    // External time is still the machine's, which the client uses, so the assertion is valid.
    expect(await send(await sign({}))).toEqual(granted);
    portal.clock.setExternalClock('lab');
    expect(await send(await sign({}))).toEqual(refused);
    expect(await send(await sign({ exp: inLab(60), nbf: inLab(0) }))).toEqual(granted);
    for (const claims of [{ exp: inLab(-60) }, { exp: inLab(60), nbf: inLab(30) }, { exp: inLab(7_200) }])
      expect(await send(await sign(claims))).toEqual(refused);
    const once = await sign({ exp: inLab(60) });
    expect(await send(once)).toEqual(granted);
    expect(await send(once)).toEqual(refused);
    portal.clock.advance(120);
    expect(await send(once)).toEqual(refused);
    portal.clock.setExternalClock('machine');
    expect(await send(await sign({}))).toEqual(granted);
  });

  // covers: openid fapi2-security-profile-final-ensure-invalid-client-assertions-fail
  test('is rejected if unsigned, signed with another key, or altered', async () => {
    const refused = { status: 401, error: 'invalid_client' };
    const assertion = await sign({});
    const [header = '', payload = '', signature = ''] = assertion.split('.');
    expect(await send(await sign({}, { kid: 'two' }))).toEqual(refused);
    expect(await send(`${header}.${payload}.${signature.split('').toReversed().join('')}`)).toEqual(refused);
    expect(await send(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`)).toEqual(refused);
  });

  // covers: openid fapi2-security-profile-final-ensure-client-assertion-in-token-endpoint
  test("can't be omitted, or replaced with a secret, by a client with keys", async () => {
    const basic = await relyingParty(portal, { appId: 'night-job', auth: client.ClientSecretBasic('anything') });
    expect(await errorOf(client.clientCredentialsGrant(basic))).toBe('invalid_client');
    const open = await relyingParty(portal, { appId: 'night-job', auth: client.None() });
    expect(await errorOf(client.clientCredentialsGrant(open))).toBe('invalid_client');
  });
});

test("accepts an application's secrets again after its keys are removed", async () => {
  const key = await makeKey();
  const secret = secretOf(portal, WIKI.appId);
  await change(WIKI.appId, { jwks: keySet(key) });
  const basic = await relyingParty(portal, { auth: client.ClientSecretBasic(secret) });
  expect(await errorOf(client.refreshTokenGrant(basic, 'x'))).toBe('invalid_client');
  await change(WIKI.appId, { jwks: null });
  expect(await errorOf(client.refreshTokenGrant(basic, 'x'))).toBe('invalid_grant');
});

describe('saving client keys', async () => {
  const [good, weak] = [await makeKey(), await generateKeyPair('RS256', { extractable: true })];
  const jwk = await exportJWK(weak.publicKey);
  test.each<[string, object, string]>([
    ['a private key', { jwks: { keys: [await exportJWK(weak.privateKey)] } }, 'jwks.keys.0'],
    ['a secret', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, 'jwks.keys.0'],
    ['a malformed key', { jwks: { keys: [{ kty: 'RSA', n: '!', e: 'AQAB' }] } }, 'jwks.keys.0'],
    ['a short key', { jwks: { keys: [{ ...jwk, n: jwk.n?.slice(0, 171) }] } }, 'jwks.keys.0'],
    ['a point that isn’t on its curve', { jwks: { keys: [{ ...good.jwk, x: good.jwk.y }] } }, 'jwks.keys.0'],
    ['an empty key set', { jwks: { keys: [] } }, 'jwks.keys'],
    ['keys and a jwks_uri', { jwks: keySet(good), jwks_uri: 'https://wiki.acme.test/keys' }, 'jwks_uri'],
    ['a private address', { jwks_uri: 'http://10.0.0.1/keys' }, 'jwks_uri'],
  ])('rejects %s', async (_what, clients, path) => {
    expect(await change(WIKI.appId, clients)).toMatchObject({
      status: 400,
      body: { issues: [{ path: `oidcConfiguration.clients.${path}` }] },
    });
  });

  test('rejects keys of a public client', async () => {
    await createApplication(portal, token, 'Notes', { kind: 'native' });
    expect(await change('notes', { jwks: keySet(good) })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'oidcConfiguration.clients.jwks' }] },
    });
  });
});

test("signs ID tokens with the application's algorithm", async () => {
  const algOf = async () => {
    const { tokens } = await signInToWiki(portal);
    return JSON.parse(Buffer.from(tokens.id_token?.split('.')[0] ?? '', 'base64url').toString()).alg;
  };
  expect(await algOf()).toBe('RS256');
  await change(WIKI.appId, { id_token_signed_response_alg: 'ES256' });
  expect(await algOf()).toBe('ES256');
  const params = { orgCode: 'acme', appId: WIKI.appId };
  const { body } = await portal.call(getApp, { params }, { token });
  expect(body.app.oidcConfiguration?.clients.id_token_signed_response_alg).toBe('ES256');
  const refused = { oidcConfiguration: { clients: { id_token_signed_response_alg: 'none' } } };
  expect(await portal.call(updateApp, { params, body: refused as never }, { token })).toMatchObject({ status: 400 });
});
