import { createApp } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { HR_METADATA } from './fixtures/data.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

const apps = (page: Page) => page.getByRole('table', { name: 'Applications' });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openList(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await expect(apps(page)).toBeVisible();
}

async function add(page: Page, kind: 'OIDC' | 'SAML'): Promise<void> {
  await press(page, 'Add application');
  await page.getByRole('menuitem', { name: kind }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

// covers: spec 2.1.2, spec 2.2.19, spec 2.2.35, spec 2.4.3, spec 2.8.4
test('creates, changes and deletes an OIDC application', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await openList(page);
  await expectAccessible(page, 'list');
  await add(page, 'OIDC');
  await box(page, 'App name').fill('team WIKI');
  await page.keyboard.press('Escape');
  await press(page, 'Next');
  await box(page, 'Callback URL').fill('https://times.acme.test/callback');
  await box(page, 'Logout URL').fill('https://times.acme.test/');
  await press(page, 'Submit');
  await expect(page.getByText('App name already exists')).toBeVisible();
  await expectAccessible(page, 'a name that is taken');
  await box(page, 'App name').fill('Time Sheets');
  await press(page, 'Next');
  await expect(box(page, 'Callback URL')).toHaveValue('https://times.acme.test/callback');
  await press(page, 'Submit');

  await expect(page.getByRole('heading', { name: 'Time Sheets / OIDC' })).toBeVisible();
  await expect(page).toHaveURL(/\/applications\/time-sheets\/configuration$/);
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Time Sheets');
  await expect(page.getByRole('group', { name: 'Client secret, hidden' })).toBeVisible();
  await page.getByRole('button', { name: /^Token lifetimes/ }).click();
  await expectAccessible(page, 'configuration');
  await page.getByRole('spinbutton', { name: 'ID token' }).fill('600');
  await page.getByRole('link', { name: 'Login options', exact: true }).click();
  await page.getByRole('switch', { name: 'Force authentication' }).click();
  await expectAccessible(page, 'login options');

  await page.goBack();
  await expect(page.getByRole('alertdialog', { name: 'Save your changes?' })).toBeVisible();
  await expectAccessible(page, 'unsaved changes');
  await press(page, 'Stay');
  await expect(page).toHaveURL(/\/time-sheets\/login-options$/);
  await page.getByRole('link', { name: 'General info' }).click();
  await box(page, 'Description').fill('Hours and absences');
  await press(page, 'Submit');
  await expect(page.getByText('App settings saved')).toBeVisible();
  const row = apps(page).getByRole('row', { name: /Time Sheets/ });
  await expect(row.getByRole('img', { name: 'Force authentication enabled' })).toBeVisible();

  await row.click();
  await page.getByRole('button', { name: /^Token lifetimes/ }).click();
  await expect(page.getByRole('spinbutton', { name: 'ID token' })).toHaveValue('600');
  await press(page, 'Delete app');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Delete app' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('Time Sheets');
  await expectAccessible(page, 'delete');
  await dialog.getByRole('button', { name: 'Delete app' }).click();
  await expect(page.getByText('Application deleted')).toBeVisible();
  await expect(apps(page)).not.toContainText('Time Sheets');
});

// covers: spec 2.2.19, spec 2.2.37, spec 2.8.4
test("creates a SAML application from the service provider's metadata", WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await openList(page);
  await add(page, 'SAML');
  await box(page, 'App name').fill('People HR');
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'People HR / SAML' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'People HR / SAML' })).toBeVisible();
  await expectAccessible(page, 'nothing uploaded yet');

  const file = { name: 'metadata.xml', mimeType: 'application/xml', buffer: Buffer.from(HR_METADATA) };
  await page.locator('input[type=file]').setInputFiles(file);
  const preview = page.getByRole('group', { name: 'Metadata contents' });
  await expect(preview).toContainText('https://hr.acme.test/saml/acs');
  await expect(preview).toContainText('Expired');
  await press(page, 'Submit');
  await expect(page.getByText('This field is required')).toBeVisible();
  await expectAccessible(page, 'preview, and something missing');
  await box(page, 'Redirect URL').fill('https://hr.acme.test/');
  await press(page, 'Submit');
  await expect(page.getByText('Application created')).toBeVisible();
  await expect(page).toHaveURL(/\/applications\/people-hr\/configuration$/);
  await expect(preview).toContainText('https://hr.acme.test/saml/metadata');

  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download IDP metadata')]);
  expect(download.suggestedFilename()).toBe('saml-idp-metadata.xml');
  await press(page, 'Manage Settings');
  await page.getByRole('link', { name: 'IDP Configuration' }).click();
  await expect(page.getByRole('table', { name: 'SAML applications' })).toContainText('People HR');
  await expectAccessible(page, 'identity provider');
});

