import {
  ASSERTION_DAMAGES,
  type AssertionDamage,
  addFault,
  clearFaults,
  readFaults,
  TOKEN_DAMAGES,
  type TokenDamage,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { authorize, relyingParty, USER } from '#protocols/oidc/relying-party-testing.ts';
import { checkResponse } from '#protocols/saml/check-response.ts';
import { ACS, type Scene, SP, setScene, signInBy, xmlOf } from '#protocols/saml/service-provider-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

type Given = z.input<(typeof addFault)['body']>;

const MANAGER = 'manager@acme.test';
const TOKEN = { path: '/oidc/acme/token' };
const NONCE = 'what-the-client-remembers';

let portal: TestPortal;
let scene: Scene;
beforeAll(async () => {
  portal = await testPortal();
  scene = await setScene(Date.now(), { portal });
});
beforeEach(() => portal.call(clearFaults, { query: {} }));
afterAll(() => portal.close());

/** Adds a fault and asserts that it is accepted. */
async function fault(body: Given): Promise<void> {
  const { status, body: answer } = await portal.call(addFault, { body });
  expect({ status, issues: answer.issues }).toEqual({ status: 200 });
}

/** Creates a client with all of the library's checks enabled. */
async function strictClient(email = USER) {
  const config = await relyingParty(portal);
  // By default, openid-client trusts tokens received directly from the token endpoint.
  client.enableNonRepudiationChecks(config);
  const browser = testBrowser(portal, email);
  const signIn = async () => {
    const { callback, verifier } = await authorize(config, browser, { nonce: NONCE });
    return client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier, expectedNonce: NONCE });
  };
  return { config, signIn };
}

/**
 * Signs a member in through the service provider.
 * @param options node-saml options
 */
async function signInAtProvider(options: Record<string, unknown> = {}, who: { email?: string } = {}) {
  const provider = await scene.provider(options);
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}), who);
  return { xml: xmlOf(fields), accept: () => provider.validatePostResponseAsync(fields) };
}

/** Returns why a library rejected a token or assertion. openid-client puts the reason into `cause`. */
async function reasonOf(call: Promise<unknown>): Promise<string> {
  const reason: unknown = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(reason instanceof Error)) throw new Error('The call was not refused.');
  const { cause } = reason;
  return cause instanceof Error ? cause.message : reason.message;
}

const REASONS: Readonly<Record<TokenDamage, string>> = {
  expired: 'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp',
  'not-yet': 'unexpected JWT "nbf" (not before) claim value',
  'wrong-nonce': 'unexpected ID Token "nonce" claim value',
  'wrong-audience': 'unexpected JWT "aud" (audience) claim value',
  'wrong-issuer': 'unexpected JWT "iss" (issuer) claim value',
  'bad-signature': 'JWT signature verification failed',
  'unknown-key': 'error when selecting a JWT verification key, no applicable keys found',
  'none-algorithm': 'unexpected JWT "alg" header parameter',
};

/** Options that skip node-saml's first check, whose error would hide all others. */
const UNASKED = { validateInResponseTo: 'never' };
const SAML_REASONS: Readonly<
  Record<Exclude<AssertionDamage, 'wrong-recipient'>, [reason: string, options?: Record<string, unknown>]>
> = {
  expired: ['SAML assertion expired: clocks skewed too much', UNASKED],
  'wrong-audience': [
    `SAML assertion audience mismatch. Expected: ${SP}/metadata Received: urn:example:another-service-provider`,
  ],
  'wrong-in-response-to': ['InResponseTo is not valid'],
  'bad-signature': ['Invalid document signature'],
  unsigned: ['Invalid document signature'],
  denied: ['SAML provider returned Responder error: RequestDenied'],
};
const isRefusedByLibrary = (damage: AssertionDamage): damage is keyof typeof SAML_REASONS =>
  damage !== 'wrong-recipient';

