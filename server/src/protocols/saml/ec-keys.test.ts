import { spawnSync } from 'node:child_process';
import { createPrivateKey, KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { getApp, readSamlMetadata, updateSamlApp } from '@orchestrate/shared';
import { afterEach, describe, expect, test } from 'vitest';
import { type Keys, metadataOf, type Scene, SLO, SP, setScene } from './service-provider-testing.ts';

let scene: Scene;
afterEach(() => scene.portal.close());

/**
 * Generates a service provider's key and certificate.
 * @param namedCurve WebCrypto name, or Ed25519
 */
async function ecKeys(namedCurve: string): Promise<Keys> {
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await makePair(namedCurve);
  if (!('privateKey' in keys)) throw new Error(`${namedCurve} has no pair of keys.`);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['expenses.example'] }],
    keys,
    signingAlgorithm: namedCurve === 'Ed25519' ? { name: namedCurve } : algorithmOf(namedCurve),
  });
  return {
    privateKey: String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })),
    certificate: certificate.toString('pem'),
  };
}

const algorithmOf = (namedCurve: string) => ({ name: 'ECDSA', namedCurve, hash: 'SHA-256' });

const makePair = (namedCurve: string) =>
  namedCurve === 'Ed25519'
    ? crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
    : crypto.subtle.generateKey(algorithmOf(namedCurve), true, ['sign', 'verify']);

