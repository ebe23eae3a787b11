import type { Page } from '@playwright/test';
import { HR_METADATA } from './fixtures/data.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const METADATA = { name: 'metadata.xml', mimeType: 'application/xml', buffer: Buffer.from(HR_METADATA) };

// covers: spec 2.2.45
test('needs few clicks for everyday administrator tasks', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const field = (name: string | RegExp) => page.getByRole('textbox', { name });
  let clicks = 0;
  const click = async (
    role: Parameters<Page['getByRole']>[0],
    name: string | RegExp,
    within: Pick<Page, 'getByRole'> = page,
  ) => {
    clicks += 1;
    await within
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  };
  const task = async (work: () => Promise<void>) => {
    await page.goto('/dashboard');
    clicks = 0;
    await work();
    return clicks;
  };
  // Groups that a user has expanded once stay expanded.
  for (const name of ['Org Settings', 'Manage Settings']) await page.getByRole('button', { name }).click();
  const code = page.getByRole('group', { name: /^activation code: \d{6}$/ }).first();

  const newCode = await task(async () => {
    await click('button', /^Find anything/);
    // The palette's code is loaded on first use, so wait until its input has focus.
    await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
    await page.keyboard.type('mara lindholm');
    await expect(page.getByRole('option', { name: /Mara Lindholm/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await click('button', 'Generate');
    await expect(code).toBeVisible();
  });
  const lostPhone = await task(async () => {
    await click('link', 'Manage Users');
    await page.getByRole('searchbox', { name: 'Search members' }).fill('daniel');
    await click('button', 'Actions for Daniel Ortiz');
    await click('menuitem', 'Report device lost');
    await click('button', 'Report lost and send code');
    await expect(page.getByText(/was reported lost/)).toBeVisible();
  });
  const oidcApplication = await task(async () => {
    await click('link', 'Applications');
    await click('button', 'Add application');
    await click('menuitem', /OIDC/);
    await field('App name').fill('Time Sheets');
    await click('button', 'Next');
    await field('Callback URL').fill('https://times.acme.test/callback');
    await field('Logout URL').fill('https://times.acme.test/');
    await click('button', 'Submit');
    await expect(page.getByRole('group', { name: 'Client secret, hidden' })).toBeVisible();
  });
  const samlApplication = await task(async () => {
    await click('link', 'Applications');
    await click('button', 'Add application');
    await click('menuitem', /SAML/);
    await field('App name').fill('People HR');
    await click('button', 'Submit');
    await page.locator('input[type=file]').setInputFiles(METADATA);
    await field('Redirect URL').fill('https://hr.acme.test/');
    await click('button', 'Submit');
    await expect(page.getByText('Application created')).toBeVisible();
  });
  const brand = await task(async () => {
    await click('link', 'Branding');
    await field('Title').fill('Welcome to Acme');
    await click('button', 'Save');
    await expect(page.getByText('Branding saved')).toBeVisible();
  });
  const role = await task(async () => {
    await click('link', 'Role Management');
    await click('button', 'Create role');
    const dialog = page.getByRole('dialog', { name: 'Create role' });
    await dialog.getByRole('textbox', { name: /Name/ }).fill('Caller desk');
    await click('checkbox', 'Callers', dialog);
    await click('button', 'Create role', dialog);
    await expect(page.getByRole('link', { name: 'Caller desk' })).toBeVisible();
  });
  // invite.journey.ts counts the clicks for inviting three new users, and readme.journey.ts the clicks for the first
  // sign-in.
  expect({ newCode, lostPhone, oidcApplication, samlApplication, brand, role }).toEqual({
    newCode: 2,
    lostPhone: 4,
    oidcApplication: 5,
    samlApplication: 5,
    brand: 2,
    role: 4,
  });
});
