import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const SECURITY = '/org-settings/security';

const limitOn = (page: Page) => page.getByRole('spinbutton', { name: 'Device limit' });
const save = (page: Page) =>
  page.getByRole('group', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();

test(
  'resolves conflicting edits by two administrators field by field',
  WHOLE,
  async ({ page, signIn, openBrowser, complaints }) => {
    complaints.expect(/412/);
    await page.setViewportSize({ width: 1280, height: 900 });
    const second = await openBrowser();
    await signIn(ADMIN);
    await signIn('security.admin@acme.test', { on: second });
    for (const each of [page, second]) await each.goto(SECURITY);
    await limitOn(page).fill('7');
    await page.getByRole('button', { name: 'Add my IP address' }).click();
    await limitOn(second).fill('9');
    await second.getByRole('textbox', { name: 'Allowed email domains' }).pressSequentially('acme.test ');
    await save(second);
    await expect(second.getByText('Security settings saved')).toBeVisible();

    await save(page);
    const dialog = page.getByRole('dialog', { name: /changed this while you were editing$/ });
    const limit = dialog.getByRole('group', { name: 'Device limit' });
    await expect(limit.getByRole('radio', { name: /Keep mine/ })).toBeChecked();
    await expectAccessible(page, 'two have changed one field');
    await limit.getByRole('radio', { name: /Keep theirs/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Security settings saved')).toBeVisible();
    await expect(limitOn(page)).toHaveValue('9');

    await second.reload();
    await expect(limitOn(second)).toHaveValue('9');
    await expect(second.getByRole('button', { name: 'Remove acme.test' })).toBeVisible();
    await expect(second.getByRole('button', { name: 'Remove 127.0.0.1' })).toBeVisible();
  },
);

test(
  'restores input in forms and dialogs after the session has ended',
  WHOLE,
  async ({ page, portal, authenticator, signIn, complaints }) => {
    // Once the clock advances, the session and the remembered browser have expired, so requests fail.
    complaints.expect(/401/);
    complaints.expect(/400 .*user\/login/);
    await signIn(ADMIN);
    await page.goto('/org-settings/role-management?role=AUDITOR');
    await page.getByRole('button', { name: 'Edit role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Readers');
    // Longer than any session lasts.
    await portal.clock({ advance: '60d' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/^Your session has ended\. Sign in to continue where you left off/)).toBeVisible();
    await expect(page.getByText('Please sign in.')).toBeHidden();
    await expectAccessible(page, 'sign-in page after a session has ended');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await approveShown(page, authenticator, await seededDevice(portal, ADMIN));
    await expect(page).toHaveURL(/role=AUDITOR/);
    await expect(page.getByText(/^Your session ended, so we restored your unsaved changes/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Readers');
    await expectAccessible(page, 'a form that is filled again');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Role updated successfully')).toBeVisible();
  },
);

test('resolves conflicts between two tabs on a phone', WHOLE, async ({ signIn, openBrowser, complaints }) => {
  complaints.expect(/412/);
  const first = await openBrowser(PHONE);
  await signIn('user@acme.test', { on: first });
  const second = await first.context().newPage();
  for (const tab of [first, second]) await tab.goto('/dashboard?modal=edit-profile');
  await first.getByRole('textbox', { name: 'First Name' }).fill('Dan');
  await second.getByRole('textbox', { name: 'First Name' }).fill('Danny');
  await second.getByRole('button', { name: 'Save' }).click();
  await expect(second.getByText('Profile updated successfully')).toBeVisible();
  await first.getByRole('button', { name: 'Save' }).click();
  const dialog = first.getByRole('dialog', { name: /changed this while you were editing$/ });
  await expect(dialog.getByText('Danny')).toBeVisible();
  await expectAccessible(first, 'two tabs have changed one field');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(first.getByText('Profile updated successfully')).toBeVisible();
});
