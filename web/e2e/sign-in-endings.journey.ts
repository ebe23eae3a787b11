import { seededDevice } from './fixtures/data.ts';
import { approveShown, askMyDevice, codeIn, shownAddress, shownNumber } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

test('rejects the sign-in after "It wasn\'t me", and lets the user retry', WHOLE, async ({ page, phone }) => {
  await phone.startAs('user@acme.test');
  await page.goto('/acme/sign-in?with=scan');
  const first = await shownAddress(page);
  await phone.openScanned(first);
  await phone.deny("It wasn't me");
  await expect(phone.sheet).toContainText('Denied and reported');
  await expect(page.getByText('The sign-in was rejected.')).toBeVisible();

  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  const second = await shownAddress(page);
  expect(second).not.toBe(first);
  await phone.openScanned(second);
  await phone.approve();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('dims an expired code, and renews it with one click', WHOLE, async ({ page, portal, authenticator }) => {
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  const first = await shownAddress(page);
  await portal.clock({ advance: '121s' });
  await expect(page.getByText('This code has expired.')).toBeVisible();
  const dimmed = page.locator('[inert]').filter({ has: page.locator(`[data-qr="${first}"]`) });
  await expect(dimmed).toHaveCSS('opacity', '0.12');

  const device = await seededDevice(portal, 'user@acme.test');
  await expect(authenticator.resolve(device, codeIn(first))).rejects.toMatchObject({ resultName: 'EXPIRED' });
  await page.getByRole('button', { name: 'Get a new code' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  const second = await shownAddress(page);
  expect(second).not.toBe(first);
  await approveShown(page, authenticator, device);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test(
  'rejects the sign-in in the browser and on the phone if the wrong number is picked',
  WHOLE,
  async ({ page, phone }) => {
    await phone.startAs('user@acme.test');
    const number = await askMyDevice(page, 'user@acme.test');
    await phone.chooseOtherNumber(number);
    await phone.sheet.getByRole('button', { name: 'Approve' }).click();
    await expect(phone.sheet).toContainText('Wrong number');
    await expect(page.getByText('The sign-in was rejected.')).toBeVisible();
    await phone.button('Done').click();

    await page.getByRole('button', { name: 'Retry' }).click();
    await phone.choose(await shownNumber(page));
    await phone.approve();
    await expect(page).toHaveURL(/\/dashboard$/);
  },
);

test(
  'expires an unanswered request on the phone, and lets the user send it again',
  WHOLE,
  async ({ page, phone, portal }) => {
    await phone.startAs('user@acme.test');
    await askMyDevice(page, 'user@acme.test');
    await expect(phone.sheet).toContainText('Tap the number');
    await portal.clock({ advance: '121s' });
    await expect(page.getByText('No one approved the request in time.')).toBeVisible();
    await expect(phone.sheet).toContainText(/Expired|No longer pending/);
    await phone.button('Done').click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(phone.sheet).toContainText('Tap the number');
  },
);

test('restores a lost connection automatically without missing a message', async ({ page, portal, authenticator }) => {
  let isDown = false;
  let drop = async () => {};
  await page.routeWebSocket(/\/ws\/login/, (socket) => {
    if (isDown) return void socket.close({ code: 1012 });
    socket.connectToServer();
    drop = () => socket.close({ code: 1012 });
  });
  await page.goto('/acme/sign-in?with=scan');
  await expect(page.getByText('Waiting for your device')).toBeVisible();
  const address = await shownAddress(page);

  isDown = true;
  await drop();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  const device = await seededDevice(portal, 'user@acme.test');
  const { challenge } = await authenticator.resolve(device, codeIn(address));
  isDown = false;
  await expect(page.getByText('Approve on Pixel 9a')).toBeVisible();
  await authenticator.respond(device, { challengeId: challenge.challengeId, decision: 'approve' });
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('reports a server error, and opens the page on retry', WHOLE, async ({ page, portal, complaints }) => {
  complaints.expect(/status of 500/);
  await portal.fault({ method: 'GET', path: '/org/settings', times: 2 });
  await page.goto('/acme/sign-in');
  await expect(page.getByRole('heading', { name: "The sign-in page couldn't be loaded" })).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Acme' })).toBeVisible();

  await portal.fault({ method: 'POST', path: '/user/login', times: 2 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Waiting for your device')).toBeVisible();
});
