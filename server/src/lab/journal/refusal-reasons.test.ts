import { contract } from '@orchestrate/shared';
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secretOf, USER, WIKI } from '#protocols/oidc/relying-party-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { explain } from '../../testing-api/explain-failures.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.lab.reset({}));
afterAll(() => portal.close());

const MANAGER = 'manager@acme.test';
type Form = Record<string, string>;

/** Posts a form below the issuer as the wiki. Returns the response, and the reason in the journal. */
async function post(path: string, form: Form, secret = secretOf(portal, WIKI.appId), client = WIKI.appId) {
  const request = portal.http.post(`/oidc/acme/${path}`).auth(client, secret).type('form');
  const { status, body } = await request.send(form);
  return { status, error: body.error, description: body.error_description, reason: await lastReason() };
}

async function lastReason(): Promise<string | undefined> {
  const entry = (await portal.lab.journal({ kind: 'http' })).at(-1);
  return entry?.kind === 'http' ? entry.reason : undefined;
}

/** Signs the user in. Returns the form that exchanges the code. */
async function authorized(as = USER): Promise<Form> {
  const verifier = randomPKCECodeVerifier();
  const params = new URLSearchParams({
    ...{ client_id: WIKI.appId, redirect_uri: WIKI.callback, response_type: 'code', scope: 'openid offline_access' },
    ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
  });
  const { url } = await testBrowser(portal, as).open(`${portal.url}/oidc/acme/auth?${params}`);
  const code = url.searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri: WIKI.callback, code_verifier: verifier };
}

const refreshing = (token = 'no-such-token'): Form => ({ grant_type: 'refresh_token', refresh_token: token });

test('tells the causes of invalid_grant for a code apart, but only in the journal', async () => {
  const wire = { status: 400, error: 'invalid_grant', description: 'grant request is invalid' };
  const form = await authorized();
  const causes: [Form, RegExp][] = [
    [{ ...form, code: 'no-such-code' }, /^The authorization code is unknown\b/],
    [{ ...form, redirect_uri: 'http://localhost:8080/' }, /^The redirect_uri differs from the one /],
    [{ ...form, code_verifier: randomPKCECodeVerifier() }, /^The code_verifier doesn't match /],
    [{ ...form, code_verifier: '' }, /^The code_verifier is missing\. /],
  ];
  for (const [sent, reason] of causes) {
    expect(await post('token', sent)).toEqual({ ...wire, reason: expect.stringMatching(reason) });
  }
  expect(await post('token', form)).toMatchObject({ status: 200, reason: undefined });
  expect(await post('token', form)).toEqual({
    ...wire,
    reason: expect.stringMatching(/^The authorization code has already been used\. /),
  });

  const late = await authorized();
  await portal.lab.clock({ advance: '1h' });
  expect(await post('token', late)).toEqual({ ...wire, reason: 'The authorization code has expired.' });

  const inactive = await authorized(MANAGER);
  await portal.lab.person({ org: 'acme', email: MANAGER, status: 'inactive' });
  expect(await post('token', inactive)).toEqual({ ...wire, reason: expect.stringMatching(/^The user is inactive\b/) });
});

test('tells the causes of invalid_grant for a refresh token apart', async () => {
  expect(await post('token', refreshing())).toMatchObject({
    reason: expect.stringMatching(/^The refresh token is unk/),
  });
  const { refreshToken = '' } = await portal.lab.tokens({ client: WIKI.appId, as: USER });
  await post('token', refreshing(refreshToken));
  await portal.lab.clock({ advance: '1m' });
  expect(await post('token', refreshing(refreshToken))).toMatchObject({
    error: 'invalid_grant',
    reason: expect.stringMatching(/^The refresh token has already been used\. /),
  });
  const { refreshToken: late = '' } = await portal.lab.tokens({ client: WIKI.appId, as: USER });
  await portal.lab.clock({ advance: '15d' });
  expect(await post('token', refreshing(late))).toMatchObject({ reason: 'The refresh token has expired.' });
});

test('tells the causes of invalid_client apart, and lists the supported grants', async () => {
  const wire = { status: 401, error: 'invalid_client', description: 'client authentication failed' };
  expect(await post('token', refreshing(), 'a wrong secret')).toEqual({
    ...wire,
    reason: 'The client secret is wrong.',
  });
  expect(await post('token', refreshing(), 'x', 'no-such-client')).toEqual({
    ...wire,
    reason: 'The organisation acme has no application with this client_id.',
  });
  expect(await post('token', { grant_type: 'password' })).toMatchObject({
    error: 'unsupported_grant_type',
    reason: expect.stringMatching(/^This grant_type isn't supported\. Use authorization_code, .*refresh_token, /),
  });
  expect(await post('token', { grant_type: 'client_credentials' })).toMatchObject({
    error: 'unauthorized_client',
    reason: expect.stringMatching(/^The application can't use this grant_type\. It can use authorization_code, /),
  });
});

test('gives the reason at every other endpoint that refuses requests', async () => {
  const wrong = 'a wrong secret';
  for (const path of ['token/introspection', 'token/revocation', 'request', 'device-authorization']) {
    expect(await post(path, { token: 'x' }, wrong)).toMatchObject({ reason: 'The client secret is wrong.' });
  }
  await portal.http.get('/oidc/acme/me').auth('no-such-token', { type: 'bearer' });
  expect(await lastReason()).toBe('The access token is unknown, expired or revoked.');
  await portal.http.get('/oidc/acme/auth?client_id=no-such-client&response_type=code');
  expect(await lastReason()).toBe('The organisation acme has no application with this client_id.');
  await portal.http.get('/oidc/acme/auth').query({
    ...{ client_id: WIKI.appId, redirect_uri: WIKI.callback, scope: 'openid', response_type: 'token' },
  });
  expect(await lastReason()).toMatch(/^[A-Z].*response_type.*\.$/);
});

test('shows the reason in summaries, verify and explained failures, without secrets', async () => {
  const form = await authorized();
  const verifier = randomPKCECodeVerifier();
  await post('token', { ...form, code_verifier: verifier });
  const reason = "The code_verifier doesn't match the code_challenge of the authorization request";
  const summary = expect.stringContaining(`POST /oidc/acme/token answered 400 invalid_grant in `);
  expect((await portal.lab.journal({ kind: 'http' })).at(-1)).toMatchObject({ summary, reason: `${reason}.` });
  const verified = portal.lab.verify({ method: 'POST', path: '/oidc/acme/token', status: 200 });
  await expect(verified).rejects.toThrow(`${reason}: status is 400 instead of 200`);
  expect(await explain(portal.lab)).toContain(reason);
  const { body } = await portal.http.get('/api/lab/journal?kind=http').set('accept-language', 'de');
  expect(body.entries.at(-1).reason).toMatch(/^Der code_verifier passt nicht /);
  const everything = JSON.stringify(await portal.call(contract.readJournal, { query: {} }));
  for (const secret of [verifier, form.code ?? '', secretOf(portal, WIKI.appId)])
    expect(everything).not.toContain(secret);
});
