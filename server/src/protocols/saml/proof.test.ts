import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { schemaErrors } from './check-response.ts';
import { formOf, type Scene, SP, setScene, signInBy, signing, xmlOf } from './service-provider-testing.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await setScene(Date.now(), { logoutBinding: 'post' });
});
afterEach(() => scene.portal.close());

async function signedIn() {
  const provider = await scene.provider(signing(scene));
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  return { provider, fields };
}

/** Returns one message of each kind. */
async function messages(): Promise<{ signIn: string; passive: string; signOut: string }> {
  const { provider, fields } = await signedIn();
  const { profile } = await provider.validatePostResponseAsync({ ...fields });
  const passive = await scene.provider({ ...signing(scene), passive: true, forceAuthn: true });
  const refused = await scene.browser.open(await passive.getAuthorizeUrlAsync('', undefined, {}));
  const logout = profile && (await provider.getLogoutUrlAsync(profile, '', {}));
  return {
    signIn: xmlOf(fields),
    passive: xmlOf(formOf(refused).fields),
    signOut: xmlOf(formOf(await scene.browser.open(logout ?? '')).fields),
  };
}

test('produces messages that are valid against the OASIS schemas (xmllint)', async () => {
  const { signIn, passive, signOut } = await messages();
  expect(await schemaErrors(signIn)).toEqual([]);
  expect(await schemaErrors(passive)).toEqual([]);
  expect(await schemaErrors(signOut)).toEqual([]);
  expect(await schemaErrors(signIn.replaceAll('saml:Subject>', 'saml:Object>'))).not.toEqual([]);
});

/** xmlsec1 is part of Debian. On other systems, `scripts/test.ts` installs it if possible. */
const hasXmlsec1 = spawnSync('xmlsec1', ['--version']).status === 0;

/** Verifies one of a document's signatures with xmlsec1 and the identity provider certificate of the organisation. */
async function verify(xml: string, signature: string) {
  const [key] = await idpKeys(scene.portal.deps, 'acme');
  const folder = mkdtempSync(join(tmpdir(), 'saml-'));
  const [certificate, file] = [join(folder, 'idp.pem'), join(folder, 'signed.xml')];
  writeFileSync(certificate, key.certificate);
  writeFileSync(file, xml);
  const ids = ['protocol:Response', 'assertion:Assertion', 'metadata:EntityDescriptor'].flatMap((element) => [
    '--id-attr:ID',
    `urn:oasis:names:tc:SAML:2.0:${element}`,
  ]);
  const { status, stderr } = spawnSync('xmlsec1', [
    '--verify',
    '--enabled-key-data',
    'rsa,x509',
    '--pubkey-cert-pem',
    certificate,
    ...ids,
    '--node-xpath',
    signature,
    file,
  ]);
  rmSync(folder, { recursive: true });
  return { isRight: status === 0, said: String(stderr) };
}

const OF_ROOT = "/*/*[local-name()='Signature']";
const OF_ASSERTION = "/*/*[local-name()='Assertion']/*[local-name()='Signature']";

test.runIf(hasXmlsec1)('signs the response and assertion so that xmlsec1 can verify them', async () => {
  const { fields } = await signedIn();
  const xml = xmlOf(fields);
  expect(await verify(xml, OF_ROOT)).toMatchObject({ isRight: true });
  expect(await verify(xml, OF_ASSERTION)).toMatchObject({ isRight: true });
  const changed = xml.replaceAll('user@acme.test', 'super.admin@acme.test');
  expect((await verify(changed, OF_ROOT)).isRight).toBe(false);
  expect((await verify(changed, OF_ASSERTION)).isRight).toBe(false);
});

test.runIf(hasXmlsec1)('signs the entire metadata so that xmlsec1 can verify it', async () => {
  const metadata = await fetch(scene.issuer).then((answer) => answer.text());
  expect(await verify(metadata, OF_ROOT)).toMatchObject({ isRight: true });
  const changes: [from: string, to: string][] = [
    [`${scene.issuer}/sso`, 'https://evil.example/sso'],
    ['WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"'],
    ['cacheDuration="PT1H"', 'cacheDuration="P1Y"'],
  ];
  for (const [from, to] of changes) {
    expect(metadata).toContain(from);
    expect((await verify(metadata.replaceAll(from, to), OF_ROOT)).isRight).toBe(false);
  }
});

describe('a service provider rejects', () => {
  const rejects = async (response: ReturnType<typeof formOf>['fields'], options: Record<string, unknown> = {}) => {
    const provider = await scene.provider({ validateInResponseTo: 'never', ...options });
    return expect(provider.validatePostResponseAsync(response)).rejects;
  };

  test('a replayed response', async () => {
    const { provider, fields } = await signedIn();
    expect((await provider.validatePostResponseAsync({ ...fields })).profile?.nameID).toBe('user@acme.test');
    await expect(provider.validatePostResponseAsync({ ...fields })).rejects.toThrow('InResponseTo is not valid');
  });

  test('a response for another audience, or signed by another key', async () => {
    const { fields } = await signedIn();
    await (await rejects(fields, { audience: `${SP}/other` })).toThrow('audience');
    await (await rejects(fields, { idpCert: scene.keys.certificate })).toThrow('signature');
    const provider = await scene.provider({ validateInResponseTo: 'never' });
    expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe('user@acme.test');
  });

  test('an expired response', async () => {
    const { portal } = scene;
    await portal.close();
    scene = await setScene(Date.now() - 5 * MINUTE - 1_000);
    scene.portal.clock.setExternalClock('lab');
    const { fields } = await signInBy(scene, `${scene.issuer}/sso`);
    await (await rejects(fields)).toThrow('expired');
  });

  test('a wrapped or modified assertion', async () => {
    const { fields } = await signedIn();
    const xml = xmlOf(fields);
    const as = (text: string) => ({ ...fields, SAMLResponse: Buffer.from(text).toString('base64') });
    const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? [];
    const evil = assertion
      .replace(/ID="[^"]+"/, 'ID="_evil"')
      .replace(/<ds:Signature.*<\/ds:Signature>/s, '')
      .replaceAll('user@acme.test', 'super.admin@acme.test');
    await (await rejects(as(xml.replace(assertion, evil + assertion)))).toThrow();
    await (await rejects(as(xml.replace(assertion, evil)))).toThrow();
    const inside = evil.replace('</saml:Subject>', `<saml:Advice>${assertion}</saml:Advice></saml:Subject>`);
    await (await rejects(as(xml.replace(assertion, inside)))).toThrow();
    await (await rejects(as(xml.replaceAll('user@acme.test', 'super.admin@acme.test')))).toThrow('signature');
  });
});
