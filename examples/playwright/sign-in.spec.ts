import { expect, test } from 'orchestrate/playwright';

test('signs in after the code is scanned and approved', async ({ page, phone }) => {
  await phone.approves();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('shows that a scanned code was denied', async ({ page, phone }) => {
  await phone.denies();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
});

test('expires a scanned code without a response', async ({ page, phone, portal }) => {
  await phone.ignores();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText(/^Approve on /)).toBeVisible();
  await portal.clock({ advance: '10m' });
  await expect(page.getByText(/expired/)).toBeVisible();
});

test('opens the dashboard for a signed-in user', async ({ signedIn, person }) => {
  await signedIn.goto('/dashboard');
  await expect(signedIn.getByRole('heading', { level: 1 })).toContainText(person.firstName);
});

test('returns to the sign-in page when the session ends', async ({ signedIn, portal }) => {
  await signedIn.goto('/dashboard');
  await portal.clock({ advance: '31d' });
  await signedIn.reload();
  await expect(signedIn).toHaveURL(/\/sign-in/);
});

test('emails an alert about a sign-in the user did not start', async ({ page, phone, outbox }) => {
  await phone.denies({ reason: 'not-me' });
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
  expect((await outbox({ to: 'super.admin@acme.test', wait: 5 }))[0]?.subject).toContain('didn’t request a sign-in');
});
