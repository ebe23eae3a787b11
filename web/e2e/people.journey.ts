import type { Page } from '@playwright/test';
import { latestEmailTo, seededDevice } from './fixtures/data.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';
const NEW_PHONE = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;

const cards = (page: Page) => page.getByRole('list', { name: 'Members' }).getByRole('listitem');
const scrolled = (page: Page) => page.evaluate(() => window.scrollY);

async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await page.getByRole('searchbox', { name: 'Search members' }).fill(text);
}

test(
  'finds a new member, sends a code, and activates the phone with it',
  WHOLE,
  async ({ page, portal, authenticator, signIn }) => {
    await signIn(ADMIN);
    await find(page, 'mara');
    await cards(page).getByRole('link', { name: 'Mara Lindholm' }).click();
    await expect(page).toHaveURL(/\/manage-users\/[\w-]+\?status=unregistered$/);

    const mobile = page.getByRole('region', { name: 'Mobile activation code' });
    const code = mobile.getByRole('group', { name: /^activation code: \d{6}$/ });
    const before = await code.getAttribute('aria-label');
    await mobile.getByRole('button', { name: 'New Code' }).click();
    await page.getByRole('button', { name: 'Replace code' }).click();
    await expect(code).not.toHaveAttribute('aria-label', before ?? '');
    const activationCode = (await code.getAttribute('aria-label'))?.replace(/\D/g, '') ?? '';
    await mobile.getByRole('button', { name: 'Email code' }).click();
    await expect(page.getByText(`The valid code was sent to ${NEWCOMER} again`)).toBeVisible();
    expect((await latestEmailTo(portal, NEWCOMER)).code).toBe(activationCode);

    await authenticator.activate({ orgCode: 'acme', email: NEWCOMER, activationCode, device: NEW_PHONE });
    await page.getByRole('button', { name: 'Refresh devices' }).click();
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText('Active');
    await expect(page.getByRole('table', { name: 'Connected devices' })).toContainText('Pixel 10');
  },
);

test('restores the search, its loaded pages and the scroll position on return from a member', async ({
  page,
  signIn,
}) => {
  await signIn(ADMIN);
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await page.getByRole('combobox', { name: 'Search by' }).selectOption('Email');
  await page.getByRole('searchbox', { name: 'Search members' }).fill('acme');
  await page.getByRole('button', { name: /^Active \d/ }).click();
  await expect(page.getByText(/^20 of \d+ active members/)).toBeVisible();
  await cards(page).last().scrollIntoViewIfNeeded();
  await expect(cards(page)).toHaveCount(40);

  const chosen = cards(page).nth(30).getByRole('link');
  await chosen.scrollIntoViewIfNeeded();
  const scrollTop = await scrolled(page);
  expect(scrollTop).toBeGreaterThan(0);
  await chosen.click();
  await expect(page.getByRole('region', { name: 'Profile' })).toBeVisible();
  await page.goBack();
  await expect(cards(page).nth(30)).toBeInViewport();
  expect(await scrolled(page)).toBe(scrollTop);
  await expect(page.getByRole('button', { name: /^Active \d/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('searchbox', { name: 'Search members' })).toHaveValue('acme');
});

test('renders a constant number of members while the whole list scrolls by', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.goto('/manage-users?status=active');
  await expect(page.getByText(/^\d+ of \d+ active members/)).toBeVisible();
  const counts: number[] = [];
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    counts.push(await cards(page).count());
    await expect(page.getByText(/^\d+ active members/)).toBeVisible({ timeout: 200 });
  }).toPass();
  await page.mouse.wheel(0, 20_000);
  const total = (await page.getByText(/^\d+ active members/).textContent())?.split(' ')[0] ?? '';
  await expect(cards(page).last()).toHaveAttribute('aria-posinset', total);
  await expect(cards(page).last()).toBeInViewport();
  expect(Number(total)).toBeGreaterThan(200);
  expect(Math.max(...counts)).toBeLessThanOrEqual(80);
  await page.mouse.wheel(0, -40_000);
  await expect(cards(page).first()).toHaveAttribute('aria-posinset', '1');
  await expect(cards(page).first()).toBeInViewport();
});

test(
  'signs a disabled member out immediately, and lets them sign in again once enabled',
  WHOLE,
  async ({ page, signIn, openBrowser, authenticator, portal, complaints }) => {
    complaints.expect(/status of 401/);
    const theirs = await openBrowser();
    await signIn(USER, { on: theirs });
    await signIn(ADMIN);
    await find(page, 'daniel');
    await page.getByRole('button', { name: 'Actions for Daniel Ortiz' }).click();
    await page.getByRole('menuitem', { name: 'Disable user' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable user' }).click();
    await expect(page.getByText('User disabled successfully')).toBeVisible();
    await expect(cards(page).filter({ hasText: 'Daniel Ortiz' })).toContainText('Inactive');

    await theirs.getByRole('button', { name: 'Refresh devices' }).click();
    await expect(theirs).toHaveURL(/\/acme\/sign-in/);
    const phone = await seededDevice(portal, USER);
    await expect(authenticator.pending(phone)).rejects.toMatchObject({ resultName: 'USER_INACTIVE' });

    await cards(page).getByRole('link', { name: 'Daniel Ortiz' }).click();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('button', { name: 'Enable user' }).click();
    await expect(page.getByText('User enabled successfully')).toBeVisible();
    await signIn(USER, { on: theirs });
  },
);

test('lets a manager delete a direct report’s device', WHOLE, async ({ page, signIn }) => {
  await signIn('manager@acme.test');
  await page.getByRole('link', { name: 'Manage Reportees' }).click();
  await page.getByRole('searchbox', { name: 'Search direct reports' }).fill('kami');
  await expect(page.getByText('1 of 8 direct reports')).toBeVisible();
  await page.getByRole('link', { name: 'Łukasz Kamiński' }).click();
  const devices = page.getByRole('table', { name: 'Connected devices' });
  await expect(devices.getByRole('row')).toHaveCount(3);
  const paused = devices.getByRole('row').filter({ hasText: 'Paused' });
  await paused.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete device' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete device' }).click();
  await expect(devices.getByRole('row')).toHaveCount(2);
});

test(
  'focuses the first field when editing, and keeps the layout when the member has loaded',
  WHOLE,
  async ({ page, portal, signIn }) => {
    await signIn('super.admin@acme.test');
    await page.goto('/manage-users?q=oyelaran');
    await page.getByRole('button', { name: 'Actions for Marcus Oyelaran' }).click();
    await portal.fault({ match: { method: 'GET', path: '/api/user' }, answer: { delayMs: 1_500 }, times: 1 });
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit .+ Oyelaran$/ });
    await expect(dialog.getByRole('status', { name: 'Loading member' })).toBeVisible();
    const before = await dialog.boundingBox();
    await expect(dialog.getByRole('textbox', { name: 'First Name' })).toBeFocused();
    const after = await dialog.boundingBox();
    expect(Math.abs((after?.height ?? 0) - (before?.height ?? 0))).toBeLessThan(8);
  },
);

test('shows that the member doesn’t exist if the address is invalid', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.goto('/manage-users/%%%');
  await expect(page.getByRole('heading', { name: 'Member not found' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Member');
  await page.goto('/%%%');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
