import { virtualDevices } from '@orchestrate/shared';
import { createPortalCall, type DeviceState, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import type { Page } from '@playwright/test';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

/** Finds a user's phone at globex. */
async function phoneAtGlobex(url: string, email: string): Promise<DeviceState> {
  const { devices } = await createPortalCall({ baseUrl: url })(virtualDevices, { query: { orgCode: 'globex' } });
  const found = devices.find(({ primaryEmail, type }) => primaryEmail === email && type === 'mobile');
  const device = found && deviceOfVirtual(found);
  if (!device) throw new Error(`${email} has no phone at globex.`);
  return device;
}

/** Opens globex's sign-in from acme's sign-in page. */
async function goToGlobex(page: Page): Promise<void> {
  await page.goto('/acme/sign-in');
  await page.getByRole('link', { name: 'Continue with Globex SSO' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Globex');
  await expect(page.getByText('to continue to Acme Portal SSO')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test("opens acme's dashboard after an approval at globex, and records the method", async ({
  page,
  portal,
  authenticator,
}) => {
  await goToGlobex(page);
  await approveShown(page, authenticator, await phoneAtGlobex(portal.url, 'noa.berg@consulting.test'));
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Noa$/);
  await page.goto('/dashboard/login-history');
  await expect(page.getByRole('row').nth(1)).toContainText('Single sign-on');
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toContainText('Single sign-on');
});

test(
  'shows an error to a user unknown at acme, with a link back to sign-in',
  WHOLE,
  async ({ page, portal, authenticator }) => {
    await goToGlobex(page);
    await approveShown(page, authenticator, await phoneAtGlobex(portal.url, 'admin@globex.test'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No account has your email address');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Acme');
  },
);
