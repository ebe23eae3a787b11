import { askMyDevice, shownAddress, shownCode, shownNumber } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

test('keeps a request to the phone across reloads, with its number and remaining time', async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  const number = await askMyDevice(page, 'user@acme.test');
  for (const _ of [1, 2, 3]) {
    await page.reload();
    expect(await shownNumber(page)).toBe(number);
    await expect(page.getByText('user@acme.test')).toBeVisible();
  }
  await phone.choose(number);
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('keeps a typed code that the phone has opened across a reload', WHOLE, async ({ page, phone }) => {
  await phone.startAs('manager@acme.test');
  await page.goto('/acme/sign-in?with=code');
  await phone.typeCode(await shownCode(page));
  await expect(page.getByText(/^Approve on /)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Approve on /)).toBeVisible();
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('keeps a sign-in to an application across a reload', WHOLE, async ({ page, phone }) => {
  await page.route('https://travel.acme.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Trips</title><h1>Your trips</h1>' }),
  );
  await phone.startAs('user@acme.test');
  await page.goto('/saml/acme/travel-desk/sso');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const address = await shownAddress(page);
  await page.reload();
  expect(await shownAddress(page)).toBe(address);
  await phone.openScanned(address);
  await phone.approve();
  await expect(page.getByRole('heading', { name: 'Your trips' })).toBeVisible();
});

test('signs in if the request is approved during a reload', WHOLE, async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  const number = await askMyDevice(page, 'user@acme.test');
  await page.goto('about:blank');
  await phone.choose(number);
  await phone.approve();
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('cancels the request on the phone when the browser cancels it', async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  await askMyDevice(page, 'user@acme.test');
  await expect(phone.sheet).toContainText('Tap the number');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(phone.sheet).toContainText('No longer pending');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Email or employee ID' })).toHaveValue('');
});

test(
  'cancels the request on the phone when the browser returns from an external provider',
  WHOLE,
  async ({ page, phone }) => {
    await phone.startAs('user@acme.test');
    await askMyDevice(page, 'user@acme.test');
    await expect(phone.sheet).toContainText('Tap the number');
    // The URL that an external provider returns the browser to.
    await page.goto('/acme/sign-in?login=success#code=over');
    await expect(phone.sheet).toContainText('No longer pending');
  },
);

test('keeps sign-ins in two tabs separate', WHOLE, async ({ page, context, phone }) => {
  await phone.startAs('user@acme.test');
  const number = await askMyDevice(page, 'user@acme.test');
  const other = await context.newPage();
  await other.goto('/acme/sign-in?with=code');
  await shownCode(other);
  await page.reload();
  expect(await shownNumber(page)).toBe(number);
});
