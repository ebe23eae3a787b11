import { contract } from '@orchestrate/shared';
import type { Locator, Page } from '@playwright/test';
import { Keyboard } from './fixtures/keyboard.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const USER = 'user@acme.test';
// Emails are displayed in an iframe that blocks scripts.
const FRAMED = /Blocked script execution in 'about:srcdoc'/;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const box = (page: Page | Locator, name: string | RegExp) => page.getByRole('textbox', { name });
const choice = (page: Page | Locator, name: string) => page.getByRole('combobox', { name });
const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

/** Opens the lab and returns a keyboard driver and a function that opens a section. */
async function openLab(page: Page): Promise<{ keys: Keyboard; section: (name: string) => Promise<void> }> {
  const keys = new Keyboard(page);
  await page.goto('/lab');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // A newly loaded page has no focused element, so focus the first one.
  await page.keyboard.press('Tab');
  const section = async (name: string) => {
    await keys.press(page.getByRole('navigation', { name: 'Lab' }).getByRole('link', { name }));
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await keys.expectFocus();
  };
  return { keys, section };
}

test('by keyboard, approves and denies requests, and sets policies for phones', WHOLE, async ({ page, portal }) => {
  const begin = async () =>
    (await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } })).loginId ?? '';
  const stateOf = async (loginId: string) => (await portal.call(contract.loginState, { params: { loginId } })).state;
  const { keys, section } = await openLab(page);
  await section('Requests');
  for (const [answer, state] of [
    ['Approve', 'success'],
    ['Deny', 'rejected'],
  ] as const) {
    const loginId = await begin();
    await keys.write(box(page, 'Answer as'), USER);
    await keys.press(button(page, answer));
    await expect(page.getByText('No pending requests')).toBeVisible();
    await keys.expectFocus();
    expect(await stateOf(loginId)).toBe(state);
  }
  await section('Policies');
  await keys.write(box(page, 'Person'), USER);
  await keys.select(choice(page, 'The phone'), 'denies');
  await keys.press(page.getByRole('checkbox', { name: /^Also open/ }), 'Space');
  await keys.press(button(page, 'Set policy'));
  await expect(list(page, 'Policies')).toContainText(USER);
  await keys.expectFocus();
  const loginId = await begin();
  await expect.poll(() => stateOf(loginId)).toBe('rejected');
  await keys.press(button(page, /^Remove policy for/));
  await expect(page.getByText('No policies yet')).toBeVisible();
  await keys.expectFocus();
});

test('by keyboard, sets the clock, faults, snapshots and spaces', WHOLE, async ({ page, portal, complaints }) => {
  complaints.expect(/503/);
  const { keys, section } = await openLab(page);
  await section('Clock');
  await keys.press(button(page, '+ 1 day'));
  await expect(page.getByText('Running ahead of the machine’s time.')).toBeVisible();
  await keys.expectFocus();
  await keys.press(button(page, 'Freeze'));
  await expect(page.getByText('Frozen.')).toBeVisible();
  await keys.expectFocus();
  await keys.reach(page.getByLabel('Date and time'));
  await page.keyboard.type('05062031');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('070809AM');
  await keys.press(button(page, 'Freeze at this time'));
  await expect.poll(async () => (await portal.clock()).now).toMatch(/^2031-05-0/);
  await keys.press(button(page, 'Real time'));
  await expect(page.getByText('Follows the machine’s time.')).toBeVisible();
  await keys.expectFocus();

  await section('Faults');
  await keys.write(box(page, 'Path'), '/api/health');
  await keys.write(page.getByRole('spinbutton', { name: 'HTTP status' }), '503');
  await keys.press(button(page, 'Add fault'));
  await expect(list(page, 'Pending faults')).toContainText('/api/health');
  await keys.expectFocus();
  await keys.press(button(page, 'Remove fault for /api/health'));
  await expect(page.getByText('No pending faults')).toBeVisible();
  await keys.expectFocus();

  await section('Worlds');
  await keys.write(box(page, 'Snapshot name'), 'By keyboard');
  await keys.press(button(page, 'Take snapshot'));
  await expect(button(page, 'Restore By keyboard')).toBeVisible();
  await portal.person({ org: 'acme', email: 'ada@acme.test' });
  await keys.press(button(page, 'Restore By keyboard'));
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }));
  await expect(page.getByText('Restored “By keyboard”')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await keys.expectFocus();
  expect((await portal.people({ email: 'ada@acme.test' })).total).toBe(0);
  await keys.press(button(page, 'Delete By keyboard'));
  await expect(button(page, 'Delete By keyboard')).toBeHidden();
  await keys.expectFocus();

  await section('Spaces');
  await keys.write(box(page, 'Space name'), 'Mine');
  await keys.reach(page.getByLabel('Freeze clock at (optional)'));
  await keys.press(button(page, 'Start'));
  await expect(list(page, 'Spaces')).toContainText('Mine');
  await keys.expectFocus();
  await keys.press(button(page, 'End Mine'));
  await expect(page.getByText('No spaces running')).toBeVisible();
  await keys.expectFocus();
});

test('by keyboard, shows an email, the journal and a token', WHOLE, async ({ page, portal, complaints }) => {
  complaints.expect(FRAMED);
  complaints.expect(/401/);
  await portal.emptyOutbox();
  const newcomer = { orgCode: 'acme', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@acme.test' };
  await portal.call(contract.signup, { body: newcomer });
  const { token } = await portal.session({ email: USER });
  const { keys, section } = await openLab(page);
  await section('Journal');
  await keys.write(page.getByRole('searchbox', { name: 'Filter the journal' }), 'signup');
  await keys.select(choice(page, 'Kind'), 'Requests');
  const found = list(page, 'Journal').getByRole('button', { name: /signup/ });
  await expect(list(page, 'Journal').getByRole('button').filter({ hasNotText: 'signup' })).toHaveCount(0);
  await keys.press(found.first());
  await expect(page.getByRole('heading', { level: 2, name: /^POST \/api\/user\/signup answered/ })).toBeVisible();
  await keys.expectFocus();
  await keys.press(button(page, 'Verify the journal'));
  const dialog = page.getByRole('dialog');
  await keys.write(box(dialog, 'Path'), '/api/user/signup');
  await keys.press(dialog.getByRole('button', { name: 'Check', exact: true }));
  await expect(dialog.getByText('The event happened once.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button(page, 'Verify the journal')).toBeFocused();

  await section('Tokens');
  await keys.write(box(page, 'Token or SAML response'), token);
  await keys.press(button(page, 'Inspect'));
  await expect(page.getByText('This portal access token is valid.')).toBeVisible();
  await keys.expectFocus();

  await section('Outbox');
  await keys.write(page.getByRole('searchbox', { name: 'Filter by address' }), 'ada');
  await keys.press(list(page, 'Messages').getByRole('button').first());
  await expect(page.getByRole('article')).toContainText('ada@acme.test');
  await keys.expectFocus();
  await keys.press(page.getByRole('tab', { selected: true }), 'ArrowRight');
  await keys.expectFocus();
});
