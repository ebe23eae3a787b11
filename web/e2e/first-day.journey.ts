import { expectAccessible } from './fixtures/accessible.ts';
import { type PortalProcess, startPortal } from './fixtures/portal-process.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { test as base, expect } from './fixtures/test.ts';

const ADMIN = 'bill@initech.test';

const test = base.extend<{ empty: PortalProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that one needs from here.
  empty: async ({}, use) => {
    const portal = await startPortal({ seed: 'none' });
    await use(portal);
    await portal.stop();
  },
});

test('sets up an empty portal with an organisation, a brand, an administrator and a phone', async ({
  // Fixtures are torn down in reverse order, so `empty` comes first: the portal must stop last, because a page that
  // is still open would log an error without it.
  empty,
  page,
  phone,
}) => {
  await page.goto(empty.url);
  await expect(page).toHaveURL(/\/setup$/);
  const box = (name: string) => page.getByRole('textbox', { name });
  await box('Setup code').fill(empty.setupCode ?? '');
  await box('Organisation code').fill('initech');
  await box('Organisation name').fill('Initech');
  await page.getByRole('radio', { name: 'Teal' }).check();
  await box('First Name').fill('Bill');
  await box('Last Name').fill('Lumbergh');
  await box('Email').fill(ADMIN);
  await expectAccessible(page, 'first-run page');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Set up your phone' })).toBeFocused();
  await expectAccessible(page, 'now your phone');

  const shown = await page.getByLabel(/^Activation code: /).getAttribute('aria-label');
  await phone.page.goto(`${empty.url}/authenticator?activate=initech`);
  await phone.sheet.getByRole('textbox', { name: 'Email' }).fill(ADMIN);
  await phone.sheet.getByRole('textbox', { name: 'Activation code' }).fill((shown ?? '').replace(/\D/g, ''));
  await phone.sheet.getByRole('textbox', { name: 'Device name' }).fill('Pocket');
  await phone.sheet.getByRole('button', { name: 'Activate' }).click();
  await expect(phone.sheet).toContainText('This phone is ready');

  await expect(page.getByRole('heading', { level: 1, name: 'Your phone is registered' })).toBeFocused();
  await expectAccessible(page, 'your phone is registered');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.openScanned(await shownAddress(page));
  await phone.approve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/, Bill$/);

  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toContainText('1 of 4 done');
  await expect(steps.getByRole('heading', { name: 'Brand the sign-in page · done' })).toBeVisible();
  await expectAccessible(page, 'first steps');
  await steps.getByRole('button', { name: 'Invite users' }).click();
  await expect(page.getByRole('dialog', { name: 'Invite users' })).toBeVisible();
});
