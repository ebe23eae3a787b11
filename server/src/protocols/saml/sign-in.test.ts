import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACS, type Scene, type SceneOptions, setScene, signInBy } from './service-provider-testing.ts';

let scene: Scene;
async function enter(options?: SceneOptions): Promise<void> {
  scene = await setScene(Date.now(), options);
}
afterEach(() => scene.portal.close());

describe('a service provider at its strictest', () => {
  beforeEach(() => enter());

  test('signs somebody in by redirect', async () => {
    const provider = await scene.provider();
    const url = await provider.getAuthorizeUrlAsync('/trips?a=1&b="2"', undefined, {});
    const { action, fields } = await signInBy(scene, url);
    expect(action).toBe(ACS);
    expect(fields.RelayState).toBe('/trips?a=1&b="2"');
    const { profile } = await provider.validatePostResponseAsync(fields);
    expect(profile).toMatchObject({
      issuer: scene.issuer,
      nameID: 'user@acme.test',
      nameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      firstName: expect.stringMatching(/./),
      employeeId: expect.stringMatching(/./),
      roleName: 'Org User',
      sessionIndex: expect.stringMatching(/^_/),
    });
  });
});
