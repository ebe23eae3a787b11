import { askMyDevice, shownAddress, shownCode } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

// covers: spec 1.1.1
test('signs in by opening the QR code on the phone and approving', async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  await page.goto('/acme/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await phone.openScanned(await shownAddress(page));
  await expect(phone.sheet).toContainText('Acme Corporation');
  await expect(page.getByText('Approve on Pixel 9a')).toBeVisible();
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Daniel$/);
});

test('signs in with an image of the QR code', WHOLE, async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  await page.goto('/acme/sign-in?with=scan');
  await shownAddress(page);
  const picture = { name: 'sign-in.png', mimeType: 'image/png', buffer: await page.screenshot() };

  await phone.button('Scan').click();
  await phone.sheet.getByLabel('Image of a QR code').setInputFiles(picture);
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('signs in with eight characters typed into the phone', WHOLE, async ({ page, phone }) => {
  await phone.startAs('manager@acme.test');
  await page.goto('/acme/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('tab', { name: 'Type code' }).click();
  const code = await shownCode(page);
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);

  await phone.typeCode(code.toLowerCase());
  await phone.approve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Grace$/);
});

test('signs in by push to an email address, with the number displayed in the browser', async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  const number = await askMyDevice(page, 'user@acme.test');
  await expect(phone.sheet.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await phone.choose(number);
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('signs in by push to an employee ID', WHOLE, async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  await phone.choose(await askMyDevice(page, 'E-10006'));
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('shows an error on the field for a user without a device', WHOLE, async ({ page, complaints }) => {
  complaints.expect(/status of 400/);
  await page.goto('/acme/sign-in?with=device');
  const field = page.getByRole('textbox', { name: 'Email or employee ID' });
  await field.fill('mara.lindholm@acme.test');
  await field.press('Enter');
  await expect(field).toHaveAccessibleErrorMessage(/No device is registered/);
});

test('remembers the organisation after signing out', WHOLE, async ({ page, signIn }) => {
  await signIn('admin@globex.test');
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/globex\/sign-in$/);
  await expect(page.getByRole('heading', { name: 'Sign in to Globex' })).toBeVisible();
  await signIn('admin@globex.test');
});

// covers: spec 1.2.29
test('shows help about signing in, how it works and a lost phone', async ({ page }) => {
  await page.goto('/acme/sign-in');
  const topics = [
    ['Need help?', 'How to sign in'],
    ['See how it works', 'How it works'],
    ['Lost your phone?', 'Lost your phone?'],
  ] as const;
  for (const [button, title] of topics) {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});
