import { expectAccessible } from './fixtures/accessible.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

test('finds screens and actions by keyboard with Ctrl+K', async ({ page, signIn }) => {
  await signIn('user@acme.test');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await expect(field).toBeFocused();
  await field.fill('nonsense');
  await expect(page.getByText('No results for “nonsense”.')).toBeVisible();
  await field.fill('add');
  await expect(page.getByRole('option').first()).toHaveText('Add device');
  await field.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add device' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('button', { name: 'Find anything' }).click();
  await field.fill('test');
  await field.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Test Device' })).toBeVisible();
});

test('aligns the titles of all screens', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const title = page.getByRole('main').getByRole('heading', { level: 1 });
  const leftOf = async () => (await title.boundingBox())?.x;
  const first = await leftOf();
  for (const name of ['Org Settings', 'Manage Settings']) await page.getByRole('button', { name }).click();
  const items = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  const elsewhere: string[] = [];
  for (const label of (await items.allInnerTexts()).filter((each) => each !== 'Dashboard')) {
    await items.and(page.getByRole('link', { name: label, exact: true })).click();
    await expect(title).toBeFocused();
    if ((await leftOf()) !== first) elsewhere.push(label);
  }
  expect(elsewhere).toEqual([]);
});

test('opens the whole login history page by page with View All', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await expect(page.getByRole('region', { name: 'Login History' }).getByRole('listitem')).toHaveCount(5);
  await page.getByRole('link', { name: 'View All' }).click();
  await expect(page).toHaveURL(/\/dashboard\/login-history$/);
  const rows = page.getByRole('table', { name: 'Login History' }).getByRole('row');
  await expect(rows).toHaveCount(1 + 20);
  await expect(rows.nth(1)).toContainText(/Pocket.*Scanned.*Portal.*Success/);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows).toHaveCount(1 + 40);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('follows the system’s colour mode until the user chooses one, and keeps it on reload', async ({
  page,
  signIn,
}) => {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/acme/sign-in');
  await expect(root).toHaveClass(/light/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveClass(/dark/);

  await signIn(ADMIN);
  await page.getByRole('button', { name: 'Light mode' }).click();
  await expect(root).toHaveClass(/light/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Dark mode' })).toBeVisible();
  await expect(root).toHaveClass(/light/);
});

test('follows the system’s colour mode if it changes while the page loads', async ({ page }) => {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'light' });
  const modules = Promise.withResolvers<void>();
  await page.route('**/assets/**', async (route) => {
    await modules.promise;
    await route.continue();
  });
  await page.goto('/acme/sign-in', { waitUntil: 'commit' });
  await expect(root).toHaveClass(/light/);
  await page.emulateMedia({ colorScheme: 'dark' });
  modules.resolve();
  await expect(root).toHaveClass(/dark/);
});

