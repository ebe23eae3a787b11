import { defineWorld } from 'orchestrate/contract';
import { type Portal, startPortal } from 'orchestrate/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const email = 'grace@acme.test';
const resource = 'https://orders.acme.test';
const secret = 'secret-of-the-team-wiki';
const world = defineWorld({
  organisations: [
    {
      code: 'acme',
      people: [{ email }],
      apiResources: [{ identifier: resource, name: 'Orders', scopes: ['orders:read', 'orders:write'] }],
      applications: [
        {
          id: 'team-wiki',
          type: 'oidc',
          oidc: { redirectUris: ['http://localhost:8080/back'], secrets: [{ secret }] },
        },
        { id: 'nightly-export', type: 'oidc', oidc: { kind: 'machine' } },
      ],
    },
  ],
});

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ seed: world });
});
afterAll(() => portal.close());

/** Returns the claims of a token. A resource server also verifies them. */
const claimsOf = (jwt = '') => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
const verdictOf = async (token: string) => (await portal.inspect({ token })).verdict;
/** Returns the token endpoints' response to the wiki. */
const ask = async (path: string, form: Record<string, string>) => {
  const body = new URLSearchParams({ client_id: 'team-wiki', client_secret: secret, ...form });
  return (await fetch(`${portal.url}/oidc/acme/token${path}`, { method: 'POST', body })).json();
};

test('issues the tokens of a user', async () => {
  const { accessToken, idToken, refreshToken } = await portal.tokens({ client: 'team-wiki', as: email });
  expect(claimsOf(idToken)).toMatchObject({ aud: 'team-wiki', email });
  expect(await ask('/introspection', { token: accessToken })).toMatchObject({ active: true });
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' };
  expect(await ask('', form)).toMatchObject({ token_type: 'Bearer' });
  expect(await ask('', { ...form, refresh_token: 'x' })).toMatchObject({ error: 'invalid_grant' });
  const [refused] = await portal.journal({ path: '/oidc/acme/token', limit: 1 });
  expect(refused).toMatchObject({ status: 400, reason: expect.stringContaining('The refresh token is unknown') });
});

test('adds claims and sets the lifetime', async () => {
  const { idToken } = await portal.tokens({ client: 'team-wiki', as: email, claims: { tenant: 'north', acr: 'high' } });
  expect(claimsOf(idToken)).toMatchObject({ tenant: 'north', acr: 'high' });
  const short = await portal.tokens({ client: 'team-wiki', as: email, expiresIn: 5 });
  const { exp, iat } = claimsOf(short.idToken);
  expect(exp - iat).toBe(5);
  const other = await portal.tokens({ client: 'team-wiki', as: email, issuer: 'https://other.example' });
  expect(claimsOf(other.idToken).iss).toBe('https://other.example');
});

test('issues JWTs for an API', async () => {
  const { accessToken } = await portal.tokens({ client: 'team-wiki', as: email, resource, scope: 'orders:read' });
  expect(claimsOf(accessToken)).toMatchObject({ aud: resource, scope: 'orders:read' });
  const service = await portal.tokens({ client: 'nightly-export', resource });
  expect(claimsOf(service.accessToken)).toMatchObject({ aud: resource, sub: 'nightly-export' });
});

test('issues JWTs to an application with this setting', async () => {
  const redirectUris = ['http://localhost:8080/back'];
  const spa = defineWorld({
    organisations: [
      {
        code: 'initech',
        applications: [
          { id: 'spa', type: 'oidc', oidc: { kind: 'single-page', redirectUris, accessTokenFormat: 'jwt' } },
        ],
      },
    ],
  });
  await using space = await portal.space({ seed: spa });
  const peter = await space.person({ org: 'initech' });
  const { accessToken } = await space.tokens({ client: 'spa', as: peter.email });
  expect(claimsOf(accessToken)).toMatchObject({ aud: 'spa', client_id: 'spa' });
  const userinfo = await fetch(`${space.url}/oidc/initech/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  expect(await userinfo.json()).toMatchObject({ email: peter.email });
});

test('exchanges the token of a user for one for the next service', async () => {
  const kind = 'machine';
  const { oidc } = await portal.application({ org: 'acme', id: 'gateway', oidc: { kind, tokenExchange: true } });
  const { accessToken } = await portal.tokens({ client: 'team-wiki', as: email });
  const exchanged = await fetch(`${portal.url}/oidc/acme/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`gateway:${oidc?.clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource,
    }),
  });
  const { access_token: next } = Object(await exchanged.json());
  expect(claimsOf(next)).toMatchObject({ aud: resource, client_id: 'gateway', act: { sub: 'gateway' } });
});

test('issues tokens with one flaw', async () => {
  const expired = await portal.tokens({ client: 'team-wiki', as: email, resource, tamper: 'expired' });
  expect(await verdictOf(expired.accessToken)).toContain('must not be accepted: Expiry');
  const anonymous = await portal.tokens({ client: 'team-wiki', as: email, resource, tamper: { without: 'sub' } });
  expect(claimsOf(anonymous.accessToken)).not.toHaveProperty('sub');
});

test('removes claims and adds fields at the token endpoint', async () => {
  const { refreshToken = '' } = await portal.tokens({ client: 'team-wiki', as: email });
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { token: { without: 'email' } } });
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { fields: { tenant: 'north' } } });
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { claims: { acr: 'high' } } });
  const refreshing = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const answer = await ask('', refreshing);
  expect(answer).toMatchObject({ tenant: 'north', token_type: 'Bearer' });
  expect(claimsOf(answer.id_token)).not.toHaveProperty('email');
  expect(claimsOf(answer.id_token).acr).toBe('high');
  await portal.fault({
    match: { path: '/oidc/acme/token', body: { grant_type: 'refresh_token' } },
    answer: { status: 503 },
  });
  await portal.fault({ match: { path: '/oidc/acme/token', client: 'team-wiki' }, answer: { status: 503 } });
  expect(await ask('', { grant_type: 'client_credentials' })).toMatchObject({ error: 'temporarily_unavailable' });
  expect(await ask('', refreshing)).toMatchObject({ error: 'temporarily_unavailable' });
});
