import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

test(
  'shows the data an application receives, and tests its settings',
  WHOLE,
  async ({ page, portal, authenticator, complaints, signIn }) => {
    // The travel desk doesn't accept remembered browsers, so the automatic sign-in to it fails.
    complaints.expect(/status of 400 .*\/api\/user\/login/);
    const phone = await seededDevice(portal, USER);
    await signIn(ADMIN);
    await page.goto('/applications/team-wiki/configuration');
    await page.getByRole('button', { name: /^Data sent to Team Wiki/ }).click();
    await page.getByRole('searchbox', { name: 'Choose another member' }).fill(USER);
    await page.getByRole('button', { name: new RegExp(USER) }).click();
    await expect(page.getByRole('row', { name: `email ${USER}` })).toBeVisible();
    await expectAccessible(page, 'what an application receives');

    // The wiki accepts this remembered browser, but the travel desk doesn't.
    const wiki = await openTry(page, 'team-wiki');
    await expectPassed(wiki, 'Team Wiki', 'Userinfo');

    const desk = await openTry(page, 'travel-desk');
    await expect(desk.getByText('Travel Desk').first()).toBeVisible();
    await desk.getByRole('button', { name: 'Sign in', exact: true }).click();
    await approveShown(desk, authenticator, phone);
    await expectPassed(desk, 'Travel Desk', 'Attributes');
  },
);

async function openTry(page: Page, appId: string): Promise<Page> {
  await page.goto(`/applications/${appId}/configuration`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Test sign-in' }).click();
  return opened;
}

async function expectPassed(tab: Page, name: string, last: string): Promise<void> {
  await expect(tab.getByRole('heading', { name: `Test sign-in to ${name}` })).toBeVisible();
  await expect(tab.getByText('Passed')).toBeVisible();
  await expect(tab.getByRole('list', { name: 'Checks' }).getByText(last)).toBeVisible();
  await expectAccessible(tab, `the try of ${name}`);
}
