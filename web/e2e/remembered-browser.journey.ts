import { askMyDevice } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

test(
  'signs in without the phone in a remembered browser, until the browser is forgotten',
  WHOLE,
  async ({ page, phone }) => {
    await phone.startAs('user@acme.test');
    await phone.choose(await askMyDevice(page, 'user@acme.test'));
    await phone.approve();
    const remembered = page.getByRole('region', { name: 'Remembered browsers' });
    await expect(remembered.getByText('This browser')).toBeVisible();

    // Ends the session, but keeps the cookie.
    await page.evaluate(() => localStorage.removeItem('orchestrate.session'));
    await page.goto('/acme/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Daniel$/);

    await remembered.getByRole('button', { name: /^Forget / }).click();
    await expect(remembered).toBeHidden();
    await page.evaluate(() => localStorage.removeItem('orchestrate.session'));
    await page.goto('/acme/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('img', { name: 'QR code to sign in' })).toBeVisible();
  },
);
