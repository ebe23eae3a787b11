import { configureSession, getSessionSettings } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { askMyDevice, shownNumber } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const personOf = (page: Page) => page.getByRole('main').getByText('Daniel Ortiz');

/** Ends the session as if it had expired. The browser keeps its cookie. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('orchestrate.session'));
  await page.goto('/acme/sign-in');
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/acme\/sign-in$/);
}

test(
  'signs in without the phone in a remembered browser, until the browser is forgotten',
  WHOLE,
  async ({ page, phone }) => {
    await phone.startAs('user@acme.test');
    await phone.choose(await askMyDevice(page, 'user@acme.test'));
    await phone.approve();
    const remembered = page.getByRole('region', { name: 'Remembered browsers' });
    await expect(remembered.getByText('This browser')).toBeVisible();

    await comeBack(page);
    await expect(personOf(page)).toBeVisible();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Daniel$/);

    await remembered.getByRole('button', { name: /^Forget / }).click();
    await expect(remembered).toBeHidden();
    await comeBack(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('img', { name: 'QR code to sign in' })).toBeVisible();
  },
);

test('signs in the remembered person with one press and an approval, and forgets them on logout', async ({
  page,
  phone,
  portal,
  openBrowser,
}) => {
  await phone.startAs('user@acme.test');
  await phone.choose(await askMyDevice(page, 'user@acme.test'));
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const settings = await portal.call(getSessionSettings, {}, { token });
  await portal.call(configureSession, { body: { ...settings, stepUpAuthEnabled: true } }, { token });

  await comeBack(page);
  await expect(personOf(page)).toBeVisible();
  const card = () => page.getByRole('main').boundingBox();
  const before = await card();
  await expectAccessible(page, 'a remembered person');
  await page.getByRole('button', { name: 'Sign in on Pixel 9a' }).press('Enter');
  const number = await shownNumber(page);
  expect(await card()).toEqual(before);
  await expect(page.getByRole('main').getByRole('button')).toHaveText(['Cancel']);
  await expect(page.getByRole('group', { name: 'Sign-in' })).toBeFocused();
  await page.reload();
  expect(await shownNumber(page)).toBe(number);
  await phone.choose(number);
  await phone.approve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Daniel$/);

  const other = await openBrowser();
  await other.goto('/acme/sign-in');
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(personOf(other)).toBeHidden();

  await logOut(page);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(personOf(page)).toBeHidden();
  expect(await page.request.get('/api/user/remembered?orgCode=acme').then((answer) => answer.json())).toMatchObject({
    member: null,
  });
});

test(
  'forgets the remembered person at “Not you?”, but only if the server can be reached',
  WHOLE,
  async ({ page, signIn, complaints }) => {
    await signIn('user@acme.test');
    await comeBack(page);
    complaints.expect(/ERR_FAILED/);
    await page.route('**/api/user/remembered/forget', (route) => route.abort());
    await page.getByRole('button', { name: 'Not you?' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(personOf(page)).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Not you?' }).press('Enter');
    await expect(personOf(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeFocused();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('img', { name: 'QR code to sign in' })).toBeVisible();
  },
);
