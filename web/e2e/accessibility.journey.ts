import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { Phone } from './fixtures/phone.ts';
import { chooseAction, deviceRow } from './fixtures/registered-devices.ts';
import { addressedAid, askMyDevice, codeIn, shownAddress, shownCode } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const NEW_PHONE = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;

test('every sign-in method is accessible', async ({ page }) => {
  await page.goto('/acme/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expectAccessible(page, 'closed');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  await expectAccessible(page, 'scan');
  await page.getByRole('tab', { name: 'Type code' }).click();
  await shownCode(page);
  await expectAccessible(page, 'type code');
  await page.getByRole('tab', { name: 'My device' }).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await expectAccessible(page, 'my device, nothing typed');
  await askMyDevice(page, ADMIN);
  await expectAccessible(page, 'number');
  await page.goto('/globex/sign-in?with=scan');
  await shownAddress(page);
  await expectAccessible(page, 'another brand');
});

test('every sign-in outcome is accessible', WHOLE, async ({ page, portal, authenticator }) => {
  await page.goto('/acme/sign-in?with=scan');
  const device = await seededDevice(portal, ADMIN);
  const { challenge } = await authenticator.resolve(device, codeIn(await shownAddress(page)));
  await expect(page.getByText('Approve on Pixel 9 Pro')).toBeVisible();
  await expectAccessible(page, 'approve');
  await authenticator.respond(device, { challengeId: challenge.challengeId, decision: 'deny', reason: 'cancel' });
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
  await expectAccessible(page, 'rejected');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  await portal.clock({ advance: '121s' });
  await expect(page.getByText('This code has expired.')).toBeVisible();
  await expectAccessible(page, 'expired');
});

test("the sign-in page's help is accessible", WHOLE, async ({ page }) => {
  await page.goto('/acme/sign-in');
  for (const name of ['Need help?', 'See how it works', 'Lost your phone?']) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('the dashboard, its menus and its dialogs are accessible', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await deviceRow(page, 'ThinkPad X1').getByRole('button', { expanded: false }).first().click();
  await expect(page.getByRole('region', { name: 'Login History' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page, 'dashboard');
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'profile menu');
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'logout');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await deviceRow(page, 'ThinkPad X1')
    .getByRole('button', { name: /^More actions/ })
    .click();
  await expect(page.getByRole('menuitem', { name: 'Delete device' })).toBeVisible();
  await expectAccessible(page, 'menu of a device');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await chooseAction(page, 'Pixel 9 Pro', 'Report lost');
  await expectAccessible(page, 'report lost');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await chooseAction(page, 'YubiKey 5C', 'Delete device');
  await expectAccessible(page, 'delete device');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await expectAccessible(page, 'palette');
});

test('tooltips, the nickname editor and the login history are accessible', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await deviceRow(page, 'Pixel 9 Pro').getByRole('switch').focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'why a device cannot be disabled');
  await deviceRow(page, 'iPhone 14')
    .getByRole('button', { name: /nickname/ })
    .click();
  await page.getByRole('textbox', { name: 'Nickname for iPhone 14' }).fill('ab');
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page, 'nickname too short');
  await page.getByRole('button', { name: 'Collapse' }).click();
  await page.getByRole('link', { name: 'View All' }).click();
  await expect(page.getByRole('button', { name: 'Load more' })).toBeVisible();
  await expectAccessible(page, 'login history');
});

test('adding a device is accessible', WHOLE, async ({ page, authenticator, signIn }) => {
  await signIn('user@acme.test');
  await page.getByRole('button', { name: 'Add device' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'mobile or desktop');
  await dialog.getByRole('button', { name: 'Desktop' }).click();
  await expect(page.getByRole('group', { name: /ctivation code/ })).toBeVisible();
  await expectAccessible(page, 'desktop');
  await dialog.getByRole('button', { name: 'Choose another device type' }).click();
  await dialog.getByRole('button', { name: 'Mobile' }).click();
  await shownAddress(page);
  await page.getByRole('tab', { name: 'Type code' }).click();
  const aid = await shownCode(page);
  await expectAccessible(page, 'code');
  const pairing = await authenticator.pair({ orgCode: 'acme', aid, device: NEW_PHONE });
  await page.getByRole('textbox', { name: 'Verification code' }).fill(pairing.verificationCode === 'AA' ? 'BB' : 'AA');
  await expectAccessible(page, 'verification code');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Failed to add device')).toBeVisible();
  await expectAccessible(page, 'failed');
  await page.getByRole('tab', { name: 'Scan' }).click();
  const scanned = addressedAid(await shownAddress(page));
  await authenticator.pair({ orgCode: 'acme', aid: scanned, device: NEW_PHONE });
  await expect(page.getByText('Waiting for consent')).toBeVisible();
  await expectAccessible(page, 'question');
  await page.getByRole('button', { name: 'Yes, add device' }).click();
  await expect(page.getByText('Pixel 10 was added')).toBeVisible();
  await expectAccessible(page, 'complete');
});

test('testing a device is accessible', WHOLE, async ({ page, portal, authenticator, signIn }) => {
  await signIn('user@acme.test');
  await page.getByRole('button', { name: 'Test Device' }).last().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'introduction');
  await page.getByRole('button', { name: 'Generate code' }).click();
  await shownAddress(page);
  await expectAccessible(page, 'code');
  await portal.clock({ advance: '61s' });
  await expect(page.getByText('This code has expired.')).toBeVisible();
  await expectAccessible(page, 'expired');
  await page.getByRole('button', { name: 'Get a new code' }).click();
  await expect(page.getByText('Expires in')).toBeVisible();
  await authenticator.resolve(await seededDevice(portal, 'user@acme.test'), codeIn(await shownAddress(page)));
  await expect(page.getByText('The device works')).toBeVisible();
  await expectAccessible(page, 'success');
});

