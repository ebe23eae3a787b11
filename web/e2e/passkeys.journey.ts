import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { deviceRow } from './fixtures/registered-devices.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';
import { plugInAuthenticator } from './fixtures/virtual-authenticator.ts';

const ADMIN = 'super.admin@acme.test';

/** Waits for the dashboard to load before signing out. Otherwise, pending requests would be refused. */
async function logOut(page: Page): Promise<void> {
  await page.goto('/dashboard?modal=logout', { waitUntil: 'networkidle' });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
}

test(
  'enables passkeys, adds one, and signs in with it from the button and the name field',
  WHOLE,
  async ({ page, signIn }) => {
    const authenticator = await plugInAuthenticator(page);
    await signIn(ADMIN);
    await page.goto('/org-settings/login-options/org-level');
    await page.getByRole('switch', { name: 'Passkeys' }).click();
    await page.getByRole('group', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Login options saved')).toBeVisible();

    await page.goto('/dashboard?modal=add-device');
    await page.getByRole('dialog').getByRole('button', { name: 'Passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Passkey on Linux was added' })).toBeVisible();
    await expectAccessible(page, 'a passkey was added');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(deviceRow(page, 'Passkey on Linux')).toContainText('Active');

    await logOut(page);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.goto('/acme/sign-in?with=scan');
    await authenticator.setVerified(false);
    await page.getByRole('tab', { name: 'Passkey' }).click();
    await expect(page.getByText('No passkey was confirmed.')).toBeVisible();
    await expectAccessible(page, 'no passkey was confirmed');
    await authenticator.setVerified(true);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(deviceRow(page, 'Passkey on Linux')).toContainText('This sign-in');

    await logOut(page);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    // The page signs in with a passkey immediately, because the browser picks the only available one.
    await page.goto('/acme/sign-in?with=device');
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(deviceRow(page, 'Passkey on Linux')).toContainText('This sign-in');
  },
);
