import { type AssertionDamage, addFault, createSamlApp, makePerson, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from './oidc/relying-party-testing.ts';
import { metadataOf, SP, setScene, signInBy } from './saml/service-provider-testing.ts';

let portal: TestPortal;
afterEach(() => portal.close());

/** Signs in to the other organisation's application without following the redirect URI. */
async function signInToGlobex() {
  const [appId, orgCode] = ['acme-portal-sso', 'globex'];
  const admin = await portal.signIn('admin@globex.test');
  const clients = { redirect_uris: [WIKI.callback] };
  const { body } = await portal.call(
    updateApp,
    { params: { orgCode, appId }, body: { oidcConfiguration: { clients } } },
    admin,
  );
  expect(body.resultCode).toBe(0);
  const auth = client.ClientSecretBasic(secretOf(portal, appId, orgCode));
  const config = await relyingParty(portal, { orgCode, appId, auth });
  return exchange(config, await authorize(config, testBrowser(portal, 'admin@globex.test'), { scope: 'openid' }));
}

test('acceptance 16: openid-client completes code + PKCE per issuer and refuses misuse', async () => {
  portal = await testPortal();
  const { config, browser, tokens } = await signInToWiki(portal);
  const globex = await signInToGlobex();
  expect([tokens, globex].map((one) => one.claims()?.iss)).toEqual([
    `${portal.url}/oidc/acme`,
    `${portal.url}/oidc/globex`,
  ]);

  const again = () => authorize(config, browser);
  const missing = await again();
  expect(await errorOf(client.authorizationCodeGrant(config, missing.callback))).toBe('invalid_grant');
  const wrong = { ...(await again()), verifier: client.randomPKCECodeVerifier() };
  expect(await errorOf(exchange(config, wrong))).toBe('invalid_grant');

  const authorization = await again();
  const fromCode = await exchange(config, authorization);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, fromCode.access_token)).toEqual({ active: false });

  const first = await exchange(config, await again());
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
  // A replay within ten seconds is treated as a retry after a lost response (decision 011).
  portal.clock.advance(11);
  expect(await errorOf(client.refreshTokenGrant(config, first.refresh_token ?? ''))).toBe('invalid_grant');
  expect(await errorOf(client.refreshTokenGrant(config, second.refresh_token ?? ''))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, second.access_token)).toEqual({ active: false });

  const page = await browser.open(
    client.buildEndSessionUrl(config, {
      id_token_hint: first.id_token ?? '',
      post_logout_redirect_uri: 'https://wiki.acme.test/goodbye',
    }),
  );
  expect((await browser.submit(page)).url.href).toBe('https://wiki.acme.test/goodbye');
  const { callback } = await authorize(config, browser, { prompt: 'none' });
  expect(callback.searchParams.get('error')).toBe('login_required');
});

test('acceptance 17: a standard SP signs in by SAML and rejects every invalid variant', async () => {
  portal = await testPortal();
  const scene = await setScene(Date.now(), { portal });
  const ELSEWHERE = 'mia@a-domain-of-her-own.example';
  expect((await portal.call(makePerson, { body: { org: 'acme', email: ELSEWHERE } })).body.resultCode).toBe(0);
  const signInFrom = async (address: string, options: Record<string, unknown>, email: string) => {
    const provider = await scene.provider(options);
    const from = address || (await provider.getAuthorizeUrlAsync('', undefined, {}));
    const { fields } = await signInBy(scene, from, { email });
    return provider.validatePostResponseAsync(fields);
  };
  const attributes = { firstName: expect.any(String), employeeId: expect.any(String), roleName: expect.any(String) };
  const UNASKED = { validateInResponseTo: 'ifPresent' };
  for (const email of [USER, ELSEWHERE]) {
    expect((await signInFrom('', {}, email)).profile).toMatchObject({ nameID: email, ...attributes });
    const unasked = await signInFrom(`${scene.issuer}/sso`, UNASKED, email);
    expect(unasked.profile).toMatchObject({ nameID: email, ...attributes });
  }

  const admin = await portal.signIn('super.admin@acme.test');
  const other = await portal.call(
    createSamlApp,
    {
      params: { orgCode: 'acme' },
      body: {
        orgCode: 'acme',
        name: 'Other',
        metadata: metadataOf(scene.keys, {}).replace(`${SP}/metadata`, `${SP}/other-metadata`),
        redirectUrl: `${SP}/start`,
        samlNameId: 'primaryEmail',
        samlAttributes: ['firstName'],
        flags: { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false },
      },
    },
    admin,
  );
  expect(other.body).toMatchObject({ appId: 'other' });
  const damage = async (appId: string, assertion: AssertionDamage) => {
    const { status } = await portal.call(addFault, {
      body: { match: { path: `/saml/acme/${appId}/sso` }, answer: { assertion } },
    });
    expect(status).toBe(200);
  };
  for (const [assertion, reason] of [
    ['expired', 'expired'],
    ['wrong-audience', 'audience mismatch'],
    ['bad-signature', 'Invalid document signature'],
    ['unsigned', 'Invalid document signature'],
    ['wrong-in-response-to', 'InResponseTo is not valid'],
  ] as const) {
    await damage(other.body.appId, assertion);
    await damage(scene.appId, assertion);
    const call = signInFrom(`${scene.issuer}/sso`, UNASKED, USER);
    await expect(call, assertion).rejects.toThrow(reason);
    // The fault for the other application is still pending and doesn't affect this application.
    expect((await signInFrom(`${scene.issuer}/sso`, UNASKED, USER)).profile?.nameID).toBe(USER);
  }
});
