import type { Portal } from '@orchestrate/server/testing-api';
import { signup, verifySignup } from '@orchestrate/shared';
import { type Authenticator, createPortalCall, type DeviceState } from '@orchestrate/shared/authenticator';
import { expectAccessible } from './fixtures/accessible.ts';
import { latestEmailTo } from './fixtures/data.ts';
import { approveShown, askMyDevice } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

test(
  'changes the email address with an emailed code, and notifies the old address',
  WHOLE,
  async ({ portal, signIn, openBrowser }) => {
    const page = await openBrowser(PHONE);
    await signIn(USER, { on: page });
    await page.goto('/dashboard?modal=edit-profile');
    const dialog = page.getByRole('dialog', { name: 'Edit profile' });
    const address = dialog.getByRole('textbox', { name: 'Email' });
    const proof = dialog.getByRole('region', { name: 'Verify your email address' });
    await address.fill('typo@acme.test');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(proof).toContainText('typo@acme.test');
    await expectAccessible(page, 'an address that waits for its code');
    await proof.getByRole('button', { name: 'Cancel change' }).click();
    await expect(proof).toBeHidden();
    await expect(address).toHaveValue(USER);

    await address.fill('daniel.ortiz@acme.test');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(proof).toContainText('daniel.ortiz@acme.test');
    const { code = '' } = await latestEmailTo(portal, 'daniel.ortiz@acme.test');
    await proof.getByRole('textbox', { name: 'Code from the email' }).fill(code ?? '');
    await expect(proof).toBeHidden();
    await expect(address).toHaveValue('daniel.ortiz@acme.test');
    expect((await latestEmailTo(portal, USER)).subject).toMatch(/has changed$/);
  },
);

/** Signs up for globex with the email address of an acme member. */
async function joinGlobex(portal: Portal, authenticator: Authenticator, email: string): Promise<DeviceState> {
  const call = createPortalCall({ baseUrl: portal.url });
  const code = async () => (await latestEmailTo(portal, email)).code ?? '';
  await call(signup, { body: { orgCode: 'globex', firstName: 'Avery', lastName: 'Lindqvist', email } });
  await call(verifySignup, { body: { orgCode: 'globex', email, otp: await code() } });
  const device = { name: 'Phone', type: 'mobile' as const, platform: 'Android 16' };
  return (await authenticator.activate({ orgCode: 'globex', email, activationCode: await code(), device })).device;
}

test(
  'links an external account to an administrator after an approval on the phone',
  WHOLE,
  async ({ page, portal, authenticator, phone }) => {
    const atGlobex = await joinGlobex(portal, authenticator, ADMIN);
    const comeFromGlobex = async () => {
      await page.goto('/acme/sign-in');
      await page.getByRole('link', { name: 'Continue with Globex SSO' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Globex');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await approveShown(page, authenticator, atGlobex);
    };
    await phone.startAs(ADMIN);
    await comeFromGlobex();
    const wait = page.getByText(/^Approve on your phone: choose \d\d$/);
    await expect(wait).toBeVisible();
    await expectAccessible(page, 'a sign-in that waits for its approval');
    const number = ((await wait.textContent()) ?? '').replace(/\D/g, '');
    await expect(phone.sheet).toContainText('sign in as you');
    await phone.choose(number);
    await phone.approve();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Avery$/);

    // The account is now linked, so no approval is required.
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await comeFromGlobex();
    await expect(page).toHaveURL(/\/dashboard$/);
  },
);

test(
  'saves the external provider after an approval on the phone',
  WHOLE,
  async ({ page, phone, signIn, openBrowser }) => {
    await phone.startAs(ADMIN);
    await signIn(ADMIN);
    await page.goto('/org-settings/oidc-portal-auth');
    await page.getByRole('textbox', { name: 'Button label' }).fill('Continue with work account');
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'Approve on your phone' });
    const number = async () => /choose (\d\d)/.exec((await question.textContent()) ?? '')?.[1] ?? '';
    await save();
    await expect(question).toBeVisible();
    await expectAccessible(page, 'a save that waits for its approval');
    await expect(phone.sheet).toContainText('Let people sign in to the portal through');
    await phone.deny('Just deny');
    await expect(page.getByText('This was denied on your device. Nothing was changed.')).toBeVisible();
    await phone.button('Done').click();

    await save();
    await expect(question).toBeVisible();
    await phone.choose(await number());
    await phone.approve();
    await expect(page.getByText('OIDC Portal Auth saved')).toBeVisible();
    const stranger = await openBrowser();
    await stranger.goto('/acme/sign-in');
    await expect(stranger.getByRole('link', { name: 'Continue with work account' })).toBeVisible();
  },
);

test(
  'reports an unknown request on the phone, and signs out everywhere else',
  WHOLE,
  async ({ page, portal, phone, signIn, openBrowser, complaints }) => {
    // The other browser's session has ended, so its requests fail.
    complaints.expect(/401/);
    complaints.expect(/400 .*user\/login/);
    const other = await openBrowser();
    await signIn(USER, { on: other });
    await signIn(USER);
    await phone.startAs(USER);
    const stranger = await openBrowser();
    await askMyDevice(stranger, USER);
    await expect(phone.sheet).toContainText('Tap the number');
    await phone.deny("It wasn't me");
    await expect(phone.sheet).toContainText('Denied and reported');
    await expect(stranger.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect((await latestEmailTo(portal, 'security.admin@acme.test')).subject).toMatch(/^Security: /);

    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const question = page.getByRole('alertdialog');
    await expectAccessible(page, 'signing out everywhere');
    await question.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(question).toBeHidden();
    await expect(page.getByText('This session')).toBeVisible();

    await other.reload();
    await expect(other.getByText(/^Your session has ended\./)).toBeVisible();
    await expect(other.getByText('Please sign in.')).toBeHidden();
  },
);
