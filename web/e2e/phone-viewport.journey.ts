import type { Locator, Page } from '@playwright/test';
import { Phone } from './fixtures/phone.ts';
import { changeStatus, deviceRow } from './fixtures/registered-devices.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

test.use(PHONE);

/** Expects no horizontal overflow. */
async function expectNoSideways(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

test('signs in with the authenticator on the same phone', async ({ page, context }) => {
  const phone = new Phone(page);
  await phone.startAs('user@acme.test');
  await expectNoSideways(page);

  const browser = await context.newPage();
  await browser.goto('/acme/sign-in');
  await expectNoSideways(browser);
  await browser.getByRole('button', { name: 'Sign in' }).tap();
  await shownAddress(browser);
  await expectNoSideways(browser);
  const opening = context.waitForEvent('page');
  await browser.getByRole('link', { name: 'Open in the authenticator on this phone' }).tap();
  const answer = new Phone(await opening);
  await answer.approve();
  await expect(browser).toHaveURL(/\/dashboard$/);
  await expectNoSideways(browser);
});

// covers: spec 1.9.9
test('fits the dashboard on a phone', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await expect(deviceRow(page, 'ThinkPad X1')).toBeVisible();
  await expectNoSideways(page);
  await deviceRow(page, 'ThinkPad X1').getByRole('button', { expanded: false }).first().tap();
  await expect(page.getByText('Last Active')).toBeVisible();
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Paused');
  await expectNoSideways(page);

  await page.getByRole('link', { name: 'View All' }).tap();
  await expect(page.getByRole('button', { name: 'Load more' })).toBeVisible();
  await expectNoSideways(page);
});

test('shows a device’s switch and menu on one line on a phone', WHOLE, async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const row = page.getByRole('row').filter({ hasText: 'ThinkPad X1' });
  const middleOf = (drawing: Locator) =>
    drawing.evaluate((box) => {
      const { top, height } = box.getBoundingClientRect();
      return top + height / 2;
    });
  const track = await middleOf(row.getByRole('switch').locator('> :last-child'));
  const dots = await middleOf(row.getByRole('button', { name: /^More actions for/ }).locator('svg'));
  expect(Math.abs(track - dots)).toBeLessThanOrEqual(1);
});

// covers: spec 1.2.22, spec 2.2.9
test('shows the menu as a drawer that closes after a selection', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.getByRole('link', { name: 'View All' }).tap();
  await page.getByRole('button', { name: 'Open menu' }).tap();
  const drawer = page.getByRole('dialog', { name: 'Side menu' });
  await drawer.getByRole('link', { name: 'Dashboard' }).tap();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.getByRole('button', { name: 'Open menu' }).tap();
  await drawer.getByRole('button', { name: 'Test Device' }).tap();
  await expect(page.getByRole('dialog', { name: 'Test Device' })).toBeVisible();
  await expectNoSideways(page);
});

test('adds a device on a phone', WHOLE, async ({ page, signIn, authenticator }) => {
  await signIn('user@acme.test');
  await page.getByRole('button', { name: 'Add device' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Mobile' }).tap();
  const aid = new URL(await shownAddress(page)).searchParams.get('aid') ?? '';
  await expectNoSideways(page);
  const device = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;
  await authenticator.pair({ orgCode: 'acme', aid, device });
  await page.getByRole('button', { name: 'Yes, add device' }).tap();
  await page.getByRole('button', { name: 'Done' }).tap();
  await expect(deviceRow(page, 'Pixel 10')).toContainText('Active');
});