describe('tampered tokens and assertions', () => {
  test.each(TOKEN_DAMAGES)('are rejected by openid-client: %s', async (token) => {
    const { signIn } = await strictClient();
    await fault({ match: TOKEN, answer: { token } });
    expect(await reasonOf(signIn())).toBe(REASONS[token]);
    expect((await signIn()).claims()?.nonce).toBe(NONCE);
  });

  test.each(ASSERTION_DAMAGES.filter(isRefusedByLibrary))('are rejected by node-saml: %s', async (assertion) => {
    const [reason, options] = SAML_REASONS[assertion];
    await fault({ match: { path: `/saml/acme/${scene.appId}/sso` }, answer: { assertion } });
    expect(await reasonOf((await signInAtProvider(options)).accept())).toBe(reason);
    expect((await (await signInAtProvider(options)).accept()).profile?.nameID).toBe(USER);
  });

  test('are accepted by node-saml if only the recipient is wrong', async () => {
    const expected = {
      issuer: scene.issuer,
      audience: `${SP}/metadata`,
      recipient: ACS,
      attributes: [],
      keys: await idpKeys(portal.deps, 'acme'),
      now: portal.clock.toExternalTime(),
    };
    const refused = async (xml: string) =>
      (await checkResponse(xml, expected)).filter(({ isMet }) => !isMet).map(({ name }) => name);
    await fault({ match: { path: '/saml/acme/continue' }, answer: { assertion: 'wrong-recipient' } });
    const damaged = await signInAtProvider();
    expect(await refused(damaged.xml)).toEqual(['Recipient']);
    // node-saml doesn't check the recipient (https://github.com/node-saml/node-saml/issues/405). If this assertion
    // fails, node-saml now checks the recipient: move this case to the test above.
    expect((await damaged.accept()).profile?.nameID).toBe(USER);
    expect(await refused((await signInAtProvider()).xml)).toEqual([]);
  });

  test.each([
    [{ wantAssertionsSigned: true, wantAuthnResponseSigned: false }],
    [{ wantAssertionsSigned: false, wantAuthnResponseSigned: true }],
  ])('fail a service provider’s signature check: %o', async (options) => {
    for (const assertion of ['bad-signature', 'unsigned'] as const) {
      await fault({ match: { path: '/saml/acme/continue' }, answer: { assertion } });
      expect(await reasonOf((await signInAtProvider(options)).accept())).toMatch(/^Invalid (document )?signature$/);
    }
    expect((await (await signInAtProvider(options)).accept()).profile?.nameID).toBe(USER);
  });

  test('are rejected by node-saml if an unsolicited response has a request ID', async () => {
    await fault({ match: { path: '/saml/acme/continue' }, answer: { assertion: 'wrong-in-response-to' } });
    const provider = await scene.provider({ validateInResponseTo: 'ifPresent' });
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`);
    expect(await reasonOf(provider.validatePostResponseAsync(fields))).toBe('InResponseTo is not valid');
  });

  test('lack one claim, once a token has this claim', async () => {
    const { signIn } = await strictClient();
    await fault({ match: TOKEN, answer: { token: { without: 'email' } } });
    await fault({ match: TOKEN, answer: { token: { without: 'department' } } });
    const damaged = await signIn();
    expect(damaged.claims()).toMatchObject({ nonce: NONCE, email_verified: true });
    expect(damaged.claims()).not.toHaveProperty('email');
    expect((await signIn()).claims()?.email).toBe(USER);
    const { faults } = (await portal.call(readFaults, {})).body;
    expect(faults.map((one) => 'answer' in one && one.answer)).toEqual([{ token: { without: 'department' } }]);
    await fault({ match: TOKEN, answer: { token: { without: 'sub' } } });
    expect(await reasonOf(signIn())).toBe('JWT "sub" (subject) claim missing');
  });

  test('add fields to a token response or replace them, and leave other fields unchanged', async () => {
    const { config, signIn } = await strictClient();
    await fault({ match: { ...TOKEN, email: MANAGER }, answer: { fields: { tenant: 'south' } } });
    await fault({ match: TOKEN, answer: { fields: { tenant: { id: 7 }, expires_in: '600' } } });
    const refused = await portal.http.post('/oidc/acme/token').type('form').send({ grant_type: 'authorization_code' });
    expect(refused.body).not.toHaveProperty('tenant');
    const extended = await signIn();
    expect(extended).toMatchObject({ tenant: { id: 7 }, expires_in: 600 });
    expect(extended.claims()?.nonce).toBe(NONCE);
    expect(await client.fetchUserInfo(config, extended.access_token, extended.claims()?.sub ?? '')).toBeTruthy();
    expect(await signIn()).not.toHaveProperty('tenant');
    expect(await (await strictClient(MANAGER)).signIn()).toMatchObject({ tenant: 'south' });
  });

  test('have claims of the test, also those that describe the sign-in', async () => {
    const { signIn } = await strictClient();
    const claims = { acr: 'urn:example:gold', tenant: { id: 7 }, email: 'other@acme.test' };
    await fault({ match: { ...TOKEN, email: MANAGER }, answer: { claims: { tenant: 'south' } } });
    await fault({ match: TOKEN, answer: { claims } });
    expect((await signIn()).claims()).toMatchObject({ ...claims, nonce: NONCE });
    expect((await signIn()).claims()).not.toHaveProperty('tenant');
    for (const [claim, message] of [
      ['iss', 'Set this claim with the option token (wrong-issuer)'],
      ['sub', 'This claim is set by the protocol'],
    ] as const) {
      const refused = await portal.call(addFault, { body: { match: TOKEN, answer: { claims: { [claim]: 'x' } } } });
      expect(refused.body.issues).toEqual([{ path: `answer.claims.${claim}`, message }]);
    }
  });

  test('are rejected by openid-client after a refresh', async () => {
    const { config, signIn } = await strictClient();
    const { refresh_token: refreshToken = '' } = await signIn();
    await fault({ match: TOKEN, answer: { token: 'wrong-issuer' } });
    expect(await reasonOf(client.refreshTokenGrant(config, refreshToken))).toBe(REASONS['wrong-issuer']);
  });
});

describe('waiting for a matching token', () => {
  test('continues after a call that issues no token', async () => {
    await fault({ match: TOKEN, answer: { token: 'expired' } });
    const refused = await portal.http.post('/oidc/acme/token').type('form').send({ grant_type: 'authorization_code' });
    expect(refused.body.error).toBe('invalid_client');
    const { faults, fired } = (await portal.call(readFaults, {})).body;
    expect({ faults, fired }).toEqual({
      faults: [{ match: TOKEN, answer: { token: 'expired' }, times: 1, after: 0 }],
      fired: [],
    });
  });

  test('counts issued tokens for `times` and `after` and lists fired faults', async () => {
    const { signIn } = await strictClient();
    const given = { match: TOKEN, answer: { token: 'wrong-nonce' as const }, times: 2, after: 1 };
    await fault(given);
    await signIn();
    expect(await reasonOf(signIn())).toBe(REASONS['wrong-nonce']);
    expect((await portal.call(readFaults, {})).body.faults).toEqual([{ ...given, times: 1, after: 0 }]);
    expect(await reasonOf(signIn())).toBe(REASONS['wrong-nonce']);
    await signIn();
    const { faults, fired } = (await portal.call(readFaults, {})).body;
    expect(faults).toEqual([]);
    const one = { id: expect.any(String), method: 'POST', path: '/oidc/acme/token', at: expect.any(String) };
    expect(fired).toEqual([
      { ...one, fault: given },
      { ...one, fault: given },
    ]);
  });

  test('matches only the configured person, organisation and application', async () => {
    await fault({ match: { ...TOKEN, email: USER }, answer: { token: 'wrong-nonce' } });
    await (await strictClient(MANAGER)).signIn();
    expect(await reasonOf((await strictClient()).signIn())).toBe(REASONS['wrong-nonce']);

    await fault({ match: { path: '/oidc/:orgCode/token', org: 'globex' }, answer: { token: 'wrong-nonce' } });
    await (await strictClient()).signIn();

    const toManager = { path: '/saml/:orgCode/continue', email: MANAGER, org: 'acme' };
    await fault({ match: { path: '/saml/acme/travel-desk/sso' }, answer: { assertion: 'unsigned' } });
    await fault({ match: toManager, answer: { assertion: 'denied' } });
    await (await signInAtProvider()).accept();
    const { accept } = await signInAtProvider({}, { email: MANAGER });
    expect(await reasonOf(accept())).toBe(SAML_REASONS.denied[0]);
    expect((await portal.call(readFaults, {})).body.faults).toHaveLength(2);
  });

  test('can be combined with a delay', async () => {
    const { signIn } = await strictClient();
    await fault({ match: TOKEN, answer: { token: 'wrong-audience', delayMs: 120 } });
    const began = performance.now();
    expect(await reasonOf(signIn())).toBe(REASONS['wrong-audience']);
    expect(performance.now() - began).toBeGreaterThanOrEqual(119);
  });
});

describe('adding a fault that could never tamper with a response', () => {
  test.each<[string, unknown, string, string]>([
    ['an unknown kind of tampering', { match: TOKEN, answer: { token: 'expierd' } }, 'answer.token', 'expired'],
    [
      'token at an OIDC endpoint that issues no tokens',
      { match: { path: '/oidc/acme/me' }, answer: { token: 'expired' } },
      'answer.token',
      'token',
    ],
    [
      'token at an API endpoint',
      { match: { path: '/api/health' }, answer: { token: 'expired' } },
      'answer.token',
      'ID tokens',
    ],
    [
      'assertion at an OpenID Connect endpoint',
      { match: TOKEN, answer: { assertion: 'expired' } },
      'answer.assertion',
      'SAML responses',
    ],
    [
      'assertion at the metadata endpoint',
      { match: { path: '/saml/acme/travel-desk/metadata' }, answer: { assertion: 'expired' } },
      'answer.assertion',
      '/saml/:orgCode/:appId/sso',
    ],
    [
      'a method for which the endpoint issues no tokens',
      { match: { ...TOKEN, method: 'GET' }, answer: { token: 'expired' } },
      'match.method',
      'POST',
    ],
    ['an empty claim name', { match: TOKEN, answer: { token: { without: '' } } }, 'answer.token.without', 'required'],
    ['empty fields', { match: TOKEN, answer: { fields: {} } }, 'answer.fields', 'at least one'],
    [
      'fields at an endpoint other than the token endpoint',
      { match: { path: '/oidc/acme/me' }, answer: { fields: { tenant: 'x' } } },
      'answer.fields',
      'token responses',
    ],
    ['two outcomes', { match: TOKEN, answer: { token: 'expired', hang: true } }, 'answer.token', 'cannot be combined'],
  ])('rejects %s', async (_, given, path, hint) => {
    const { status, body } = await portal.call(addFault, { body: given as Given });
    expect({ status, resultName: body.resultName }).toEqual({ status: 400, resultName: 'INVALID_REQUEST' });
    expect(body.issues).toContainEqual({ path, message: expect.stringContaining(hint) });
  });
});
