import { seededDevice } from './fixtures/data.ts';
import { changeStatus, chooseAction, deviceRow, deviceSwitch } from './fixtures/registered-devices.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

// covers: spec 1.4.2
test('displays a device as paused immediately, and reverts it with a toast if the server fails', async ({
  page,
  portal,
  complaints,
  signIn,
}) => {
  complaints.expect(/status of 500/);
  await signIn(ADMIN);
  const toggle = deviceSwitch(page, 'ThinkPad X1');
  await expect(toggle).toBeChecked();
  await portal.fault({ method: 'POST', path: '/device/manage', delayMs: 1_000 });
  // Reloading the devices also fails. Even then, the device must return to its previous state.
  await portal.fault({ method: 'GET', path: '/user', times: 10 });
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await expect(toggle).not.toBeChecked();
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Paused');

  await expect(toggle).toBeChecked();
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Active');
  await expect(page.getByText('Something went wrong!')).toBeVisible();
});

test('reverts a pause that gets no response for 30 seconds, and warns that the result is unknown', async ({
  page,
  portal,
  signIn,
}) => {
  await page.clock.install();
  await signIn(ADMIN);
  const row = deviceRow(page, 'ThinkPad X1');
  await portal.fault({ match: { method: 'POST', path: '/api/device/manage' }, answer: { hang: true } });
  const sent = page.waitForRequest('**/api/device/manage');
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await sent;
  await expect(row).toContainText('Paused');
  await page.clock.fastForward(29_000);
  await expect(row).toContainText('Paused');
  await page.clock.fastForward(1_000);
  await expect(row).toContainText(/Active/);
  await expect(page.getByText("The portal didn't respond in time. Check whether your change was saved")).toBeVisible();
  // The next status change works normally.
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await expect(row).toContainText('Paused');
});

test('refuses a paused device until it is enabled again', WHOLE, async ({ page, portal, authenticator, signIn }) => {
  const desk = await seededDevice(portal, ADMIN, 'desktop');
  await signIn(ADMIN);
  const paused = page.waitForResponse('**/api/device/manage');
  await changeStatus(page, 'ThinkPad X1', 'Pause device');
  await expect(deviceSwitch(page, 'ThinkPad X1')).toHaveAccessibleName('Desk');
  await expect(deviceSwitch(page, 'ThinkPad X1')).toContainText('inactive');
  await paused;
  await expect(authenticator.pending(desk)).rejects.toMatchObject({ resultName: 'DEVICE_INACTIVE' });

  await page.reload();
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Paused');
  const enabled = page.waitForResponse('**/api/device/manage');
  await changeStatus(page, 'ThinkPad X1', 'Enable device');
  await expect(deviceRow(page, 'ThinkPad X1')).toContainText('Active');
  await enabled;
  expect(await authenticator.pending(desk)).toEqual([]);
});

// covers: spec 1.4.5
test('explains why the current sign-in’s device cannot be paused or deleted', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const row = deviceRow(page, 'Pixel 9 Pro');
  await expect(row).toContainText('This sign-in');
  const toggle = row.getByRole('switch');
  await expect(toggle).toHaveAttribute('aria-disabled', 'true');
  await toggle.focus();
  await expect(page.getByRole('tooltip', { name: 'Cannot disable device used for this login' })).toBeVisible();
  await toggle.click({ force: true });
  await expect(toggle).toBeChecked();

  await row.getByRole('button', { name: 'More actions for Pocket' }).click();
  const item = page.getByRole('menuitem', { name: 'Delete device' });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  await item.hover();
  await expect(page.getByRole('tooltip', { name: 'Cannot delete device used for this login' })).toBeVisible();
  await item.click({ force: true });
  await expect(page.getByRole('alertdialog')).toBeHidden();
});

// covers: spec 1.4.7
test('prevents pausing or deleting the last active mobile device', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN, { with: 'desktop' });
  await deviceSwitch(page, 'Pixel 9 Pro').focus();
  await expect(page.getByRole('tooltip', { name: 'Last mobile device cannot be disabled' })).toBeVisible();
  await deviceRow(page, 'Pixel 9 Pro').getByRole('button', { name: 'More actions for Pocket' }).click();
  await page.getByRole('menuitem', { name: 'Delete device' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Last mobile device cannot be deleted' })).toBeVisible();
});

