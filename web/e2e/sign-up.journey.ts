import { expectAccessible } from './fixtures/accessible.ts';
import { latestEmailTo } from './fixtures/data.ts';
import { Phone } from './fixtures/phone.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const EMAIL = 'ines.castellanos@acme.test';

test(
  'signs a visitor up from the sign-in page, activates a phone and signs in',
  WHOLE,
  async ({ page, context, portal }) => {
    await page.goto('/acme/sign-in');
    await page.getByRole('link', { name: 'Join' }).click();
    await expect(page.getByRole('heading', { name: 'Join Acme Corporation' })).toBeVisible();
    await expectAccessible(page, 'form');
    await page.getByRole('button', { name: 'Join' }).click();
    await expect(page.getByText('This field is required').first()).toBeVisible();
    await expectAccessible(page, 'form with errors');
    await page.getByRole('textbox', { name: 'First Name' }).fill('Ines');
    await page.getByRole('textbox', { name: 'Last Name' }).fill('Castellanos');
    await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
    await page.getByRole('textbox', { name: 'Mobile number' }).fill('+46 70 123 45 67');
    await page.keyboard.press('Enter');

    await expect(page.getByText('We sent a one-time code to +46 70 123 45 67.')).toBeVisible();
    const otp = page.getByRole('textbox', { name: 'One-time code' });
    const { code = '' } = await latestEmailTo(portal, '+46701234567');
    await otp.fill(code === '111111' ? '222222' : '111111');
    await expect(page.getByText('The one-time code is not correct.')).toBeVisible();
    await expectAccessible(page, 'wrong code');
    await page.reload();
    await otp.fill(code);
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expectAccessible(page, 'what comes next');

    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the authenticator' }).click();
    const phone = new Phone(await opening);
    await expect(phone.sheet.getByRole('textbox', { name: 'Organisation code' })).toHaveValue('acme');
    await phone.sheet.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
    await phone.sheet
      .getByRole('textbox', { name: 'Activation code' })
      .fill((await latestEmailTo(portal, EMAIL)).code ?? '');
    await phone.sheet.getByRole('button', { name: 'Activate' }).click();
    await expect(phone.sheet).toContainText('This phone is ready');

    await page.bringToFront();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await phone.openScanned(await shownAddress(page));
    await phone.approve();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Ines$/);
  },
);
