import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { Keyboard } from './fixtures/keyboard.ts';
import { deviceRow } from './fixtures/registered-devices.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true });

/** Opens a screen through the side menu, after expanding its group. */
async function open(page: Page, name: string, group?: string): Promise<Keyboard> {
  const keys = new Keyboard(page);
  // A newly loaded page has no focused element yet, so press Tab first.
  await page.keyboard.press('Tab');
  if (group) await keys.press(button(page, group));
  await keys.press(menuLink(page, name));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await keys.expectFocus();
  return keys;
}

test('by keyboard: focuses the page after sign-in, and the skip link jumps to the content', async ({
  page,
  portal,
  authenticator,
}) => {
  await page.goto('/acme/sign-in?with=scan');
  await approveShown(page, authenticator, await seededDevice(portal, ADMIN));
  await expect(page).toHaveURL(/\/dashboard$/);
  await new Keyboard(page).expectFocus();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
});

test('by keyboard: names a device, reports it lost and deletes it', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = new Keyboard(page);
  await page.keyboard.press('Tab');
  await keys.press(deviceRow(page, 'YubiKey 5C').getByRole('button', { name: /nickname/i }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Travel key');
  await page.keyboard.press('Enter');
  await expect(deviceRow(page, 'YubiKey 5C')).toContainText('Travel key');
  await keys.press(button(page, 'More actions for Travel key'));
  await keys.choose(item(page, 'Delete device'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete device' }));
  await expect(deviceRow(page, 'YubiKey 5C')).toBeHidden();
  // Focus moves to the same button in a different row.
  await expect(page.locator('[aria-label^="More actions for "]:focus')).toBeVisible();
  await keys.press(button(page, 'More actions for Desk'));
  await keys.choose(item(page, 'Report lost'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Report lost' }));
  await expect(deviceRow(page, 'ThinkPad X1')).toBeHidden();
  await expect(page.locator('[aria-label^="More actions for "]:focus')).toBeVisible();
});

test('by keyboard: closing a dialog returns focus to the button that opened it', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = new Keyboard(page);
  await page.keyboard.press('Tab');
  const add = button(page, 'Add device');
  await keys.press(add);
  await expect(page.getByRole('dialog', { name: 'Add device' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(add).toBeFocused();
});

test('by keyboard: finds, edits and disables a member', async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Manage Users');
  await keys.write(page.getByRole('searchbox', { name: 'Search members' }), 'daniel');
  await keys.press(button(page, 'Actions for Daniel Ortiz'));
  await keys.choose(item(page, 'Edit'));
  await keys.write(box(page, /^First Name/), 'Daniela');
  await keys.press(button(page, 'Save'));
  await expect(page.getByText('User updated successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await keys.press(button(page, 'Actions for Daniela Ortiz'));
  await keys.choose(item(page, 'Disable user'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Disable user' }));
  await expect(page.getByText('User disabled successfully')).toBeVisible();
  await keys.expectFocus();
});

test('by keyboard: selects several members and disables them together', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Manage Users');
  await keys.write(page.getByRole('searchbox', { name: 'Search members' }), 'mar');
  await keys.press(page.getByRole('checkbox', { name: 'Select all on this page' }), 'Space');
  const bar = page.getByRole('region', { name: 'Selected members' });
  await expect(bar).toContainText('7 selected');
  await expectAccessible(page, 'members chosen');
  await keys.press(bar.getByRole('button', { name: 'Disable' }));
  await expectAccessible(page, 'before members are disabled');
  await keys.press(button(page, 'Disable 4 members'));
  await expect(page.getByRole('dialog')).toContainText('4 disabled');
  await expectAccessible(page, 'result of disabling members');
  await keys.press(button(page, 'Done'));
  await expect(bar).toBeHidden();
  await keys.expectFocus();
  await keys.press(page.getByRole('checkbox', { name: 'Select Marcus Oyelaran' }), 'Space');
  await keys.press(button(page, 'Clear'));
  await expect(bar).toBeHidden();
  await keys.expectFocus();
});

test(
  'by keyboard: moves through members, previews and selects them with single keys',
  WHOLE,
  async ({ page, signIn }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await signIn(ADMIN);
    await page.goto('/manage-users?q=mar');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await expect(link('Marcus Oyelaran')).toBeVisible();
    await page.keyboard.press('j');
    await expect(link('Marcus Oyelaran')).toBeFocused();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByRole('checkbox', { name: 'Select Mara Lindholm' })).toBeChecked();
    await page.keyboard.press('Space');
    const preview = page.getByRole('region', { name: 'Preview of Mara Lindholm' });
    await expect(preview).toBeFocused();
    await expect(preview.getByRole('region', { name: 'Mobile activation code' })).toBeVisible();
    await expectAccessible(page, 'preview of a member');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('region', { name: 'Preview of Marcus Oyelaran' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(link('Marcus Oyelaran')).toBeFocused();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Mara Lindholm' })).toBeVisible();
  },
);

test('by keyboard: adds a user', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Manage Users');
  await keys.press(button(page, 'Add user'));
  await keys.write(box(page, /^First Name/), 'Nora');
  await keys.write(box(page, /^Last Name/), 'Quist');
  await keys.write(box(page, /^Email/), 'nora.quist@acme.test');
  await keys.write(box(page, /^Employee ID/), 'E-7001');
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Add user' }));
  await expect(page.getByText('Invitation sent to nora.quist@acme.test')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await keys.expectFocus();
});

test('by keyboard: invites users', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Manage Users');
  await keys.press(button(page, 'Invite users'));
  await keys.press(page.getByRole('dialog').getByRole('radio', { name: 'Mobile' }), 'Space');
  await keys.write(box(page, /^Email addresses/), 'mara.lindholm@acme.test ');
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }));
  await expect(page.getByRole('dialog')).toContainText('All users were invited');
  await keys.expectFocus();
});

test(
  'by keyboard: adds and deletes an OIDC application, returning to a skipped Callback URL',
  WHOLE,
  async ({ page, signIn }) => {
    await signIn(ADMIN);
    const keys = await open(page, 'Applications');
    await keys.press(button(page, 'Add application'));
    await keys.choose(item(page, 'OIDC'));
    await keys.write(box(page, /^App name/), 'Time Sheets');
    await keys.press(button(page, 'Next'));
    await keys.reach(box(page, /^Callback URL/));
    await page.keyboard.press('Tab');
    await expect(box(page, /^Callback URL/)).not.toBeFocused();
    await keys.reach(box(page, /^Logout URL/));
    await page.keyboard.press('Shift+Tab');
    await keys.write(box(page, /^Callback URL/), 'https://times.acme.test/callback');
    await keys.write(box(page, /^Logout URL/), 'https://times.acme.test/');
    await keys.press(button(page, 'Submit'));
    await expect(page.getByRole('heading', { name: 'Time Sheets / OIDC' })).toBeVisible();
    await keys.press(button(page, 'Delete app'));
    await keys.write(page.getByRole('alertdialog').getByRole('textbox'), 'Time Sheets');
    await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete app' }));
    await expect(page.getByText('Application deleted')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeFocused();
  },
);

test('by keyboard: creates and deletes a role, and announces the deletion', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Role Management', 'Manage Settings');
  await keys.press(button(page, 'Create role'));
  await keys.write(box(page, /Name/), 'Caller desk');
  await keys.press(page.getByRole('checkbox', { name: 'Callers', exact: true }), 'Space');
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Create role' }));
  await keys.press(page.getByRole('link', { name: 'Caller desk' }));
  await keys.press(button(page, 'Delete role'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete role' }));
  await expect(page.getByRole('link', { name: 'Caller desk' })).toBeHidden();
  await expect(page.getByRole('status').filter({ hasText: 'Role deleted successfully' })).toBeVisible();
  await expect(page.getByRole('row').last().getByRole('link')).toBeFocused();
});

test('by keyboard: deletes members from the list and from their page', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.goto('/manage-users?q=mar');
  const keys = new Keyboard(page);
  const cards = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
  await expect(cards.first()).toBeVisible();
  const [first = '', next = ''] = await cards.getByRole('link').allTextContents();
  await page.keyboard.press('Tab');
  await keys.press(button(page, `Actions for ${first}`));
  await keys.choose(item(page, 'Delete user'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }));
  await expect(cards.filter({ hasText: first })).toHaveCount(0);
  await expect(button(page, `Actions for ${next}`)).toBeFocused();
  await keys.press(page.getByRole('link', { name: next }));
  await keys.press(button(page, 'Delete'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeFocused();
});

test('by keyboard: saves and discards settings', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Security', 'Manage Settings');
  const limit = page.getByRole('spinbutton', { name: /Device limit/ });
  await keys.write(limit, '7');
  await keys.press(button(page, 'Save'));
  await expect(page.getByText('Security settings saved')).toBeVisible();
  await keys.expectFocus();
  await keys.write(limit, '8');
  await keys.press(button(page, 'Discard'));
  await expect(limit).toHaveValue('7');
  await keys.expectFocus();
});

test('by keyboard: adds, moves and deletes an FAQ question', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const keys = await open(page, 'Manage FAQ', 'Manage Settings');
  await keys.press(button(page, 'Add question to The basics'));
  await keys.write(box(page, 'Question'), 'Where is the help desk?');
  await keys.write(box(page, 'Answer'), 'On the second floor.');
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Add question' }));
  await expect(page.getByText('Question added successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  const menu = button(page, 'Actions for Where is the help desk?');
  await keys.press(menu);
  await keys.choose(page.getByRole('menuitem', { name: 'Move up' }));
  await expect(menu).toBeFocused();
  await keys.press(menu);
  await keys.choose(page.getByRole('menuitem', { name: 'Delete' }));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: /Delete/ }));
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(menu).toBeHidden();
  await keys.expectFocus();
});