test('deletes a device permanently, and keeps it if the user cancels', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const dialog = page.getByRole('alertdialog', { name: 'Delete Keyring?' });
  await chooseAction(page, 'YubiKey 5C', 'Delete device');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(deviceRow(page, 'YubiKey 5C')).toBeVisible();

  await chooseAction(page, 'YubiKey 5C', 'Delete device');
  await dialog.getByRole('button', { name: 'Delete device' }).click();
  await expect(page.getByText('Keyring was deleted')).toBeVisible();
  await expect(deviceRow(page, 'YubiKey 5C')).toBeHidden();
  await page.reload();
  await expect(deviceRow(page, 'Pixel 9 Pro')).toBeVisible();
  await expect(deviceRow(page, 'YubiKey 5C')).toBeHidden();
});

// covers: spec 1.4.35
test(
  'saves a nickname on Enter or when the field loses focus, and clears an empty nickname',
  WHOLE,
  async ({ page, signIn }) => {
    await signIn(ADMIN);
    const row = deviceRow(page, 'iPhone 14');
    const field = page.getByRole('textbox', { name: 'Nickname for iPhone 14' });
    const saved = () => page.waitForResponse('**/api/device/nickname');

    await row.getByRole('button', { name: /nickname/ }).click();
    await field.fill('Drawer');
    const first = saved();
    await field.press('Enter');
    await first;
    await expect(row.getByRole('button', { name: /^Drawer/ })).toBeFocused();

    await row.getByRole('button', { name: /nickname/ }).click();
    await field.fill('Glove box');
    const second = saved();
    await field.blur();
    await second;
    await page.reload();
    await expect(row.getByRole('button', { name: /^Glove box/ })).toBeVisible();

    await row.getByRole('button', { name: /nickname/ }).click();
    await field.fill('');
    const third = saved();
    await field.blur();
    await third;
    await page.reload();
    await expect(row.getByRole('button', { name: 'Add a nickname for iPhone 14' })).toBeVisible();
  },
);

// covers: spec 1.5.1
test('rejects a two-character nickname with a tooltip, and reverts it on Escape', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const row = deviceRow(page, 'Pixel 9 Pro');
  const field = page.getByRole('textbox', { name: 'Nickname for Pixel 9 Pro' });
  await row.getByRole('button', { name: /^Pocket/ }).click();
  await field.fill('ab');
  await expect(page.getByRole('tooltip', { name: 'Nicknames must have at least 3 characters' })).toBeVisible();
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.press('Escape');
  await expect(row.getByRole('button', { name: /^Pocket/ })).toBeVisible();
});

test('expands a row to show when the device was registered and last active', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await deviceRow(page, 'ThinkPad X1').getByRole('button', { expanded: false }).first().click();
  const moments = page.getByRole('table').getByRole('definition');
  await expect(moments).toHaveText([
    /^\d\d \w{3} \d{4}, \d\d:\d\d\u00a0[AP]M$/,
    /^\d\d \w{3} \d{4}, \d\d:\d\d\u00a0[AP]M$/,
  ]);
  await expect(page.getByText(/^Last refresh \d\d \w{3} \d{4}, \d\d:\d\d:\d\d\u00a0[AP]M$/)).toBeVisible();
});

for (const width of [1340, 1440]) {
  test(
    `fits the table next to the login history at ${width} px, and keeps columns in place`,
    WHOLE,
    async ({ page, signIn }) => {
      await page.setViewportSize({ width, height: 900 });
      await signIn(ADMIN);
      const table = page.getByRole('table', { name: 'Registered devices' });
      const button = deviceRow(page, 'iPhone 14').getByRole('button', { name: /nickname/ });
      await expect(button).toBeVisible();
      const columns = () =>
        table
          .getByRole('columnheader')
          .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().x)));
      const before = await columns();
      expect(await table.evaluate(({ parentElement: area }) => area && area.scrollWidth - area.clientWidth)).toBe(0);
      await button.click();
      await expect(page.getByRole('textbox', { name: 'Nickname for iPhone 14' })).toBeFocused();
      const moves = (await columns()).map((x, at) => Math.abs(x - (before[at] ?? 0)));
      expect(Math.max(...moves)).toBeLessThanOrEqual(1);
    },
  );
}
