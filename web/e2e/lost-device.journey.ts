import { latestEmailTo, seededDevice } from './fixtures/data.ts';
import { chooseAction, deviceRow } from './fixtures/registered-devices.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

test(
  'signs out immediately when the current sign-in’s device is reported lost',
  WHOLE,
  async ({ page, portal, authenticator, signIn }) => {
    const lost = await seededDevice(portal, ADMIN);
    await signIn(ADMIN);
    await portal.emptyOutbox();
    await chooseAction(page, 'Pixel 9 Pro', 'Report lost');
    const dialog = page.getByRole('alertdialog', { name: 'Report Pocket lost?' });
    await expect(dialog).toContainText("you'll be signed out here immediately");
    await dialog.getByRole('button', { name: 'Report lost' }).click();
    await expect(page).toHaveURL(/\/acme\/sign-in$/);
    await expect(page.getByText('Pocket was reported lost')).toBeVisible();
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/acme\/sign-in$/);

    await expect(authenticator.pending(lost)).rejects.toMatchObject({ resultName: 'DEVICE_NOT_TRUSTED' });
    expect((await latestEmailTo(portal, ADMIN)).subject).toMatch(/lost/i);
  },
);

test(
  'ends other sessions signed in with a device that is reported lost',
  WHOLE,
  async ({ page, openBrowser, complaints, signIn }) => {
    complaints.expect(/status of 401/);
    const other = await openBrowser();
    await signIn(ADMIN, { on: other, with: 'desktop' });
    await signIn(ADMIN);
    await chooseAction(page, 'ThinkPad X1', 'Report lost');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Report lost' }).click();
    await expect(page.getByText('Desk was reported lost')).toBeVisible();
    await expect(deviceRow(page, 'ThinkPad X1')).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard$/);

    await other.getByRole('button', { name: 'Refresh devices' }).click();
    await expect(other).toHaveURL(/\/acme\/sign-in$/);
    await other.reload();
    await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);
