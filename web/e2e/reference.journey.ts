import { expectAccessible } from './fixtures/accessible.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const response = 'the response';

test(
  'finds an operation, tries it without typing a token, and forces an error response',
  WHOLE,
  async ({ page, complaints }) => {
    await page.goto('/docs');
    await expectAccessible(page, 'overview');
    await page.keyboard.press('/');
    await page.keyboard.type('get your profile');
    await page
      .getByRole('navigation', { name: 'Reference' })
      .getByRole('link', { name: /^GET \/profile / })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Get your profile' })).toBeVisible();
    await expectAccessible(page, 'operation');

    const people = page.getByRole('combobox', { name: 'Sign in as' });
    await people.selectOption({
      label: (await people.getByRole('option', { name: /Super Admin, globex/ }).textContent()) ?? '',
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('group', { name: response })).toContainText('"email": "admin@globex.test"');

    complaints.expect(/status of 401/);
    await page.getByRole('combobox', { name: 'Response' }).selectOption('INVALID_SESSION');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('INVALID_SESSION, resultCode 53')).toBeVisible();
    await expectAccessible(page, 'refused');

    await page.goto('/docs/sockets/login');
    await expect(page.getByRole('region', { name: 'Messages from the portal' })).toBeVisible();
    const link = page
      .getByRole('navigation', { name: 'Reference' })
      .getByRole('link', { name: 'A sign-in, from init' });
    await expect(link).toBeInViewport();
    await expect(page.getByText('Orchestrate API')).toBeInViewport();
    await expectAccessible(page, 'socket');
  },
);

test('opens a socket for a started flow, shows its messages and closes it', WHOLE, async ({ page, portal }) => {
  await page.goto('/docs/sockets/login');
  await page.getByRole('button', { name: 'Start a flow' }).click();
  await expect(page.getByRole('textbox', { name: 'loginId' })).not.toHaveValue('');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Received message 1' })).toContainText('"state": "init"');
  const loginId = await page.getByRole('textbox', { name: 'loginId' }).inputValue();
  await portal.deny(loginId, { as: 'user@acme.test' });
  await expect(page.getByRole('group', { name: /^Received message/ }).last()).toContainText('"state": "rejected"');
  await expectAccessible(page, 'open');

  await page.goto('/docs/sockets/addDevice');
  await page.getByRole('button', { name: 'Start a flow' }).click();
  await expect(page.getByRole('textbox', { name: 'aid' })).not.toHaveValue('');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Connected. 1 message.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('Closed with 1000. 1 message.')).toBeVisible();
});

test('opens the reference list on a phone, and closes it after a selection', WHOLE, async ({ openBrowser }) => {
  const page = await openBrowser(PHONE);
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Show all endpoints' }).click();
  await page.getByRole('link', { name: '/user/login', exact: false }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/sign-in/);
  await expect(page.getByRole('button', { name: 'Show all endpoints' })).toBeVisible();
  await expectAccessible(page, 'operation');
});
