import { expect, test } from 'orchestrate/playwright';

test('a code that is scanned and approved', async ({ page, phone }) => {
  await phone.approves();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a code that is scanned and denied', async ({ page, phone }) => {
  await phone.denies();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
});

test('a code that is scanned, and then nothing', async ({ page, phone, portal }) => {
  await phone.ignores();
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText(/^Approve on /)).toBeVisible();
  await portal.clock({ advance: '10m' });
  await expect(page.getByText(/expired/)).toBeVisible();
});

test('somebody who is signed in already', async ({ signedIn, person }) => {
  await signedIn.goto('/dashboard');
  await expect(signedIn.getByRole('heading', { level: 1 })).toContainText(person.firstName);
});

test('a session that ends while somebody works', async ({ signedIn, portal }) => {
  await signedIn.goto('/dashboard');
  await portal.clock({ advance: '31d' });
  await signedIn.reload();
  await expect(signedIn).toHaveURL(/\/sign-in/);
});

test('a sign-in that somebody else began is reported by mail', async ({ page, phone, outbox }) => {
  await phone.denies({ reason: 'not-me' });
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
  expect((await outbox({ to: 'super.admin@acme.test', wait: 5 }))[0]?.subject).toContain('did not ask for');
});
