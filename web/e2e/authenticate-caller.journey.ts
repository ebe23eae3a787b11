import { expectAccessible } from './fixtures/accessible.ts';
import { shownCode } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const STAFF = 'callcenter.admin@acme.test';

test('identifies a caller who types the code and confirms', WHOLE, async ({ page, phone, signIn }) => {
  await phone.startAs('user@acme.test');
  await signIn(STAFF);
  await page.getByRole('link', { name: 'Authenticate Caller' }).click();
  await expect(page.getByRole('button', { name: 'Generate' })).toBeVisible();
  await expectAccessible(page, 'intro');
  await page.getByRole('button', { name: 'Generate' }).click();
  await expect(page.getByText('Waiting for the caller to type the code')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText(/^DashboardAuthenticate Caller$/);
  await expectAccessible(page, 'code');
  await phone.typeCode(await shownCode(page));
  await expect(page.getByText('Waiting for consent')).toBeVisible();
  await expect(phone.sheet).toContainText('Confirm to Noor Haddad that it’s you?');
  await expectAccessible(phone.page, 'request on the phone');
  await phone.sheet.getByRole('button', { name: 'Approve' }).click();
  await expect(phone.sheet).toContainText('Confirmed');

  await expect(page.getByRole('heading', { name: 'Daniel Ortiz' })).toBeVisible();
  await expect(page).toHaveURL(/\/authenticate-caller\/success$/);
  await expectAccessible(page, 'confirmed');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Daniel Ortiz' })).toBeVisible();
  await page.getByRole('link', { name: 'Open member' }).click();
  await expect(page.getByRole('heading', { name: 'Daniel Ortiz' })).toBeVisible();
});

test(
  'does not identify a caller who denies the request, and renews an expired code',
  WHOLE,
  async ({ page, phone, portal, signIn }) => {
    await phone.startAs('user@acme.test');
    await signIn(STAFF);
    await page.goto('/authenticate-caller/generate');
    await phone.typeCode(await shownCode(page));
    await phone.deny("It wasn't me");
    await expect(phone.sheet).toContainText("Your identity wasn't shared");
    await expect(page.getByRole('heading', { name: 'Consent Denied' })).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('Daniel');
    await expectAccessible(page, 'denied');
    await page.getByRole('button', { name: 'Try another code' }).click();
    const code = await shownCode(page);
    await expect(page.getByText('Waiting for the caller to type the code')).toBeVisible();
    await portal.clock({ advance: '121s' });
    await expect(page.getByText('This code has expired.')).toBeVisible();
    await expectAccessible(page, 'expired');
    await page.getByRole('button', { name: 'Get a new code' }).click();
    await expect(page.getByText('Waiting for the caller to type the code')).toBeVisible();
    expect(await shownCode(page)).not.toBe(code);
  },
);

test(
  'hides the menu item and the screen from users who cannot authenticate callers',
  WHOLE,
  async ({ page, signIn }) => {
    await signIn('user@acme.test');
    await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Authenticate Caller' })).toHaveCount(0);
    await page.goto('/authenticate-caller');
    await expect(page).toHaveURL(/\/dashboard$/);
  },
);
