import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><rect width="200" height="60" fill="#1D4ED8"/></svg>';

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/org-settings/${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading settings' })).toBeHidden();
}

async function save(page: Page, message: string): Promise<void> {
  await page.getByRole('group', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(message)).toBeVisible();
}

const brandOf = (page: Page) =>
  page.evaluate(() => document.documentElement.style.getPropertyValue('--brand').toUpperCase());

test('keeps the field being typed in clear of the save bar, and saves with Ctrl S', WHOLE, async ({ page, signIn }) => {
  await page.setViewportSize({ width: 1280, height: 620 });
  await signIn(ADMIN);
  await open(page, 'security');
  const field = page.getByRole('spinbutton', { name: 'Device limit' });
  await field.evaluate((input) => window.scrollBy(0, input.getBoundingClientRect().bottom + 6 - window.innerHeight));
  // Unlike Playwright's own click, a person's doesn't scroll.
  const place = await field.boundingBox();
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 15);
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('7');
  const bar = page.getByRole('group', { name: 'Unsaved changes' });
  await expect(bar).toHaveText(/^1 change, not saved/);
  const edges = async () => {
    const [input, covering] = [await field.boundingBox(), await bar.boundingBox()];
    return (covering?.y ?? 0) - ((input?.y ?? 0) + (input?.height ?? 0));
  };
  await expect.poll(edges, { message: 'space between the field and the bar' }).toBeGreaterThan(0);
  await expectAccessible(page, 'unsaved settings');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Security settings saved')).toBeVisible();
  await expect(bar).toBeHidden();
});

// covers: spec 2.1.1, spec 2.2.41
test('applies new branding in the preview, the portal and the sign-in page', async ({ page, signIn, openBrowser }) => {
  await signIn(ADMIN);
  await open(page, 'branding');
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#1D4ED8');
  await page.getByRole('textbox', { name: 'Title' }).fill('Welcome to Acme');
  await page.getByRole('textbox', { name: 'Sign-in button label' }).fill('Let me in');
  const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) };
  await page.getByLabel('Logo').locator('input[type=file]').setInputFiles(file);
  const preview = page.getByRole('img', { name: 'Preview of the sign-in page on a desktop' });
  await expect(preview).toContainText('Welcome to Acme');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('textbox', { name: 'Title' }).scrollIntoViewIfNeeded();
  await expect(preview, 'next to the focused field').toBeInViewport({ ratio: 0.9 });
  await page.getByRole('tab', { name: 'Phone' }).click();
  await expect(page.getByRole('img', { name: 'Preview of the sign-in page on a phone' })).toContainText('Let me in');
  expect(await brandOf(page)).toBe('#FACC15');
  await save(page, 'Branding saved');
  await expect.poll(() => brandOf(page)).toBe('#1D4ED8');

  const visitor = await openBrowser();
  await visitor.goto('/acme/sign-in');
  await expect(visitor.getByRole('heading', { name: 'Welcome to Acme' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Let me in' })).toBeVisible();
  await expect(visitor.getByRole('img', { name: 'Acme Corporation' })).toBeVisible();
  expect(await brandOf(visitor)).toBe('#1D4ED8');
});

test('keeps the layout of the desktop preview in a narrow window', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'branding');
  const preview = page.getByRole('img', { name: 'Preview of the sign-in page on a desktop' });
  await preview.scrollIntoViewIfNeeded();
  const [whole, title, banner] = await Promise.all([
    preview.boundingBox(),
    preview.getByText('No password: your phone is all you need.').boundingBox(),
    preview.getByText('Your phone is the key.').boundingBox(),
  ]);
  if (!whole || !title || !banner) throw new Error('The preview is not drawn.');
  expect(whole.x + whole.width, 'fits the window').toBeLessThan(390);
  expect(title.x + title.width, 'in the left one of two columns').toBeLessThan(whole.x + whole.width * 0.52);
  expect(banner.x, 'in the right one of two columns').toBeGreaterThan(whole.x + whole.width * 0.52);
});

// covers: spec 2.2.6
test('hides the typed code on the sign-in page if it is disabled', WHOLE, async ({ page, signIn, openBrowser }) => {
  const visitor = await openBrowser();
  await visitor.goto('/acme/sign-in?with=scan');
  await expect(visitor.getByRole('tab', { name: 'Type code' })).toBeVisible();

  await signIn(ADMIN);
  await open(page, 'login-options/org-level');
  await page.getByRole('switch', { name: 'Type code' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  const question = page.getByRole('alertdialog', { name: 'Save your changes?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await save(page, 'Login options saved');

  await visitor.reload();
  await expect(visitor.getByRole('tab', { name: 'My device' })).toBeVisible();
  await expect(visitor.getByRole('tab', { name: 'Type code' })).toBeHidden();
});

test('passes axe on the settings', WHOLE, async ({ page, signIn, openBrowser, complaints }) => {
  complaints.expect(/400/);
  await signIn(ADMIN);
  await open(page, 'login-options');
  await page.getByRole('spinbutton', { name: 'Session timeout' }).fill('-1');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Enter a whole number of at least 0')).toBeVisible();
  await expectAccessible(page, 'organisation level');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: 'Application level' }).click();
  await expect(page.getByRole('combobox', { name: 'Application' })).toBeVisible();
  await expectAccessible(page, 'application level');
  await open(page, 'branding');
  await expectAccessible(page, 'branding');
  await page.getByRole('button', { name: 'Where each field appears' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'help of the branding');
  await open(page, 'oidc-portal-auth');
  await page.getByRole('textbox', { name: 'Configuration URL' }).fill('https://192.168.0.10/');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'OIDC portal auth');
  await page.getByRole('button', { name: 'Discard' }).click();
  await open(page, 'user-provisioning');
  await expectAccessible(page, 'user provisioning');
  await open(page, 'security');
  await page.getByRole('textbox', { name: 'Allowed email domains' }).pressSequentially('nonsense ');
  await expect(page.getByText('Enter a valid domain')).toBeVisible();
  await expectAccessible(page, 'security');

  const phone = await openBrowser(PHONE);
  await signIn(ADMIN, { on: phone });
  await phone.goto('/org-settings/security');
  await expect(phone.getByText('Admin features are available only on Desktop')).toBeVisible();
});
