import { latestEmailTo } from './fixtures/data.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const NEWCOMER = 'mara.lindholm@acme.test';

test('a new member activates a phone with the emailed code and signs in with it', async ({ page, phone, portal }) => {
  const { code = '' } = await latestEmailTo(portal, NEWCOMER);
  await phone.page.goto('/authenticator');
  await phone.button(/^Activation code/).click();
  await phone.sheet.getByRole('textbox', { name: 'Organisation code' }).fill('acme');
  await phone.sheet.getByRole('textbox', { name: 'Email' }).fill(NEWCOMER);
  const field = phone.sheet.getByRole('textbox', { name: 'Activation code' });
  await field.fill(code === '123456' ? '654321' : '123456');
  await phone.sheet.getByRole('button', { name: 'Activate' }).click();
  await expect(phone.sheet.getByRole('alert')).toBeVisible();

  await field.fill(code);
  await phone.sheet.getByRole('textbox', { name: 'Device name' }).fill('Fairphone 6');
  await phone.sheet.getByRole('button', { name: 'Activate' }).click();
  await expect(phone.sheet).toContainText('This phone is ready');
  await phone.button('Done').click();
  await expect(phone.button(/Acme Corporation/)).toContainText(NEWCOMER);

  await page.goto('/acme/sign-in?with=scan');
  await phone.openScanned(await shownAddress(page));
  await phone.approve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Mara$/);
  await expect(page.getByRole('table')).toContainText('Fairphone 6');
});

test('removing an account from the phone keeps the device in the portal', WHOLE, async ({ page, phone, signIn }) => {
  await phone.startAs('user@acme.test');
  await phone.button(/Acme Corporation/).click();
  await phone.button('Remove from this phone').click();
  await phone.button('Remove account').click();
  await expect(phone.page.getByText('No accounts yet')).toBeVisible();
  await signIn('user@acme.test');
  await expect(page.getByRole('table')).toContainText('Pixel 9a');
});
