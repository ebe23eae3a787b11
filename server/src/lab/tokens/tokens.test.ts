import { deflateRawSync } from 'node:zlib';
import {
  ASSERTION_DAMAGES,
  type AssertionDamage,
  addFault,
  clearFaults,
  inspectToken,
  makeSession,
  readJournal,
  resetLab,
  setClock,
  TOKEN_DAMAGES,
  type TokenDamage,
} from '@orchestrate/shared';
import { CompactEncrypt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorize, relyingParty, USER } from '#protocols/oidc/relying-party-testing.ts';
import { type Scene, setScene, signInBy } from '#protocols/saml/service-provider-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const NONCE = 'what-the-client-remembers';

let portal: TestPortal;
let scene: Scene;
beforeAll(async () => {
  portal = await testPortal();
  scene = await setScene(Date.now(), { portal });
});
beforeEach(() => portal.call(clearFaults, { query: {} }));
afterAll(() => portal.close());

async function inspect(token: string, nonce?: string) {
  const { status, body } = await portal.call(inspectToken, { body: { token, nonce } });
  expect(status).toBe(200);
  const failed = body.checks.filter(({ isMet }) => !isMet).map(({ name }) => name);
  return { ...body, failed };
}

/** Returns the ID token issued to a client, even if the client library rejects it. */
async function idTokenFor(): Promise<string> {
  const config = await relyingParty(portal);
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER), { nonce: NONCE });
  let idToken = '';
  const listening: client.CustomFetch = async (url, options) => {
    const answer = await fetch(url, options as RequestInit);
    const tokens: { id_token?: string } = JSON.parse(await answer.clone().text());
    idToken = tokens.id_token ?? '';
    return answer;
  };
  Object.assign(config, { [client.customFetch]: listening });
  const checks = { pkceCodeVerifier: verifier, expectedNonce: NONCE };
  await client.authorizationCodeGrant(config, callback, checks).catch(() => undefined);
  return idToken;
}

async function samlResponse(): Promise<string> {
  const provider = await scene.provider({});
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  return fields.SAMLResponse ?? '';
}

const TOKEN_FINDINGS: Readonly<Record<TokenDamage, string[]>> = {
  expired: ['Expiry'],
  'not-yet': ['Not before'],
  'wrong-nonce': ['Nonce'],
  'wrong-audience': ['Audience'],
  'wrong-issuer': ['Issuer'],
  'bad-signature': ['Signature'],
  'unknown-key': ['Signature'],
  'none-algorithm': ['Signature'],
};

const SAML_FINDINGS: Readonly<Record<Exclude<AssertionDamage, 'wrong-in-response-to'>, string[]>> = {
  expired: ['Validity'],
  'wrong-audience': ['Audience'],
  'wrong-recipient': ['Recipient'],
  'bad-signature': ['Response signature', 'Assertion signature'],
  unsigned: ['Response signature', 'Assertion signature'],
  denied: ['Status'],
};
const isSeen = (damage: AssertionDamage): damage is keyof typeof SAML_FINDINGS => damage in SAML_FINDINGS;

describe('ID tokens', () => {
  test('are decoded, verified with their organisation’s keys, and explained', async () => {
    const found = await inspect(await idTokenFor(), NONCE);
    expect(found).toMatchObject({ kind: 'id-token', isValid: true, verdict: 'This ID token of acme is valid.' });
    expect(found.documents[0]?.text).toContain(USER);
    expect(found.checks.map(({ name }) => name)).toEqual(['Signature', 'Issuer', 'Audience', 'Nonce', 'Expiry']);
  });

  test.each(TOKEN_DAMAGES)('are reported as invalid with the reason for %s', async (token) => {
    await portal.call(addFault, { body: { match: { path: '/oidc/acme/token' }, answer: { token } } });
    expect((await inspect(await idTokenFor(), NONCE)).failed).toEqual(TOKEN_FINDINGS[token]);
  });
});

describe('SAML responses', () => {
  test('are parsed from XML, base64 or deflated input and pass all checks', async () => {
    const response = await samlResponse();
    const xml = Buffer.from(response, 'base64').toString();
    for (const text of [response, xml, deflateRawSync(xml).toString('base64')]) {
      const found = await inspect(text);
      expect([found.kind, found.failed, found.isValid]).toEqual(['saml-response', [], true]);
      expect(found.documents[0]?.text).not.toContain('SignatureValue');
    }
  });

  test.each(ASSERTION_DAMAGES.filter(isSeen))('are reported as invalid with the reason for %s', async (assertion) => {
    await portal.call(addFault, { body: { match: { path: '/saml/acme/continue' }, answer: { assertion } } });
    const { failed, verdict } = await inspect(await samlResponse());
    expect(failed).toEqual(SAML_FINDINGS[assertion]);
    expect(verdict).toBe(`This SAML response must not be accepted: ${failed.join(', ')}.`);
  });
});

