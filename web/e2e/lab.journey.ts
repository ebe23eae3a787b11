import { readFile } from 'node:fs/promises';
import {
  emptyOutbox,
  endSpace,
  health,
  login,
  loginState,
  makePerson,
  makeSession,
  makeSpace,
  readMagic,
  setClock,
  signup,
  takeSnapshot,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, PHONE, test } from './fixtures/test.ts';

// The accessibility check also tries to run in the mail's frame, where scripts are blocked.
const FRAMED = /Blocked script execution in 'about:srcdoc'/;

test('a mail appears in the outbox by itself, and its link opens beside it', async ({
  page,
  context,
  portal,
  openBrowser,
  signIn,
  complaints,
}) => {
  complaints.expect(FRAMED);
  await portal.emptyOutbox();
  await page.goto('/lab');
  await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
  await expectAccessible(page, 'empty');

  const admin = await openBrowser();
  await signIn('super.admin@acme.test', { on: admin });
  await admin.goto('/dashboard?modal=invite');
  await admin.getByRole('radio', { name: 'Mobile' }).check();
  await admin.getByRole('textbox', { name: /^E-mail addresses/ }).pressSequentially('mara.lindholm@acme.test ');
  await admin.getByRole('button', { name: 'Invite', exact: true }).click();

  const message = page.getByRole('article', { name: 'You are invited to Acme Corporation' });
  await expect(message).toContainText('mara.lindholm@acme.test');
  await expectAccessible(page, 'a mail');
  const opening = context.waitForEvent('page');
  await message.frameLocator('iframe').getByRole('link', { name: 'Activate your account' }).click();
  await expect((await opening).getByText('An activation code has been sent to you by e-mail')).toBeVisible();
  await page.bringToFront();
  await expect(page.getByRole('article', { name: /^Your activation code/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Text' }).click();
  await expectAccessible(page, 'as text');
});

test('time, failures and the reset are set from the page', async ({ page, portal, signIn, complaints }) => {
  complaints.expect(FRAMED);
  complaints.expect(/503/);
  await page.goto('/lab');
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await expect(page.getByText('Ahead of the machine, and running.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Path below /api' }).fill('/org/settings');
  await page.getByRole('combobox', { name: 'Method' }).selectOption('GET');
  await page.getByRole('spinbutton', { name: 'HTTP status' }).fill('503');
  await page.getByRole('button', { name: 'Fail the next call' }).click();
  await expect(page.getByText('503, once')).toBeVisible();
  await expectAccessible(page, 'a failure to come');
  await page.goto('/acme/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

  await page.goto('/lab');
  await page.getByRole('button', { name: 'Reset the portal' }).click();
  await expectAccessible(page, 'reset');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the portal' }).click();
  await expect(page.getByText('The machine’s own time.')).toBeVisible();
  expect(await portal.device('user@acme.test')).toBeTruthy();
  await signIn('user@acme.test');
});

test('on a phone the outbox shows one pane at a time', async ({ openBrowser, complaints }) => {
  complaints.expect(FRAMED);
  const phone = await openBrowser(PHONE);
  await phone.goto('/lab');
  await phone.getByRole('list', { name: 'Messages' }).getByRole('button').first().click();
  await expect(phone.getByRole('article')).toBeVisible();
  await expect(phone.getByRole('list', { name: 'Messages' })).toBeHidden();
  await expectAccessible(phone, 'a message');
  await phone.goBack();
  await expect(phone.getByRole('list', { name: 'Messages' })).toBeVisible();
  await expectAccessible(phone, 'the list');
});

test('the portal is downloaded as a world, which begins it again', async ({ page, portal }) => {
  await page.goto('/lab/worlds');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as YAML' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('world.yaml');
  await page.getByRole('combobox', { name: 'Begin again with' }).selectOption('A world of your own');
  await page
    .getByLabel('World file')
    .locator('input')
    .setInputFiles({ name: 'world.yaml', mimeType: 'application/yaml', buffer: await readFile(await download.path()) });
  await page.getByRole('button', { name: 'Begin again' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Begin again' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Mistakes' })).toHaveCount(0);
  expect(await portal.device('user@acme.test')).toBeTruthy();
});

test('The inspector shows users, devices, pending challenges, outbox, journal, clock and active faults of a space, updates within 500 ms of a change, can do every control action, decodes and verifies our tokens, and passes axe with 0 serious findings.', async ({
  page,
  portal,
  complaints,
}) => {
  complaints.expect(FRAMED);
  // A space has no spaces, which the page says.
  complaints.expect(/400.*\/api\/lab\/spaces/);
  const main = createPortalCall({ baseUrl: portal.url });
  const { url, spaceId } = await main(makeSpace, { body: { name: 'Inspected' } });
  const call = createPortalCall({ baseUrl: url });
  const section = async (name: string) => {
    await page.getByRole('navigation', { name: 'Lab' }).getByRole('link', { name }).click();
  };
  /** Each appears on the open page by itself, without being loaded again. */
  await test.step('outbox', async () => {
    await call(emptyOutbox, {});
    await page.goto(`${url}/lab`);
    await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
    const email = 'ada.lovelace@acme.test';
    await call(signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'Lovelace', email } });
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText(email);
    await expectAccessible(page, 'outbox');
  });
  await test.step('pending challenges, by keyboard', async () => {
    await section('Requests');
    await expect(page.getByText('Nothing waits for a phone')).toBeVisible();
    const { loginId = '' } = await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
    await expect(page.getByText('Sign-in to the portal')).toBeVisible();
    await expectAccessible(page, 'requests');
    await page.getByRole('textbox', { name: 'As' }).focus();
    await page.keyboard.type('user@acme.test');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nothing waits for a phone')).toBeVisible();
    expect((await call(loginState, { params: { loginId } })).state).toBe('success');
  });
  await test.step('users and devices', async () => {
    await section('People');
    await call(makePerson, { body: { org: 'acme', email: 'grace.hopper@acme.test' } });
    await page.getByRole('searchbox').fill('grace.hopper');
    await expect(page.getByText('grace.hopper@acme.test').first()).toBeVisible();
    await expectAccessible(page, 'people');
  });
  await test.step('clock and worlds', async () => {
    await section('Worlds');
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await expect(page.getByText('Ahead of the machine, and running.')).toBeVisible();
    await call(setClock, { body: { freezeAt: '2031-05-06T07:08:09Z' } });
    await expect(page.getByText('Frozen.')).toBeVisible();
    await call(takeSnapshot, { body: { name: 'Afterwards' } });
    await expect(page.getByRole('button', { name: 'Restore Afterwards' })).toBeVisible();
    await expectAccessible(page, 'worlds');
  });
  await test.step('active faults', async () => {
    await section('Faults');
    const form = page.getByRole('form', { name: 'A fault' });
    await form.getByRole('textbox', { name: 'Address' }).fill('/api/health');
    await form.getByRole('combobox', { name: 'What happens' }).selectOption('a result of the portal');
    await form.getByRole('combobox', { name: 'Result' }).selectOption('EXPIRED');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await expect(page.getByRole('list', { name: 'Faults that wait' })).toContainText('EXPIRED, once');
    await expect(call(health, {})).rejects.toMatchObject({ resultName: 'EXPIRED' });
    await expect(page.getByRole('list', { name: 'Faults that have fired' })).toContainText('GET /api/health');
    await expectAccessible(page, 'faults');
  });
  await test.step('journal', async () => {
    await section('Journal');
    await call(readMagic, {});
    await call(health, {});
    await expect(page.getByText('GET /api/health').first()).toBeVisible();
    await expectAccessible(page, 'journal');
  });
  await test.step('tokens', async () => {
    await section('Tokens');
    const { token } = await call(makeSession, { body: { email: 'user@acme.test' } });
    await page.getByRole('textbox', { name: 'Token or SAML response' }).fill(token);
    await page.getByRole('button', { name: 'Inspect' }).click();
    await expect(page.getByText('This access token of the portal is valid.')).toBeVisible();
    await expectAccessible(page, 'tokens');
  });
  await page.goto('about:blank');
  await main(endSpace, { params: { spaceId } });
});