const METHODS: readonly [curve: string, hash: 'sha256' | 'sha384' | 'sha512', digest: string][] = [
  ['P-256', 'sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  ['P-384', 'sha384', 'http://www.w3.org/2001/04/xmldsig-more#sha384'],
  ['P-521', 'sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
];
const methodOf = (hash: string) => `http://www.w3.org/2001/04/xmldsig-more#ecdsa-${hash}`;

/** Starts a portal with a service provider that uses this key and must sign requests. */
async function enter(keys: Keys) {
  scene = await setScene(Date.now());
  const { portal, appId } = scene;
  const admin = await portal.signIn('super.admin@acme.test');
  const body = { metadata: metadataOf(keys, { isSigning: true }) };
  const params = { orgCode: 'acme', appId };
  expect((await portal.call(updateSamlApp, { params, body }, admin)).status).toBe(200);
  return { admin, params };
}

let requests = 0;
function request(kind: 'AuthnRequest' | 'LogoutRequest', inside = ''): string {
  requests += 1;
  const now = new Date(scene.portal.clock.now()).toISOString();
  const where = kind === 'AuthnRequest' ? 'sso' : 'slo';
  const name = kind === 'LogoutRequest' ? '<saml:NameID>user@acme.test</saml:NameID>' : '';
  return `<samlp:${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_ec${requests}" Version="2.0" IssueInstant="${now}" Destination="${scene.issuer}/${where}"><saml:Issuer>${SP}/metadata</saml:Issuer>${inside}${name}</samlp:${kind}>`;
}

const redirected = (xml: string, where: string, hash: string, signed: (query: string) => Buffer) => {
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64'), SigAlg: methodOf(hash) });
  query.set('Signature', signed(String(query)).toString('base64'));
  return scene.browser.open(`${scene.issuer}/${where}?${query}`);
};
const posted = (xml: string, where: string) =>
  scene.browser.open(`${scene.issuer}/${where}`, { SAMLRequest: Buffer.from(xml).toString('base64') });

describe.each(METHODS)('a service provider with a key on %s', (curve, hash, digest) => {
  test.each(['ieee-p1363', 'der'] as const)('signs redirects as %s', { tags: 'whole' }, async (dsaEncoding) => {
    const keys = await ecKeys(curve);
    await enter(keys);
    const key = { key: createPrivateKey(keys.privateKey), dsaEncoding };
    const url = await redirected(request('AuthnRequest'), 'sso', hash, (query) => sign(hash, Buffer.from(query), key));
    expect(url.url.searchParams.has('app')).toBe(true);
    const left = await redirected(request('LogoutRequest'), 'slo', hash, (query) =>
      sign(hash, Buffer.from(query), key),
    );
    expect(left.url.href).toContain(`${SLO}?SAMLResponse=`);
    const forged = await redirected(request('AuthnRequest'), 'sso', hash, () => sign(hash, Buffer.from('x'), key));
    expect({ status: forged.status, text: forged.text }).toEqual({
      status: 400,
      text: expect.stringContaining('its signature is invalid'),
    });
  });

  /** xmlsec1 is part of Debian. On other systems, `scripts/test.ts` installs it if possible. */
  const hasXmlsec1 = spawnSync('xmlsec1', ['--version']).status === 0;

  test.runIf(hasXmlsec1)('signs POST messages that xmlsec1 verifies', async () => {
    const keys = await ecKeys(curve);
    await enter(keys);
    const signed = signByXmlsec1(request('AuthnRequest', templateOf(hash, digest)), keys);
    const changed = signed.replace('<samlp:AuthnRequest ', '<samlp:AuthnRequest ForceAuthn="true" ');
    expect((await posted(changed, 'sso')).text).toContain('its signature is invalid');
    expect((await posted(signed, 'sso')).url.searchParams.has('app')).toBe(true);
    const logout = signByXmlsec1(request('LogoutRequest', templateOf(hash, digest)), keys);
    expect((await posted(logout, 'slo')).url.href).toContain(`${SLO}?SAMLResponse=`);
    const { privateKey } = await ecKeys(curve);
    const theirs = signByXmlsec1(request('AuthnRequest', templateOf(hash, digest)), { ...keys, privateKey });
    expect((await posted(theirs, 'sso')).text).toContain('its signature is invalid');
  });
});

const templateOf = (hash: string, digest: string) =>
  `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="${methodOf(hash)}"/><ds:Reference URI="#_ec${requests + 1}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="${digest}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature>`;

function signByXmlsec1(template: string, { privateKey }: Keys): string {
  const folder = mkdtempSync(join(tmpdir(), 'saml-'));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'request.xml')];
  writeFileSync(key, privateKey);
  writeFileSync(file, template);
  const ids = ['AuthnRequest', 'LogoutRequest'].flatMap((kind) => [
    '--id-attr:ID',
    `urn:oasis:names:tc:SAML:2.0:protocol:${kind}`,
  ]);
  const { stdout, stderr } = spawnSync('xmlsec1', ['--sign', '--privkey-pem', key, ...ids, file]);
  rmSync(folder, { recursive: true });
  if (stdout.length === 0) throw new Error(String(stderr));
  return String(stdout).replace(/^<\?xml[^>]*\?>\n/, '');
}

test('accepts a manually entered EC key for signing, but rejects it for encryption', async () => {
  const keys = await ecKeys('P-256');
  const { admin, params } = await enter(keys);
  const typed = { entityId: SP, assertionConsumerServiceUrl: `${SP}/acs`, certificate: keys.certificate };
  const { body } = await scene.portal.call(readSamlMetadata, { params: { orgCode: 'acme' }, body: typed }, admin);
  expect(body.serviceProvider).toMatchObject({ certificates: [{ subject: 'CN=expenses.example' }], warnings: [] });
  const change = { metadata: body.metadata, encryptAssertions: true };
  const refused = await scene.portal.call(updateSamlApp, { params, body: change }, admin);
  expect(refused.body.issues).toEqual([
    { path: 'encryptAssertions', message: expect.stringContaining('Assertions cannot be encrypted with an EC key') },
  ]);
});

test('warns about an unsupported key type, because its signatures are rejected', async () => {
  const { admin, params } = await enter(await ecKeys('Ed25519'));
  const { body } = await scene.portal.call(getApp, { params }, admin);
  expect(body.app.samlConfiguration?.serviceProvider.warnings).toEqual([
    "Signatures by CN=expenses.example aren't accepted: the key is neither RSA nor EC on a NIST curve",
  ]);
});