test('accepts an unmodified portal access token until it expires by the lab clock', async () => {
  const { token } = await portal.signIn(USER);
  expect(await inspect(token)).toMatchObject({ kind: 'access-token', failed: [] });
  const [header, claims = '', signature] = token.split('.');
  const changed = Buffer.from(claims, 'base64url').toString().replace('"org":"acme"', '"org":"globex"');
  const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
  expect((await inspect(forged)).failed).toEqual(['Signature']);
  await portal.call(setClock, { body: { advance: '11m' } });
  expect((await inspect(token)).failed).toEqual(['Expiry']);
  await portal.call(resetLab, { body: {} });
});

test('accepts a token with its Bearer prefix and recognises an encrypted token', async () => {
  const { token } = (await portal.call(makeSession, { body: { email: USER } })).body;
  for (const pasted of [`Bearer ${token}`, `Authorization: Bearer ${token}`]) {
    expect(await inspect(pasted)).toMatchObject({ kind: 'access-token', isValid: true });
  }
  const encrypted = await new CompactEncrypt(Buffer.from(token))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(Buffer.alloc(32));
  const { status, body } = await portal.call(inspectToken, { body: { token: encrypted } });
  expect([status, body.issues?.[0]?.path]).toEqual([400, 'token']);
  expect(body.issues?.[0]?.message).toContain('encrypted');
});

test('refuses other input, explains unreadable tokens, and keeps both out of the journal', async () => {
  for (const token of ['', 'nonsense!', 'a.b', '{}', 'x'.repeat(300_000)]) {
    const { status, body } = await portal.call(inspectToken, { body: { token } });
    expect([status, body.resultName, body.issues?.[0]?.path]).toEqual([400, 'INVALID_REQUEST', 'token']);
  }
  const deep = `<samlp:Response>${'<a>'.repeat(3_000)}${'</a>'.repeat(3_000)}</samlp:Response>`;
  const bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxx">]><samlp:Response><saml:Issuer>&x;</saml:Issuer></samlp:Response>';
  const foreign =
    '<samlp:Response><saml:Issuer>https://idp.example/saml/acme/travel-desk</saml:Issuer></samlp:Response>';
  const broken = `<samlp:Response><saml:Issuer>${portal.url}/saml/acme/travel-desk</saml:Issuer`;
  for (const [text, failed] of [
    [deep, ['Issuer']],
    [`<?xml version="1.0"?>\n<!-- kept -->\n${foreign}`, ['Response signature']],
    [bomb, ['XML']],
    [foreign, ['Response signature']],
    [broken, ['Response signature']],
    ['e30.e30.hush-hush', ['Signature', 'Issuer', 'Audience', 'Expiry']],
    ['W10.W10.', ['ID token']],
  ] as const) {
    expect((await inspect(text)).failed).toEqual(failed);
  }
  const { entries } = (await portal.call(readJournal, { query: { path: '/api/lab/tokens' } })).body;
  expect(JSON.stringify(entries)).not.toContain('hush-hush');
});

test.each([
  ['<a><b></a>', 'a'],
  ['<!DOCTYPE html><html><body>Signed in</body></html>', 'html'],
  ['<?xml version="1.0"?><!-- asked --><samlp:AuthnRequest ID="_1"/>', 'AuthnRequest'],
  [Buffer.from('<md:EntityDescriptor entityID="x"/>').toString('base64'), 'EntityDescriptor'],
])('explains XML that isn’t a SAML response: %s', async (token, root) => {
  const { status, body } = await portal.call(inspectToken, { body: { token } });
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [
      {
        path: 'token',
        message: `This is XML but not a SAML response: the root element is ${root}, not Response`,
      },
    ],
  });
});

test('refuses a nonce for tokens that never contain one', async () => {
  const { token } = await portal.lab.session({ email: USER });
  const response = '<samlp:Response><saml:Issuer>https://idp.example/</saml:Issuer></samlp:Response>';
  for (const one of [token, response]) {
    const { status, body } = await portal.call(inspectToken, { body: { token: one, nonce: NONCE } });
    expect({ status, paths: body.issues?.map(({ path }) => path) }).toEqual({ status: 400, paths: ['nonce'] });
  }
});
