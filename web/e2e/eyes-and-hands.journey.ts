import type { Locator } from '@playwright/test';
import { paths } from '../src/paths.ts';
import { Phone } from './fixtures/phone.ts';
import { deviceRow } from './fixtures/registered-devices.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const ZOOMED = { viewport: { width: 720, height: 450 } };

const background = (element: Locator) => element.evaluate((node) => getComputedStyle(node).backgroundColor);

for (const colorScheme of ['light', 'dark'] as const) {
  const how = colorScheme === 'light' ? WHOLE : {};

  test(
    `forced ${colorScheme} colours keep the QR code scannable and mark the selected tab`,
    how,
    async ({ page, openBrowser }) => {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' });
      await page.goto('/acme/sign-in?with=scan');
      await shownAddress(page);
      const tab = (name: string) => page.getByRole('tab', { name });
      expect(await background(tab('Scan'))).not.toBe(await background(tab('Type code')));

      const buffer = await page.getByRole('img', { name: /^QR code/ }).screenshot();
      const phone = new Phone(await openBrowser(PHONE));
      await phone.startAs('user@acme.test');
      await phone.button('Scan').click();
      await phone.sheet
        .getByLabel('Image of a QR code')
        .setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer });
      await phone.approve();
      await expect(page).toHaveURL(/\/dashboard$/);
    },
  );

  test(`forced ${colorScheme} colours show a switch's state`, how, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
    await signIn(ADMIN);
    const track = (device: string) => deviceRow(page, device).getByRole('switch').locator('div').first();
    const [on, off, row] = [
      await background(track('ThinkPad X1')),
      await background(track('iPhone 14')),
      await background(page.locator('body')),
    ];
    expect(on).not.toBe(off);
    expect(on).not.toBe(row);
    expect(await background(track('iPhone 14').locator('div'))).not.toBe(off);
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true });
    expect(await background(link('Dashboard'))).not.toBe(await background(link('Applications')));
  });
}

test('forced colours keep brand colours distinguishable', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
  await page.goto('/demo');
  const names = ['Yellow', 'Navy', 'Teal', 'Crimson', 'Violet', 'Orange'];
  await expect(page.getByTitle('Orange')).toBeVisible();
  const shown = await Promise.all(names.map((name) => background(page.getByTitle(name))));
  expect(new Set(shown).size).toBe(names.length);
});

// covers: spec 1.1.15
test('keeps administration usable at 200 % zoom', async ({ signIn, openBrowser }) => {
  const page = await openBrowser(ZOOMED);
  await signIn(ADMIN, { on: page });
  await page.goto('/org-settings/role-management');
  await expect(page.getByRole('heading', { level: 1, name: 'Role Management' })).toBeVisible();
  await page.setViewportSize({ width: 820, height: 600 });
  await page.goto('/org-settings/user-provisioning');
  await page.getByRole('button', { name: 'Add schema' }).click();
  await expect(page.getByRole('dialog', { name: 'Add schema' })).toBeVisible();
});

// covers: spec 1.1.15
test('shows the desktop-only notice in a narrow window, with a menu of available screens', async ({
  signIn,
  openBrowser,
}) => {
  const page = await openBrowser({ viewport: { width: 1_000, height: 700 }, isZoomed: false });
  await signIn(ADMIN, { on: page });
  await page.goto('/org-settings/role-management');
  await expect(page.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeVisible();
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByRole('listitem')).toHaveText(['Dashboard', 'My Applications', 'Test Device', 'FAQ']);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1_024, height: 700 });
  await expect(page.getByRole('heading', { level: 1, name: 'Role Management' })).toBeVisible();
});

test('fits the side menu into a window, and indicates more items once groups are expanded', async ({
  page,
  signIn,
}) => {
  await signIn(ADMIN);
  const sign = page.getByRole('complementary', { name: 'Side menu' }).locator('[data-more]');
  await expect(page.getByRole('button', { name: 'Manage Settings' })).toBeVisible();
  await expect(sign).toBeHidden();
  for (const name of ['Org Settings', 'Manage Settings']) await page.getByRole('button', { name }).click();
  const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  await links.first().focus();
  await expect(sign).toBeVisible();
  await links.last().focus();
  await expect(sign).toBeHidden();
});

/** An endlessly looping animation with two frames of 8 × 8 pixels. */
const MOVING = Buffer.from(
  'R0lGODlhCAAIAIAAAExpcQAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAACAAIAAACB4yPqcvtXQAAIfkEBQoAAAAsAAAAAAgACACATGlx/wAAAgeMj6nL7V0AADs=',
  'base64',
);

test('displays an animated logo as a still image in the preview and the portal', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.goto(paths.branding);
  await page
    .getByLabel('Logo', { exact: true })
    .and(page.locator('input'))
    .setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: MOVING });
  const looks = async (picture: Locator) => {
    const shots = new Set<string>();
    // Take several screenshots: each frame lasts 100 ms, and a screenshot takes about as long.
    for (let look = 0; look < 8; look += 1) shots.add((await picture.screenshot()).toString('base64'));
    return shots.size;
  };
  const preview = page.getByRole('region', { name: 'Preview' }).locator('img[src^="data:"]').first();
  expect(await looks(preview)).toBe(1);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByRole('img', { name: 'Current logo' });
  expect(await looks(saved)).toBe(1);
});