test(
  'adds the redirect URI of a refused sign-in, only after a second look',
  WHOLE,
  async ({ page, portal, signIn }) => {
    const address = 'http://localhost:8080/callback';
    const query = new URLSearchParams({
      client_id: 'payroll',
      redirect_uri: address,
      response_type: 'code',
      scope: 'openid',
    });
    const signInPage = `${portal.url}/oidc/acme/auth?${query}`;
    expect((await page.request.get(signInPage)).status()).toBe(400);
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(ADMIN);
    await page.goto('/applications?tab=groups');
    await expect(page.getByRole('heading', { name: 'No groups yet' })).toBeVisible();
    await expectAccessible(page, 'groups');
    await page.goto('/applications/payroll/login-options');
    const side = page.getByRole('complementary', { name: 'Quick start and last sign-ins' });
    await expect(side.getByRole('group', { name: 'app.mjs' })).toBeVisible();
    await side.getByRole('link', { name: `Add to callback URLs: ${address}` }).click();
    await expect(page).toHaveURL(/\/applications\/payroll\/configuration$/);
    await expect(box(page, 'Callback URL 2')).toHaveValue(address);
    await expect(box(page, 'Callback URL 2')).toBeFocused();
    await expect(page.getByText(/^Not saved yet/)).toContainText('localhost:8080');
    await press(page, 'Advanced Endpoints, claims, single logout, keys and signatures');
    await expectAccessible(page, 'an address from a refused sign-in');
    expect((await page.request.get(signInPage, { maxRedirects: 0 })).status()).toBe(400);
    await page.keyboard.press('ControlOrMeta+s');
    await expect(page.getByText('App settings saved')).toBeVisible();
    expect((await page.request.get(signInPage, { maxRedirects: 0 })).status()).toBe(303);
  },
);

// covers: spec 2.1.8
test('shows a notice on a phone that applications require a desktop', WHOLE, async ({ openBrowser, signIn }) => {
  const page = await openBrowser(PHONE);
  await signIn(ADMIN, { on: page });
  await page.goto('/applications/payroll/configuration');
  await expect(page.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeVisible();
});

test('renders only the rows in view of hundreds of applications', WHOLE, async ({ page, portal, signIn }) => {
  const { token } = await portal.session({ email: ADMIN });
  const params = { orgCode: 'acme' };
  for (let at = 0; at < 335; at++) {
    const body = { orgCode: 'acme', integrationType: 'ldap', name: `Shelf ${String(at).padStart(3, '0')}` } as const;
    await portal.call(createApp, { params, body }, { token });
  }
  await signIn(ADMIN);
  await openList(page);
  const rows = apps(page).locator('tbody tr[aria-rowindex]');
  await expect(page.getByText('339 applications')).toBeVisible();
  await expect(apps(page)).toHaveAttribute('aria-rowcount', '340');
  await expect.poll(() => rows.count()).toBeLessThan(40);
  await apps(page).hover();
  await page.mouse.wheel(0, 100_000);
  await expect(page.locator('tr[aria-rowindex="340"]')).toBeInViewport();
  expect(await rows.count()).toBeLessThan(40);
  await page.mouse.wheel(0, -100_000);
  await expect(page.locator('tr[aria-rowindex="2"]')).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Search applications' }).fill('shelf 333');
  await expect(rows).toHaveCount(1);
});