// covers: spec 1.2.23, spec 2.4.7
test('keeps the side menu collapsed to icons', async ({ page, signIn }) => {
  await signIn(ADMIN);
  const menu = page.getByRole('complementary', { name: 'Side menu' });
  expect((await menu.boundingBox())?.width).toBe(256);
  await page.getByRole('button', { name: 'Collapse' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Expand' })).toBeVisible();
  expect((await menu.boundingBox())?.width).toBe(72);
  await page.getByRole('link', { name: 'Dashboard' }).first().focus();
  await expect(page.getByRole('tooltip', { name: 'Dashboard' })).toBeVisible();
});

// covers: spec 1.2.25, spec 2.3.11, security 7.4.4
test('shows the signed-in user in the profile menu', async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('Avery Lindqvist');
  await expect(menu).toContainText('Super Admin');
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
});

test(
  'offers a retry for lists that failed to load, and recovers automatically',
  WHOLE,
  async ({ page, portal, complaints, signIn }) => {
    complaints.expect(/status of 500/);
    await portal.fault({ method: 'GET', path: '/user', times: 1_000 });
    await portal.fault({ method: 'GET', path: '/user/loginhistory', times: 1_000 });
    await signIn(ADMIN);
    const devices = page.getByRole('region', { name: 'Registered devices' });
    const history = page.getByRole('region', { name: 'Login History' });
    await expect(history.getByRole('button', { name: 'Retry' })).toBeVisible();
    const response = page.waitForResponse(
      (answer) => new URL(answer.url()).pathname.endsWith('/user') && answer.status() === 500,
    );
    await devices.getByRole('button', { name: 'Retry' }).click();
    await response;
    await portal.clearFaults();
    await expect(devices.getByRole('table')).toContainText('Pixel 9 Pro');
    await expect(history.getByRole('listitem')).toHaveCount(5);
  },
);

test('shows when a page went out of date, and updates it automatically', async ({
  page,
  context,
  complaints,
  signIn,
}) => {
  complaints.expect(/Failed to load resource/);
  await signIn(ADMIN);
  const history = page.getByRole('region', { name: 'Login History' });
  await expect(history.getByRole('listitem')).toHaveCount(5);
  const note = page.getByText(
    /^Out of date since \d\d \w{3} \d{4}, \d\d:\d\d\u00a0[AP]M because the portal can't be reached/,
  );
  await expect(note).toBeHidden();
  await context.route('**/api/user**', (route) => route.abort());
  await page.getByRole('button', { name: /^Refresh/ }).click();
  await expect(note).toBeVisible();
  await expect(history.getByRole('listitem')).toHaveCount(5);
  await context.unroute('**/api/user**');
  await expect(note).toBeHidden();
});

test(
  'opens a screen that failed to load as soon as the portal responds',
  WHOLE,
  async ({ page, context, complaints, signIn }) => {
    complaints.expect(/Failed to load resource|Failed to fetch dynamically imported module/);
    await signIn(ADMIN);
    await page.waitForLoadState('networkidle');
    await context.route('**', (route) => route.abort());
    await page.getByRole('link', { name: 'Manage Users' }).click();
    await expect(
      page.getByText("The portal isn't responding. The missing parts will load once it's back."),
    ).toBeVisible();
    await context.unroute('**');
    await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible();
  },
);

test('reports that a screen’s files are missing, and opens it when they can be loaded', async ({
  page,
  context,
  complaints,
  signIn,
}) => {
  complaints.expect(/Failed to load resource/);
  await signIn(ADMIN);
  // Wait for the dashboard to load. A section that fails to load would move the menu, so the click would miss its
  // link.
  await page.waitForLoadState('networkidle');
  await context.route('**/assets/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await expect(page.getByText("Part of this page couldn't be loaded. We'll keep trying")).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  await context.unroute('**/assets/**');
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible();
  await expect(page.getByText("Part of this page couldn't be loaded")).toBeHidden();
});

test('shows that the portal is unreachable even if that is the first error', async ({
  page,
  context,
  complaints,
  signIn,
}) => {
  complaints.expect(/Failed to load resource/);
  await signIn(ADMIN);
  await page.goto('/applications/payroll/name-&-description');
  const description = page.getByRole('textbox', { name: /^Description/ });
  await description.fill('Salaries');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText("Can't reach the portal. Check your connection.")).toBeVisible();
  await expect(page.getByText("The portal isn't responding.")).toBeHidden();
  await expect(description).toHaveValue('Salaries');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('App settings saved')).toBeVisible();
});

test(
  'keeps input while a dialog’s files cannot be loaded, and opens the dialog afterwards',
  WHOLE,
  async ({ page, context, complaints, signIn }) => {
    complaints.expect(/Failed to load resource/);
    await signIn(ADMIN);
    await page.getByRole('button', { name: 'Org Settings' }).click();
    await page.getByRole('link', { name: 'Branding' }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Welcome to Acme');
    await context.route('**/assets/**', (route) => route.abort());
    await page.keyboard.press('Control+k');
    const note = page.getByText("Part of this page couldn't be loaded. We'll keep trying");
    await expect(note).toBeVisible();
    await expect(title).toHaveValue('Welcome to Acme');
    // The notice reserves its height: the menu still fits the window, and the header scrolls only up to the notice.
    for (const scrolled of [300, 0]) {
      await page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), scrolled);
      await expect(note).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: 'Collapse' })).toBeInViewport({ ratio: 1 });
      await page.getByRole('button', { name: 'Dark mode' }).click({ trial: true, timeout: 5_000 });
    }
    await context.unroute('**/assets/**');
    await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(title).toHaveValue('Welcome to Acme');
  },
);

test(
  'reloads a page from an older portal version after saving its input',
  WHOLE,
  async ({ page, context, complaints, signIn }) => {
    complaints.expect(/Failed to load resource/);
    await signIn(ADMIN);
    await page.getByRole('button', { name: 'Org Settings' }).click();
    await page.getByRole('link', { name: 'Branding' }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Welcome to Acme');
    await context.route(/\/assets\/(command-palette|members-screens)/, (route) => route.fulfill({ status: 404 }));
    await context.route(
      (address) => address.pathname === '/',
      (route) => route.fulfill({ contentType: 'text/html', body: '<script src="/assets/newer.js"></script>' }),
    );
    await page.keyboard.press('Control+k');
    const note = page.getByText('The portal was updated. Save your changes, then reload the page.');
    await expect(note).toBeVisible();
    await expect(title).toHaveValue('Welcome to Acme');
    const opened = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await opened;
    await expect(title).toHaveValue('Welcome to Acme');
    await expect(note).toBeHidden();

    const openedAgain = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Manage Users' }).click();
    await openedAgain;
    await context.unrouteAll();
    await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible();
  },
);

test(
  'loads the sign-in page’s dialogs as soon as the portal responds',
  WHOLE,
  async ({ page, context, complaints, portal: _ }) => {
    complaints.expect(/Failed to load resource/);
    await page.goto('/acme/sign-in');
    const help = page.getByRole('button', { name: 'Need help?' });
    await expect(help).toBeVisible();
    await context.route('**/assets/**', (route) => route.abort());
    await help.click();
    await expect(page.getByText("Part of this page couldn't be loaded. We'll keep trying")).toBeVisible();
    await context.unroute('**/assets/**');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
);

test('does not render the first page until its messages have loaded', async ({
  page,
  context,
  complaints,
  portal: _,
}) => {
  complaints.expect(/Failed to load resource/);
  await context.route(/\/assets\/en-[^/]+\.js$/, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/en-'));
  await page.goto('/acme/sign-in');
  await failed;
  // Assistive technology doesn't see the page's outlines.
  await expect(page.getByRole('heading')).toHaveCount(0);
  await context.unrouteAll();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test('runs keyboard shortcuts, unless the user turns them off', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await field.fill('account privacy');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Account privacy' })).toBeFocused();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(/\/manage-users$/);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.getByText('Role Management')).toBeVisible();
  await expectAccessible(page, 'keyboard shortcuts');
  await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
});

test('opens the screens of a group from the collapsed menu', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.getByRole('button', { name: 'Collapse' }).click();
  await page.getByRole('button', { name: 'Org Settings' }).click();
  await page.getByRole('menuitem', { name: 'Branding' }).click();
  await expect(page).toHaveURL(/\/branding$/);
  await expect(page.getByRole('button', { name: 'Org Settings' })).toHaveAttribute('aria-current', 'true');
});

test('names the open screen in its closed group, and moves no other entry', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  const group = page.getByRole('button', { name: 'Org Settings' });
  const topOfNext = async () => (await page.getByRole('button', { name: 'Manage Settings' }).boundingBox())?.y;
  const before = await topOfNext();
  await page.goto('/org-settings/branding');
  await expect(group).toHaveAccessibleName('Org Settings Branding');
  expect(await topOfNext()).toBe(before);
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('DashboardOrg SettingsBranding');
  await group.click();
  await expect(group).toHaveAccessibleName('Org Settings');
});