test('the authenticator is accessible', WHOLE, async ({ page, phone, portal, authenticator }) => {
  await phone.page.goto('/authenticator');
  await phone.button(/^Use a demo device/).waitFor();
  await expectAccessible(phone.page, 'no account');
  const sheets = [
    [/^Activation code/, 'Activate this phone'],
    [/^Type an add-device code/, 'Add this phone'],
    [/^Scan a code/, 'Scan a code'],
    [/^Use a demo device/, 'Use a demo device'],
  ] as const;
  for (const [button, title] of sheets) {
    await phone.button(button).click();
    await expect(phone.page.getByRole('dialog', { name: title })).toBeVisible();
    await expectAccessible(phone.page, title);
    await phone.page.keyboard.press('Escape');
    await expect(phone.sheet).toBeHidden();
  }
  await phone.chooseDemoDevice(ADMIN);
  await expectAccessible(phone.page, 'account');
  await phone.button('Type code').click();
  await expectAccessible(phone.page, 'type code');
  await phone.page.keyboard.press('Escape');
  await expect(phone.sheet).toBeHidden();

  await phone.choose(await askMyDevice(page, ADMIN));
  await expectAccessible(phone.page, 'request');
  await phone.sheet.getByRole('button', { name: 'Deny' }).click();
  await expect(phone.sheet.getByRole('button', { name: "It wasn't me" })).toBeVisible();
  await expectAccessible(phone.page, 'why it is denied');
  await phone.sheet.getByRole('button', { name: 'Just deny' }).click();
  await expect(phone.sheet).toContainText('The request was cancelled');
  await expectAccessible(phone.page, 'denied');
  expect(await authenticator.pending(await seededDevice(portal, ADMIN))).toEqual([]);
});

test('the simulated phone on a desktop is accessible', WHOLE, async ({ page }) => {
  const phone = new Phone(page);
  await phone.startAs(ADMIN);
  await expectAccessible(page, 'drawn phone');
  await phone.button(/Acme Corporation/).click();
  await expect(phone.sheet).toBeVisible();
  await expectAccessible(page, 'account');
});

test('public pages are accessible', WHOLE, async ({ page, complaints }) => {
  complaints.expect(/status of 40\d/);
  const addresses = [
    '/',
    '/access-denied',
    '/acme/no/such/page',
    '/nowhere/sign-in',
    '/static/activation-sent',
    '/static/link-invalid',
    '/static/link-early?validFrom=2026-11-21T09:00:00.000Z',
    '/static/ip-blocked',
  ];
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page, address);
  }
});

test('the dashboard and its drawer are accessible on a phone', WHOLE, async ({ openBrowser, signIn }) => {
  const page = await openBrowser(PHONE);
  await signIn(ADMIN, { on: page });
  await expect(page.getByRole('region', { name: 'Login History' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page, 'dashboard');
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await expect(page.getByRole('dialog', { name: 'Side menu' })).toBeVisible();
  await expectAccessible(page, 'drawer');
});

test("the lab's people and worlds are accessible", WHOLE, async ({ page }) => {
  await page.goto('/lab/people');
  await expect(
    page.getByRole('list', { name: 'Active policies' }).or(page.getByText(/^No policies. Requests/)),
  ).toBeVisible();
  await expectAccessible(page, 'people');
  await page.getByRole('button', { name: 'Set policy' }).click();
  await expect(page.getByRole('list', { name: 'Active policies' })).toBeVisible();
  await expectAccessible(page, 'a policy');
  await page.getByRole('button', { name: 'Create a person' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'create a person');
  await page.goto('/lab/worlds');
  await page.getByRole('textbox', { name: 'Snapshot name' }).fill('Before');
  await page.getByRole('button', { name: 'Take snapshot' }).click();
  await expect(page.getByRole('button', { name: 'Restore Before' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Start over with' }).selectOption('Your own world file');
  await expectAccessible(page, 'worlds');
  await page.getByRole('button', { name: 'Restore Before' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'restore');
});

test('the setup page is accessible', WHOLE, async ({ page }) => {
  await page.goto('/setup');
  await expect(page.getByRole('heading', { name: 'Already set up' })).toBeVisible();
  await expectAccessible(page, 'closed');
  await page.request.post('/api/lab/reset', { data: { seed: 'none' } });
  await page.reload();
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('This field is required').first()).toBeVisible();
  await expectAccessible(page, 'nothing typed');
});
