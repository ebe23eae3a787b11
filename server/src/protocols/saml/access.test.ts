import { type AppUsers, previewApp, updateSamlApp } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAt, type TestPage } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { directoryOf, groupWith } from '../scim/testing.ts';
import { ACS, formOf, type Scene, setScene, xmlOf } from './service-provider-testing.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await setScene(Date.now());
});
afterEach(() => scene.portal.close());

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';

async function save(usableBy: Partial<NonNullable<AppUsers>>): Promise<void> {
  const { portal, appId } = scene;
  const params = { orgCode: 'acme', appId };
  await portal.call(updateSamlApp, { params, body: { usableBy } }, await portal.signIn(ADMIN));
}

/** Returns the page on which a sign-in ends. */
async function pageAfter(address: string, email: string): Promise<TestPage> {
  const { portal, browser } = scene;
  const { url } = await browser.open(address);
  return browser.open(await signInAt(portal, portal.device(email), url, browser.agent));
}

test('shows an error page to a user without access, and sends RequestDenied to the application', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const provider = await scene.provider();
  const page = await pageAfter(await provider.getAuthorizeUrlAsync('/trips', undefined, {}), USER);
  expect(page.text).toContain('You can&#39;t use Expenses');
  expect(page.text).not.toContain('<script>');
  const { action, fields } = formOf(page);
  expect([action, fields.RelayState]).toEqual([ACS, '/trips']);
  expect(xmlOf(fields)).toContain('status:RequestDenied');
  expect(xmlOf(fields)).not.toContain('Assertion');
  await expect(provider.validatePostResponseAsync(fields)).rejects.toThrow(/RequestDenied|Responder/);
});

test('allows users by role or name', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const provider = await scene.provider();
  const { fields } = formOf(await pageAfter(await provider.getAuthorizeUrlAsync('', undefined, {}), ADMIN));
  expect((await provider.validatePostResponseAsync(fields)).profile?.nameID).toBe(ADMIN);
});

test("allows a group's members, and sends each group as a value", async () => {
  const { portal, appId } = scene;
  const directory = directoryOf(portal);
  const { suid } = memberByEmail(portal, 'acme', USER);
  for (const displayName of ['Pilots, north', 'Crew <1>']) {
    await directory.send('POST', '/Groups', groupWith({ displayName, members: [{ value: suid }] }));
  }
  const { found } = await directory.filter('Groups', 'displayName eq "crew <1>"');
  await save({ groups: [String(found[0]?.id)] });
  const body = {
    samlAttributes: ['groups', 'units', 'joined', 'email'],
    samlAttributesConfig: [
      { name: 'units', transform: '${roleCode}/${groups|upper}' },
      { name: 'joined', transform: '${email}' },
    ],
  };
  const params = { orgCode: 'acme', appId };
  const admin = await portal.signIn(ADMIN);
  expect((await portal.call(updateSamlApp, { params, body }, admin)).body.resultCode).toBe(0);
  const provider = await scene.provider();
  const { fields } = formOf(await pageAfter(await provider.getAuthorizeUrlAsync('', undefined, {}), USER));
  expect((await provider.validatePostResponseAsync(fields)).profile).toMatchObject({
    groups: ['Crew <1>', 'Pilots, north'],
    units: ['USER/CREW <1>', 'USER/PILOTS, NORTH'],
    joined: USER,
  });
  const { preview, mayUse } = (await portal.call(previewApp, { params, query: { suid } }, admin)).body;
  expect(mayUse).toBe(true);
  expect(preview.protocol === 'saml' && preview.attributes.map(({ name, value }) => [name, value])).toEqual([
    ['groups', 'Crew <1>'],
    ['groups', 'Pilots, north'],
    ['units', 'USER/CREW <1>'],
    ['units', 'USER/PILOTS, NORTH'],
    ['joined', USER],
    ['email', USER],
  ]);
});

test('shows only an error page for IdP-initiated sign-in, as there is no request to answer', async () => {
  await save({ roles: ['SUPER_ADMIN'], people: [] });
  const page = await pageAfter(`${scene.issuer}/sso`, USER);
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('You can&#39;t use Expenses') });
  expect(page.text).not.toContain('<form');
});
