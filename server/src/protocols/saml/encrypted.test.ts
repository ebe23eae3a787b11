import { inspectToken, updateSamlApp } from '@orchestrate/shared';
import { afterEach, expect, test } from 'vitest';
import { metadataOf, type Scene, setScene, signInBy, xmlOf } from './service-provider-testing.ts';

let scene: Scene;
afterEach(() => scene.portal.close());

test('encrypts assertions for a service provider with an encryption key', async () => {
  scene = await setScene(Date.now());
  const { portal, keys, appId } = scene;
  const admin = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme', appId };
  const refused = await portal.call(updateSamlApp, { params, body: { encryptAssertions: true } }, admin);
  expect(refused.body.issues?.map(({ path }) => path)).toEqual(['encryptAssertions']);
  const metadata = metadataOf(keys, {}).replace('use="signing"', '');
  await portal.call(updateSamlApp, { params, body: { metadata, encryptAssertions: true } }, admin);
  const provider = await scene.provider({ decryptionPvk: keys.privateKey });
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('', undefined, {}));
  expect(xmlOf(fields)).toContain('EncryptedAssertion');
  expect(xmlOf(fields)).not.toContain('user@acme.test');
  expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe('user@acme.test');
  // The lab can't decrypt the assertion either, and must not report encrypted contents as missing.
  const { body } = await portal.call(inspectToken, { body: { token: fields.SAMLResponse ?? '' } });
  expect(body).toMatchObject({ isValid: true, verdict: expect.stringContaining('The readable part') });
});
