import { type AppUsers, updateSamlApp } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAt, type TestPage } from '../../testing/browser.ts';
import { ACS, formOf, type Scene, setScene, xmlOf } from './service-provider-testing.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await setScene(Date.now());
});
afterEach(() => scene.portal.close());

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';

async function save(usableBy: AppUsers): Promise<void> {
  const { portal, appId } = scene;
  const params = { orgCode: 'acme', appId };
  await portal.call(updateSamlApp, { params, body: { usableBy } }, await portal.signIn(ADMIN));
}

/** The page at which somebody's sign-in ends. */
async function pageAfter(address: string, email: string): Promise<TestPage> {
  const { portal, browser } = scene;
  const { url } = await browser.open(address);
  return browser.open(await signInAt(portal, portal.device(email), url));
}

test('somebody who may not use an application is told so, and the application gets RequestDenied', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const provider = await scene.provider();
  const page = await pageAfter(await provider.getAuthorizeUrlAsync('/trips', undefined, {}), USER);
  expect(page.text).toContain('You may not use Expenses');
  expect(page.text).not.toContain('<script>');
  const { action, fields } = formOf(page);
  expect([action, fields.RelayState]).toEqual([ACS, '/trips']);
  expect(xmlOf(fields)).toContain('status:RequestDenied');
  expect(xmlOf(fields)).not.toContain('Assertion');
  await expect(provider.validatePostResponseAsync(fields)).rejects.toThrow(/RequestDenied|Responder/);
});

test('a role or a name lets somebody in', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const provider = await scene.provider();
  const { fields } = formOf(await pageAfter(await provider.getAuthorizeUrlAsync('', undefined, {}), ADMIN));
  expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(ADMIN);
});

test('from the portal there is only the page: the application has asked for nothing', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const page = await pageAfter(`${scene.issuer}/sso`, USER);
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('You may not use Expenses') });
  expect(page.text).not.toContain('<form');
});
