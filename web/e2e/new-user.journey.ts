import { Phone } from './fixtures/phone.ts';
import { changeStatus, deviceRow } from './fixtures/registered-devices.ts';
import { expect, test } from './fixtures/test.ts';

// Tests with animations, unlike the other journeys.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

// covers: spec 1.2.10, spec 1.9.6
test('signs a first-time visitor in from the root, shows their devices and signs them out', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Organisation code' }).fill('acme');
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();

  const opening = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the simulated authenticator' }).click();
  const phone = new Phone(await opening);
  await phone.chooseDemoDevice('Avery Lindqvist');

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied to clipboard')).toBeVisible();
  await phone.page.bringToFront();
  await phone.button('Scan').click();
  await phone.sheet.getByRole('button', { name: 'Paste' }).click();
  await expect(phone.sheet).toContainText('Sign in to');
  await phone.approve();

  await page.bringToFront();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Avery$/);
  await expect(deviceRow(page, 'Pixel 9 Pro')).toContainText('This sign-in');
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Paused');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/acme\/sign-in$/);
});
