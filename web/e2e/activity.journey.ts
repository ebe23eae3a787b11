import { readFileSync } from 'node:fs';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

// covers: spec 2.2.50
test(
  "opens the activity list from a member, and finds and exports the member's change",
  WHOLE,
  async ({ page, signIn }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await signIn(ADMIN);
    await page.goto('/manage-users?q=daniel&by=firstName');
    await page.getByRole('link', { name: 'Daniel Ortiz' }).click();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable user' }).click();
    const activity = page.getByRole('region', { name: 'Activity' });
    await expect(activity.getByRole('button', { name: /^Member deactivated/ })).toBeVisible();
    await expectAccessible(page, 'a member with activity');
    await activity.getByRole('link', { name: 'View All' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove filter: About Daniel Ortiz' })).toBeVisible();

    // The unfiltered list can contain the event too, so wait for the filtered list.
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('action=member.paused')),
      page.getByRole('combobox', { name: 'Type of change' }).selectOption('member.paused'),
    ]);
    const paused = page.getByRole('button', { name: /^Member deactivated/ });
    await paused.press('Enter');
    await expect(page.getByRole('table', { name: 'Changed fields' })).toContainText('inactive');
    await expectAccessible(page, 'activity');
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
    ]);
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ action: 'member.paused' });

    await page.getByRole('combobox', { name: 'Type of change' }).selectOption('faq-record');
    await expect(page.getByRole('heading', { name: 'No changes match' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(paused).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Daniel Ortiz' })).toBeVisible();
  },
);

// covers: spec 2.2.51
test('links the dashboard counts to the counted sign-ins', WHOLE, async ({ page, signIn }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(ADMIN);
  await page.getByRole('link', { name: /^Sign-ins today/ }).click();
  await expect(page).toHaveURL(/\/org-settings\/sign-ins\?status=Success&from=/);
  const table = page.getByRole('table', { name: 'Sign-ins' });
  await expect(table.getByRole('link', { name: 'Avery Lindqvist' }).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'When' }).selectOption('any');
  await page.getByRole('combobox', { name: 'Result' }).selectOption('Failed');
  await expect(table.getByText('Failed').first()).toBeVisible();
  await expectAccessible(page, 'sign-ins');
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Application' })).toBeChecked();
  await expectAccessible(page, 'columns of sign-ins');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save filters' }).click();
  await page.getByRole('dialog', { name: 'Save filters' }).getByRole('textbox', { name: 'Name' }).fill('Failed');
  await expectAccessible(page, 'saving filters');
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Failed', pressed: true, exact: true })).toBeVisible();
  await expectAccessible(page, 'saved filters');
});

test('adds a webhook, shows the failed test and deletes the webhook', WHOLE, async ({ page, signIn }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(ADMIN);
  await page.goto('/org-settings/webhooks?modal=add-webhook');
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  // Nothing listens on this port, so the test delivery fails.
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/hook');
  await dialog.getByRole('switch', { name: 'All events' }).click();
  await dialog.getByRole('button', { name: 'Show events in People' }).click();
  await dialog.getByRole('checkbox', { name: 'Member deactivated' }).check();
  await expectAccessible(page, 'adding a webhook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '127.0.0.1:9' })).toBeVisible();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('Test not delivered')).toBeVisible();
  await page.getByRole('button', { name: 'Show sent data' }).click();
  await expect(page.getByRole('group', { name: 'Request body' })).toContainText('webhook.test');
  await page.getByRole('button', { name: 'Show secret' }).click();
  await expect(page.getByRole('button', { name: 'Reveal Secret' })).toBeVisible();
  await expectAccessible(page, 'a webhook');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
});
