import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const PERSON = 'user@acme.test';

async function logOut(page: Page): Promise<void> {
  // Wait for the page to load. After the logout, pending requests would be refused and logged as errors.
  await expect(page.getByText('This session')).toBeVisible();
  await expect(page.getByText(/^Loading /)).toHaveCount(0);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog', { name: 'Logout' }).getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/acme\/sign-in$/);
}

test('reports an unknown organisation', async ({ page, complaints }) => {
  complaints.expect(/status of 40\d/);
  await page.goto('/nowhere/sign-in');
  await expect(page.getByRole('heading', { name: 'There is no organisation “nowhere”' })).toBeVisible();
  await page.getByRole('link', { name: 'Enter another code' }).click();
  await expect(page).toHaveURL('/');
});

// covers: spec 1.2.5
test('asks for an organisation code at the root', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Access restricted' })).toBeVisible();
  const start = page.getByRole('region', { name: 'Choose where to start' });
  await expect(start.getByRole('link', { name: 'Globex' })).toHaveAttribute('href', '/globex/sign-in');
  await expectAccessible(page, 'starting points');
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await expect(page.getByText('Enter your organisation code.', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Organisation code' }).fill(' ACME ');
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await expect(page).toHaveURL(/\/acme\/sign-in$/);
  await expect(page.getByRole('heading', { name: 'Sign in to Acme' })).toBeVisible();
});

// covers: spec 1.2.1
test('opens the sign-in page at /acme', async ({ page }) => {
  await page.goto('/acme');
  await expect(page.getByRole('heading', { name: 'Sign in to Acme' })).toBeVisible();
  await expect(page).toHaveTitle(/Sign in to Acme/);
});

const messages = [
  ['/static/activation-sent', 'Check your email', "We've sent you an activation code by email"],
  ['/static/link-invalid', 'Invalid or expired activation link', 'Ask your administrator'],
  [
    '/static/link-early?validFrom=2026-11-21T09:00:00.000Z',
    "This link isn't valid yet",
    'valid only after 21 Nov 2026, 09:00 AM',
  ],
  ['/static/ip-blocked', 'Access not allowed from this IP Address', 'Connect from a network'],
  ['/static/nothing-of-the-kind', 'Page not found', 'The requested URL was not found on this server'],
  ['/acme/no/such/page', 'Page not found', 'The requested URL was not found on this server'],
  ['/access-denied', 'Access Denied', 'contact the Administrator'],
] as const;

// covers: spec 1.2.6, spec 1.2.7
test('shows the messages of static pages', async ({ page, complaints }) => {
  // The browser logs the status of the page that doesn't exist.
  complaints.expect(/status of 404 .*\/no\/such\/page/);
  for (const [address, title, text] of messages) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main')).toContainText(text);
  }
});

test('redirects a signed-in member from the sign-in page to the dashboard', WHOLE, async ({ page, signIn }) => {
  await signIn(PERSON);
  for (const address of ['/acme/sign-in', '/acme']) {
    await page.goto(address);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
});

test('redirects an unknown visitor from a private page to the root', WHOLE, async ({ page }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Access restricted' })).toBeVisible();
  await expect(page).toHaveURL('/');
});

test(
  'redirects a returning member from a private page to sign-in and back',
  WHOLE,
  async ({ page, portal, authenticator, signIn }) => {
    await signIn(PERSON);
    await logOut(page);
    await page.goto('/dashboard/login-history');
    await expect(page).toHaveURL(/\/acme\/sign-in$/);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await approveShown(page, authenticator, await seededDevice(portal, PERSON));
    await expect(page).toHaveURL(/\/dashboard\/login-history$/);
    await expect(page.getByRole('heading', { name: 'Login History' })).toBeVisible();
  },
);

// covers: spec 1.2.24, spec 2.4.6, security 14.3.1
test('asks for confirmation before logout, ends the session and signs out every tab', async ({
  page,
  context,
  portal,
  signIn,
}) => {
  await signIn(PERSON);
  await page.getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Logout' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  const tab = await context.newPage();
  const [request] = await Promise.all([tab.waitForRequest('**/api/user/loginhistory?*'), tab.goto('/dashboard')]);
  const { authorization = '' } = await request.allHeaders();
  // The page requests its data before the client is loaded. Requests that are open at the logout would be refused.
  await expect(tab.getByText('This session')).toBeVisible();
  await expect(tab.getByText(/^Loading /)).toHaveCount(0);
  await logOut(page);
  await expect(tab).toHaveURL(/\/acme\/sign-in$/);
  const answer = await fetch(`${portal.url}/api/profile`, { headers: { authorization } });
  expect(answer.status).toBe(401);
});

test('clears a stored token when single sign-on ends', WHOLE, async ({ page, signIn }) => {
  await signIn(PERSON);
  await page.goto('/acme/sign-in?login=success');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/acme\/sign-in$/);
});

// covers: spec 1.8.1
test('returns to sign-in when the session ends, and reopens the page for the same user', async ({
  page,
  portal,
  authenticator,
  complaints,
  signIn,
}) => {
  complaints.expect(/status of 401/);
  // The browser tries to sign in as a remembered browser, but the reset portal no longer remembers it.
  complaints.expect(/status of 400/);
  await signIn(PERSON);
  await page.getByRole('link', { name: 'View All' }).click();
  await expect(page.getByRole('row')).toHaveCount(1 + 20);
  // Resetting the portal deletes all sessions.
  await portal.reset();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page).toHaveURL(/\/acme\/sign-in$/);

  await page.getByRole('button', { name: 'Sign in' }).click();
  await approveShown(page, authenticator, await seededDevice(portal, PERSON));
  await expect(page).toHaveURL(/\/dashboard\/login-history$/);
});
