import { paths } from '../src/paths.ts';
import { expect, test } from './fixtures/test.ts';

/** Realistic duration of a press, long enough for the field losing focus to display its error. */
const PRESS = { delay: 150 };

test('clicks the intended button even if leaving an empty field adds an error above it', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.goto(paths.roleManagement);
  await page.getByRole('button', { name: 'Create role' }).click();
  const role = page.getByRole('dialog', { name: 'Create role' });
  const callers = role.getByRole('checkbox', { name: 'Callers', exact: true });
  await expect(role.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await callers.click(PRESS);
  await expect(callers).toBeChecked();
  await expect(role.getByText('This field is required')).toBeVisible();

  for (const [path, open] of [
    [paths.manageFaq, 'Add category'],
    [paths.webhooks, 'Add webhook'],
    [paths.manageUsers, 'Add user'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: open }).first().click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('textbox').first()).toBeFocused();
    await dialog.getByRole('button', { name: 'Cancel' }).click(PRESS);
    await expect.soft(dialog, `the dialog of “${open}” after Cancel`).toBeHidden({ timeout: 3_000 });
  }
});

test('clicks the intended button even if leaving a tag field adds a tag above it', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.goto(paths.manageUsers);
  await page.getByRole('button', { name: 'Invite users' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite users' });
  await invite.getByRole('radio', { name: 'Mobile', exact: true }).check();
  await invite.getByRole('textbox', { name: 'Email addresses' }).fill('ada@acme.test, bo@acme.test, cy@acme.test, dee');
  await invite.getByRole('button', { name: 'Cancel' }).click(PRESS);
  await expect(page.getByRole('alertdialog')).toBeVisible({ timeout: 3_000 });
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.goto(paths.security);
  const domains = page.getByRole('textbox', { name: 'Allowed email domains' });
  await domains.fill('not a domain');
  const below = page.getByRole('switch').first();
  const was = await below.isChecked();
  await below.click(PRESS);
  await expect(below).toBeChecked({ checked: !was });
});
