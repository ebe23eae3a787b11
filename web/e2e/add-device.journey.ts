import type { Page } from '@playwright/test';
import { latestEmailTo } from './fixtures/data.ts';
import { deviceRow } from './fixtures/registered-devices.ts';
import { addressedAid, shownAddress, shownCode } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const PERSON = 'user@acme.test';
const NEW_PHONE = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;

async function addDevice(page: Page, kind: 'Mobile' | 'Desktop'): Promise<void> {
  await page.getByRole('button', { name: 'Add device' }).click();
  await page.getByRole('dialog').getByRole('button', { name: kind }).click();
}

/** Selects the tab for typing a code, and returns the code displayed there. */
async function chooseTypeCode(page: Page): Promise<string> {
  await shownAddress(page);
  await page.getByRole('tab', { name: 'Type code' }).click();
  return shownCode(page);
}

// covers: spec 1.4.18, spec 1.7.38
test('adds the phone that opened the QR code after the user confirms', async ({ page, phone, portal, signIn }) => {
  await signIn(PERSON);
  await portal.emptyOutbox();
  await addDevice(page, 'Mobile');
  await phone.openScanned(await shownAddress(page));
  await phone.sheet.getByRole('textbox', { name: 'Device name' }).fill('Pixel 10');
  await phone.sheet.getByRole('button', { name: 'Connect' }).click();
  await expect(phone.sheet).toContainText('Then confirm this phone there.');

  await expect(page.getByRole('heading', { name: 'Pixel 10 wants to be added' })).toBeVisible();
  await expect(page.getByText('Waiting for consent')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, add device' }).click();
  await expect(page.getByRole('heading', { name: 'Pixel 10 was added' })).toBeVisible();
  await expect(phone.sheet).toContainText('This phone is ready');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(deviceRow(page, 'Pixel 10')).toContainText('Active');
  expect((await latestEmailTo(portal, PERSON)).text).toContain('Pixel 10');
});

test(
  'adds a phone by typed code and verification code, and signs in with it',
  WHOLE,
  async ({ page, phone, openBrowser, signIn }) => {
    await signIn(PERSON);
    await addDevice(page, 'Mobile');
    const code = await chooseTypeCode(page);

    await phone.page.goto('/authenticator');
    await phone.button(/^Type an add-device code/).click();
    await phone.sheet.getByRole('textbox', { name: 'Organisation code' }).fill('acme');
    await phone.sheet.getByRole('textbox', { name: 'Add-device code' }).fill(code);
    await phone.sheet.getByRole('textbox', { name: 'Device name' }).fill('Pixel 10');
    await phone.sheet.getByRole('button', { name: 'Connect' }).click();
    const shown = await phone.sheet.getByLabel(/^Verification code/).getAttribute('aria-label');
    const verificationCode = (shown ?? '').replace('Verification code', '').replaceAll(' ', '');

    const field = page.getByRole('textbox', { name: 'Verification code' });
    const verify = page.getByRole('button', { name: 'Verify' });
    await expect(verify).toBeDisabled();
    await field.fill(verificationCode.slice(0, 1));
    await expect(verify).toBeDisabled();
    await field.fill(verificationCode);
    await expect(verify).toBeEnabled();
    await field.press('Enter');
    await expect(page.getByRole('heading', { name: 'Pixel 10 was added' })).toBeVisible();
    await phone.button('Done').click();

    const other = await openBrowser();
    await other.goto('/acme/sign-in?with=scan');
    await phone.openScanned(await shownAddress(other));
    await phone.approve();
    await expect(other).toHaveURL(/\/dashboard$/);
    await expect(deviceRow(other, 'Pixel 10')).toContainText('This sign-in');
  },
);

// covers: spec 1.4.20
test('rejects a wrong verification code, and shows a new code on retry', async ({ page, authenticator, signIn }) => {
  await signIn(PERSON);
  await addDevice(page, 'Mobile');
  const aid = await chooseTypeCode(page);
  const pairing = await authenticator.pair({ orgCode: 'acme', aid, device: NEW_PHONE });
  await page.getByRole('textbox', { name: 'Verification code' }).fill(pairing.verificationCode === 'AA' ? 'BB' : 'AA');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('heading', { name: 'Failed to add device' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('Invalid validation code');

  await page.getByRole('button', { name: 'Retry' }).click();
  expect(await shownCode(page)).not.toBe(aid);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(deviceRow(page, 'Pixel 10')).toBeHidden();
});

// covers: spec 1.4.13
test('notifies a rejected phone, and shows a new code a second later', WHOLE, async ({ page, phone, signIn }) => {
  await signIn(PERSON);
  await addDevice(page, 'Mobile');
  const first = await shownAddress(page);
  await phone.openScanned(first);
  await phone.sheet.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
  await expect(phone.sheet).toContainText('The request was cancelled in the portal.');
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeHidden();
  expect(await shownAddress(page)).not.toBe(first);
});

// covers: spec 1.4.10
test('rejects another device at the device limit', WHOLE, async ({ page, signIn }) => {
  await signIn('security.admin@acme.test');
  await addDevice(page, 'Mobile');
  await expect(page.getByRole('heading', { name: 'Device limit reached' })).toBeVisible();
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
});

// covers: spec 1.4.16
test(
  'renews an expired code with one click on either tab of the dialog',
  WHOLE,
  async ({ page, portal, authenticator, signIn }) => {
    await signIn(PERSON);
    await addDevice(page, 'Mobile');
    await expect(page.getByText('Expires in')).toBeVisible();
    const first = await shownAddress(page);
    await portal.clock({ advance: '121s' });
    await expect(page.getByText('This code has expired.', { exact: true })).toBeVisible();
    const device = NEW_PHONE;
    const late = authenticator.pair({ orgCode: 'acme', aid: addressedAid(first), device });
    await expect(late).rejects.toMatchObject({ resultName: 'EXPIRED' });

    await page.getByRole('button', { name: 'Get a new code' }).click();
    await expect(page.getByText('Expires in')).toBeVisible();
    const aid = addressedAid(await shownAddress(page));
    await authenticator.pair({ orgCode: 'acme', aid, device });
    await expect(page.getByRole('heading', { name: 'Pixel 10 wants to be added' })).toBeVisible();
  },
);

test('adds a desktop with the displayed activation code', async ({ page, authenticator, signIn }) => {
  await signIn(PERSON);
  await addDevice(page, 'Desktop');
  await expect(page.getByRole('heading', { name: 'Add a desktop device' })).toBeVisible();
  const box = page.getByRole('group', { name: /ctivation code: \d{6}$/ });
  const activationCode = ((await box.getAttribute('aria-label')) ?? '').slice(-6);
  await authenticator.activate({
    orgCode: 'acme',
    email: PERSON,
    activationCode,
    device: { name: 'Framework 16', type: 'desktop', platform: 'Debian 13' },
  });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Refresh devices' }).click();
  await expect(deviceRow(page, 'Framework 16')).toContainText('Desktop');
});

// covers: spec 1.2.36
test('keeps the dialog open on reload and closes it on Back', WHOLE, async ({ page, signIn }) => {
  await signIn(PERSON);
  await page.getByRole('button', { name: 'Add device' }).click();
  await expect(page).toHaveURL(/\?modal=add-device$/);
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Add device' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('confirms the new device on an older phone with the number from the portal', async ({
  page,
  phone,
  authenticator,
  signIn,
}) => {
  await signIn(PERSON);
  await phone.startAs(PERSON);
  await addDevice(page, 'Mobile');
  const aid = addressedAid(await shownAddress(page));
  await authenticator.pair({ orgCode: 'acme', aid, device: NEW_PHONE });
  await page.getByRole('button', { name: 'Yes, add device' }).click();
  await expect(page.getByRole('dialog')).toContainText('To approve changes with this device now');
  const [, number = ''] = /choose (\d\d)/.exec((await page.getByRole('dialog').textContent()) ?? '') ?? [];
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(deviceRow(page, 'Pixel 10')).toContainText('Can approve changes from');

  await expect(phone.sheet).toContainText('“Pixel 10” was added to your account. Is it yours?');
  await phone.choose(number);
  await phone.button('Approve').click();
  await expect(phone.sheet).toContainText('The new device can now approve changes.');
  await page.getByRole('button', { name: 'Refresh devices' }).click();
  await expect(deviceRow(page, 'Pixel 10')).not.toContainText('Can approve changes from');
});
